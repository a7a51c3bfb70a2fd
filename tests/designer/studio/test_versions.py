"""Numbers distinguish the versions of a survey in the studio. While two are open, their pages say so."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.life import deletion, versions
from surveys.life.lifecycle import Terms, begin_draft, close_survey, open_survey
from surveys.models import Membership, Role, Scope, Survey
from surveys.survey.definition import DraftRefused
from tests.support.factories import DRAFT
from tests.support.invitations import INVITED
from tests.support.life import page, press, signed_in, text
from tests.support.program import Program
from tests.support.tokens import carrying, token

pytestmark = pytest.mark.django_db


def cards(client):
    """Return the text of the list about each survey, by its number."""
    listed = client.get("/surveys/").content.decode()
    lines = re.findall(r'<li><a href="/surveys/([0-9]+)/"><bdi>(.*?)(?:<details|</li>)', listed, re.DOTALL)
    return {int(number): " ".join(re.sub(r"<[^>]*>", "", line).split()) for number, line in lines}


def corrected(survey, user, terms=None, **changes):
    """Return the next version of an opened survey, opened."""
    later = versions.new_version(survey, user)
    Survey.objects.filter(pk=later.pk).update(draft=later.draft | changes)
    later.refresh_from_db()
    open_survey(later, user, terms=terms)
    later.refresh_from_db()
    return later


def test_the_list_tells_versions_of_one_survey_apart(ada, client, opened):
    begin_draft(ada, DRAFT | {"title": "Alone"})
    second = corrected(opened, ada)
    third = versions.new_version(second, ada)
    shown = cards(client)
    assert "Version 1 · Open, replaced by version 2 (Open)" in shown[opened.pk]
    assert "Version 2, replaces version 1 (Open), version 3 is being drafted" in shown[second.pk]
    assert "Version 3, replaces version 2 (Open)" in shown[third.pk]
    assert [line for line in shown.values() if "ersion" not in line] == ["Alone 3 questions"]
    assert "Version 2 is open too" in shown[opened.pk] and "is open too" not in shown[second.pk] + shown[third.pk]
    close_survey(opened)
    assert "replaces version 1 (Ended)" in cards(client)[second.pk] and "open too" not in str(cards(client))


def test_two_versions_of_the_same_one_have_numbers_of_their_own(ada, client, opened):
    second, third = corrected(opened, ada), corrected(opened, ada)
    shown = cards(client)
    assert "Version 2 · Open, replaces version 1 (Open)" in shown[second.pk]
    assert "Version 3, replaces version 1 (Open)" in shown[third.pk]
    assert "Version 1 · Open, replaced by version 2 (Open), replaced by version 3 (Open)" in shown[opened.pk]


def test_a_next_wave_replaces_nothing(ada, client, opened):
    press(client, opened, "wave/")
    wave = Survey.objects.get(previous=opened)
    shown = cards(client)
    assert "Version 2, next wave of version 1 (Open)" in shown[wave.pk] and "replace" not in str(shown)


@pytest.mark.parametrize("name", ["", "share/"])
def test_while_two_versions_are_open_each_names_the_other_and_how_to_end_the_old_one(ada, client, opened, name):
    second = corrected(opened, ada, title="Put right")
    ending = f'href="/surveys/{opened.pk}/close/"'
    old, new = page(client, opened, name), page(client, second, name)
    assert "Version 2 of this survey is open too: Put right" in text(old) and "End version 1" in text(old)
    assert "Version 1 of this survey is open too: Three kinds" in text(new) and "End version 1" in text(new)
    assert f'href="/surveys/{second.pk}/"' in old.content.decode() and ending in old.content.decode()
    assert f'href="/surveys/{opened.pk}/"' in new.content.decode() and ending in new.content.decode()
    close_survey(opened)
    assert "open too" not in text(page(client, second, name)) and "open too" not in text(page(client, opened))


def test_versions_further_apart_name_each_other_too(ada, client, opened):
    second = corrected(opened, ada)
    third = corrected(second, ada)
    close_survey(second)
    shown = text(page(client, third, "share/"))
    assert "Version 1 of this survey is open too" in shown and "Version 2 of this survey" not in shown


def test_a_survey_by_invitation_says_it_where_people_are_invited(ada, client):
    first = begin_draft(ada, INVITED)
    open_survey(first, ada)
    second = corrected(first, ada)
    assert "Version 1 of this survey is open too" in text(page(client, second, "invitations/"))
    assert "Version 2 of this survey is open too" in text(page(client, first, "invitations/"))


def test_the_draft_of_a_version_says_that_the_old_one_is_open(ada, client, opened):
    draft = versions.new_version(opened, ada)
    shown = text(page(client, draft, "open/"))
    assert "Version 1 of this survey is open: Three kinds" in shown and "End version 1" in shown
    assert "replaces version 1 (Open)" in text(page(client, draft, "questions/"))
    assert "is open" not in text(page(client, opened, "share/")), "a draft takes no reports"


def test_the_overview_lists_every_version_with_its_number_and_state(ada, client, opened):
    second = corrected(opened, ada, title="Put right")
    assert "Later version Put right Version 2 · Open" in text(page(client, opened))
    close_survey(opened)
    assert "Earlier version Three kinds Version 1 · Ended" in text(page(client, second))


def test_who_may_not_end_the_old_version_is_offered_nothing_and_who_may_not_see_it_reads_nothing(ada, opened):
    second = corrected(opened, ada)
    for role, named in ((Role.VIEWER, True), (None, False)):
        user = User.objects.create_user(f"designer {role}")
        Membership.objects.create(survey=second, user=user, role=Role.DESIGNER)
        if role:
            Membership.objects.create(survey=opened, user=user, role=role)
        shown = page(signed_in(user), second, "share/")
        assert ("Version 1 of this survey is open too" in text(shown)) is named
        assert ("Only its designers can end it" in text(shown)) is named
        assert f"/surveys/{opened.pk}/close/" not in shown.content.decode()
        assert ("version 1" in cards(signed_in(user))[second.pk]) is named


def test_versions_stay_together_when_one_between_them_is_deleted(ada, client, opened):
    second = corrected(opened, ada)
    third = corrected(second, ada)
    close_survey(second)
    assert deletion.delete(second, ada)
    third.refresh_from_db()
    assert third.previous == opened and "Version 2, replaces version 1 (Open)" in cards(client)[third.pk]


def folds(client):
    """Return the numbers of the surveys with a card of their own, each with the numbers below it."""
    listed = re.sub(r"<span.*?</span>", "", client.get("/surveys/").content.decode(), flags=re.DOTALL)
    whole = re.findall(r'<li><a href="/surveys/([0-9]+)/">.*?</a>\s*(<details.*?</details>)?</li>', listed, re.DOTALL)
    return {int(number): [int(each) for each in re.findall(r'"/surveys/([0-9]+)/"', below)] for number, below in whole}


def test_older_versions_lie_below_the_newest_and_a_draft_stands_alone(ada, client, opened):
    second = corrected(opened, ada)
    third = versions.new_version(second, ada)
    assert folds(client) == {third.pk: [], second.pk: [opened.pk]}
    close_survey(second)
    assert folds(client) == {third.pk: [], second.pk: [], opened.pk: []}, "an open one is never below an ended one"
    close_survey(opened)
    assert folds(client) == {third.pk: [], second.pk: [opened.pk]}


# The link -------------------------------------------------------------------------------------------------------------

TAKING = Terms(takes_link=True)


def headers(survey):
    answer = Client().get("/respond/definition", headers={"Survey-Link": survey.slug})
    assert hashlib.sha256(answer.content).hexdigest() == survey.digest, "what the log has of this link"
    return answer.get("Survey-Newer"), answer.get("Survey-Earlier")


def test_the_old_link_leads_to_the_newest_version_that_takes_reports(ada, opened):
    assert headers(opened) == (None, None)
    second = corrected(opened, ada, TAKING, title="Put right")
    third = corrected(second, ada, TAKING, title="Put right again")
    assert headers(opened) == (*headers(second)[:1], None) == (third.slug, None)
    assert headers(third) == (None, f"{second.slug} {opened.slug}")
    close_survey(third)
    assert headers(opened)[0] == second.slug and headers(second)[0] is None
    close_survey(second)
    assert headers(opened) == (None, None)


def test_a_version_that_takes_no_link_leaves_the_old_one_its_own(ada, opened):
    second = corrected(opened, ada)
    third = corrected(second, ada, TAKING)
    assert headers(opened) == (None, None) and headers(second)[0] == third.slug


def test_a_version_that_begins_later_takes_the_link_when_it_begins(ada, opened):
    second = corrected(opened, ada, TAKING._replace(opens_at=timezone.now() + timedelta(hours=1)))
    assert headers(opened)[0] is None
    Survey.objects.filter(pk=second.pk).update(opens_at=timezone.now() - timedelta(seconds=1))
    assert headers(opened)[0] == second.slug


def ticked(response):
    return re.findall(r'<input type="checkbox" name="takes_link"[^>]*?( checked)?>', response.content.decode())


def test_a_correction_takes_the_link_unless_its_designer_says_no_and_a_wave_does_not(ada, client, opened):
    draft = versions.new_version(opened, ada)
    shown = page(client, draft, "open/")
    assert ticked(shown) == [" checked"] and "The old link leads to this version." in text(shown)
    digest = re.search(r'name="digest" value="(\w+)"', shown.content.decode())[1]
    press(client, draft, "open/", digest=digest)
    draft.refresh_from_db()
    assert draft.state == "open" and not draft.takes_link
    press(client, draft, "wave/")
    assert ticked(page(client, Survey.objects.get(previous=draft), "open/")) == [""]
    assert ticked(page(client, begin_draft(ada, DRAFT), "open/")) == []


def test_nothing_takes_the_link_of_a_survey_by_invitation(ada, client):
    first = begin_draft(ada, INVITED)
    open_survey(first, ada)
    draft = versions.new_version(first, ada)
    shown = page(client, draft, "open/")
    digest = re.search(r'name="digest" value="(\w+)"', shown.content.decode())[1]
    refused = press(client, draft, "open/", digest=digest, takes_link="on")
    assert ticked(shown) == [] and refused.status_code == 422
    assert "and both need an open link" in text(refused)


@pytest.mark.parametrize("role", [None, Role.VIEWER])
def test_who_is_no_designer_of_the_earlier_version_any_more_cannot_take_its_link(ada, opened, role):
    bob = User.objects.create(username="bob")
    Membership.objects.create(survey=opened, user=bob, role=Role.DESIGNER)
    draft, client = versions.new_version(opened, ada), signed_in(bob)
    assert ticked(page(client, draft, "open/")) == [" checked"]
    opened.memberships.filter(user=bob).delete()
    if role:
        Membership.objects.create(survey=opened, user=bob, role=role)
    shown = page(client, draft, "open/")
    digest = re.search(r'name="digest" value="(\w+)"', shown.content.decode())[1]
    refused = press(client, draft, "open/", digest=digest, takes_link="on")
    assert ticked(shown) == [] and refused.status_code == 422
    assert "Only a designer of the earlier version can take over its link" in text(refused)
    with pytest.raises(DraftRefused, match="takes_link: must not be chosen: only a designer of the earlier version"):
        open_survey(draft, bob, terms=TAKING)
    program = Program(carrying(token(bob, Scope.STUDIO)))
    said_yes = program.ask("post", f"/{draft.pk}/opening", {"digest": digest, "takes_link": True})
    assert said_yes.status_code == 422 and "takes_link" in said_yes.json()["rules"][0]["field"]
    left_out = program.ask("post", f"/{draft.pk}/opening", {"digest": digest})
    assert left_out.status_code == 200 and left_out.json()["takes_link"] is False
    assert headers(opened) == (None, None)


def test_where_the_link_leads_on_both_versions_say_so(ada, client, opened):
    second = corrected(opened, ada, TAKING)
    words = "The link of version 1 leads to the newer one, and only people who had begun can still answer version 1."
    for survey in (opened, second):
        shown = text(page(client, survey, "share/"))
        assert words in shown and "End version 1" in shown and "says that the survey is closed" not in shown
