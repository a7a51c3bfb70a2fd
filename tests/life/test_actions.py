"""Permitted changes of an opened survey, the log of who made them, and the survey's versions."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from surveys.life import actions as life_actions
from surveys.life import versions
from surveys.life.lifecycle import begin_draft, close_survey, open_survey
from surveys.models import AuditEntry, Membership, Role, Survey
from tests.support.factories import DRAFT, opened_survey

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def survey(ada):
    survey = begin_draft(ada, DRAFT)
    open_survey(survey, ada)
    return survey


def actions():
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))[2:]


def test_results_are_published_and_unpublished_once_each(ada, survey):
    did = [life_actions.publish(survey, ada, public) for public in (True, True, False, False)]
    assert did == [True, False, True, False] and actions() == ["published", "unpublished"]
    assert not Survey.objects.get().results_public


def test_an_open_survey_is_not_archived_and_a_closed_one_comes_back(ada, survey):
    assert not life_actions.archive(survey, ada, True)
    close_survey(survey)
    assert [life_actions.archive(survey, ada, put) for put in (False, True, True, False)] == [False, True, False, True]
    assert actions() == ["archived", "unarchived"] and survey.archived_at is None


def test_the_end_can_be_moved_until_it_has_come(ada, survey):
    end = timezone.now() + DAY
    assert life_actions.set_end(survey, ada, end) and survey.closes_at == end
    assert life_actions.set_end(survey, ada, None) and survey.closes_at is None
    Survey.objects.update(closes_at=timezone.now() - DAY)
    assert not life_actions.set_end(survey, ada, end), "the worker is about to close it"
    close_survey(survey)
    assert not life_actions.set_end(survey, ada, end)
    entries = AuditEntry.objects.filter(action="edited").order_by("pk").values_list("detail", flat=True)
    assert list(entries) == [f"ends {end:%Y-%m-%d %H:%M} UTC", "ends by hand"]


def test_a_new_version_is_a_draft_with_the_same_questions_and_people(ada, survey):
    bob = User.objects.create_user("bob")
    Membership.objects.create(survey=survey, user=bob, role=Role.DESIGNER)
    later = versions.new_version(survey, bob)
    assert (later.state, later.previous, later.draft, later.slug) == ("draft", survey, DRAFT, None)
    assert {(each.user, each.role) for each in later.memberships.all()} == {(ada, "owner"), (bob, "designer")}
    assert versions.new_version(survey, ada) == later, "whoever asks again gets the same one"
    open_survey(later, ada)
    again = versions.new_version(survey, ada)
    assert again != later and again.previous == survey and Survey.objects.get(pk=survey.pk).state == "open"
    assert AuditEntry.objects.filter(detail=f"a new version of survey {survey.pk}").count() == 2


def test_a_version_of_a_survey_that_no_one_owns_is_its_makers(ada):
    assert versions.new_version(opened_survey(), ada).memberships.get().role == "owner"


def seen(survey, user):
    found = versions.linked(survey, user)
    return found.own.number, list(found.others)


def test_versions_are_linked_for_those_who_may_see_them(ada, survey):
    later = versions.new_version(survey, ada)
    open_survey(later, ada)
    nobody, eve = AnonymousUser(), User.objects.create_user("eve")
    assert seen(survey, ada) == (1, [(2, later)]) and seen(later, ada) == (2, [(1, survey)])
    assert seen(later, eve) == (2, [])
    Membership.objects.create(survey=later, user=eve, role=Role.VIEWER)
    assert seen(survey, eve) == (1, [(2, later)])
    assert versions.with_results(survey, nobody) == () == versions.with_results(later, nobody)
    assert versions.with_results(survey, ada) == (("later", later.slug, "Three kinds"),)
    life_actions.publish(survey, ada, True)
    later.refresh_from_db()
    assert versions.with_results(later, nobody) == (("earlier", survey.slug, "Three kinds"),)
