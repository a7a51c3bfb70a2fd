"""The history of a draft has every change by any designer; each version can be viewed and restored."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from surveys import drafts
from surveys.drafts import snapshots
from surveys.life.lifecycle import open_survey
from surveys.models import AuditEntry, Snapshot, Survey
from tests.support.builder import begun, form, questions, signed_in, undo, unescaped, url
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

GERMAN = [{"text": "Ja?"}, {"text": "Welche?", "options": ["a", "b", "c"]}, {"text": "Wie viele?", "unit": "Stück"}]
TRANSLATION = {"title": "Drei", "introduction": "", "questions": GERMAN}
IN_GERMAN = DRAFT | {"language": "en", "translations": {"de": TRANSLATION}}


def address(survey, snapshot=None):
    return f"/surveys/{survey.pk}/history/" + (f"{snapshot.pk}/" if snapshot else "")


def mark(client, survey, snapshot):
    return re.search(r'name="mark" value="(\w+)"', client.get(address(survey, snapshot)).content.decode())[1]


def stored(survey):
    return Survey.objects.get(pk=survey.pk).draft


@pytest.fixture
def changed():
    """Return Ada's draft with her change and then one of Bob's."""
    survey = begun(DRAFT, "bob")
    ada, bob, which = signed_in(), signed_in("bob"), url(survey, "which")
    ada.post(which, form(ada, which) | {"text": "Which of them?"})
    bob.post(url(survey), {"remove": "many"})
    return survey


def test_every_change_is_listed_the_newest_first(changed):
    page = unescaped(signed_in().get(address(changed)).content.decode())
    first, second, begin = (
        page.index(text) for text in ("bob</strong>", "ada</strong>", "The draft before the changes")
    )
    assert first < second < begin and page.count("Look at it") == 2
    assert ">History<" in signed_in().get(url(changed)).content.decode()


def test_what_is_different_now_is_shown_before_one_goes_back(changed):
    first = Snapshot.objects.earliest("pk")
    page = unescaped(signed_in().get(address(changed, first)).content.decode())
    assert "<pre>Which?</pre>" in page and "<pre>Which of them?</pre>" in page and "Go back to this version" in page
    assert page.count("<h4>Then</h4>") == 3, "the text, the question that was removed, and the order"
    assert "“Which of them?”: Question" in page and "How many" in page and "No kind" not in page
    newest = Snapshot.objects.latest("pk")
    assert "The draft is the same now" in signed_in().get(address(changed, newest)).content.decode()


def test_going_back_brings_all_of_it_and_is_a_change_like_others(changed):
    first, before = Snapshot.objects.earliest("pk"), stored(changed)
    ada = signed_in()
    assert ada.post(address(changed, first), {"mark": mark(ada, changed, first)}).status_code == 302
    assert stored(changed) == DRAFT
    assert "back to the draft of" in AuditEntry.objects.latest("pk").detail
    assert Snapshot.objects.latest("pk").content == DRAFT and Snapshot.objects.count() == 4
    undo(ada, changed)
    assert stored(changed) == before


def test_a_translated_text_is_named_by_its_question():
    before, survey = begun(IN_GERMAN), begun(IN_GERMAN)
    before.draft["translations"]["de"]["questions"][1]["text"] = "Welche davon?"
    row = Snapshot.objects.create(survey=survey, content=before.draft, at=timezone.now())
    page = unescaped(signed_in().get(address(survey, row)).content.decode())
    assert "<h3>“Which?”: Translation into Deutsch (de)</h3>" in page and "<pre>Welche davon?</pre>" in page


def test_a_question_of_one_draft_alone_is_one_text_whatever_its_translations():
    survey = begun(IN_GERMAN)
    signed_in().post(url(survey), {"remove": "many"})
    page = unescaped(signed_in().get(address(survey, Snapshot.objects.earliest("pk"))).content.decode())
    assert "<pre>How many?</pre>" in page and "Translation into" not in page


def test_anyone_who_goes_back_takes_nothing_away_that_they_did_not_see(changed):
    first, ada, bob = Snapshot.objects.earliest("pk"), signed_in(), signed_in("bob")
    seen = mark(ada, changed, first)
    bob.post(url(changed), {"remove": "yes"})
    before = stored(changed)
    answer = ada.post(address(changed, first), {"mark": seen})
    assert answer.status_code == 409 and "The draft has changed since you looked" in answer.content.decode()
    assert stored(changed) == before and seen != mark(ada, changed, first)
    ada.post(address(changed, first), {"mark": mark(ada, changed, first)})
    assert stored(changed) == DRAFT


def test_anyone_who_may_not_edit_sees_none_of_it(changed):
    first = Snapshot.objects.earliest("pk")
    stranger = signed_in("mallory")
    assert stranger.get(address(changed)).status_code == 404
    assert stranger.post(address(changed, first)).status_code == 404
    other = begun()
    assert signed_in().get(address(other, first)).status_code == 404, "of another survey"


def test_nothing_of_it_stays_once_the_survey_is_opened(changed):
    first = Snapshot.objects.earliest("pk")
    open_survey(Survey.objects.get(pk=changed.pk))
    assert not Snapshot.objects.exists()
    assert signed_in().get(address(changed)).status_code == 404
    assert signed_in().post(address(changed, first)).status_code == 404


def test_changes_of_one_visit_are_one_and_the_oldest_go(monkeypatch):
    monkeypatch.setattr(snapshots, "MOST", 3)
    survey, ada = begun(), User.objects.get(username="ada")
    for text in ("a", "ab", "abc"):
        drafts.change(survey, ada, lambda draft, text=text: draft.update(title=text) or "Title", visit="one")
    assert Snapshot.objects.count() == 2 and Snapshot.objects.latest("pk").content["title"] == "abc"
    for text in ("d", "e", "f"):
        drafts.change(survey, ada, lambda draft, text=text: draft.update(title=text) or "Title")
    assert [row.content["title"] for row in Snapshot.objects.order_by("pk")] == ["d", "e", "f"]


def test_a_draft_without_a_change_says_so():
    assert "Nothing was changed yet" in signed_in().get(address(begun())).content.decode()
    assert questions(begun())
