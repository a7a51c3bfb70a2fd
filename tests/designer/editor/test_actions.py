"""The outline's actions: add, order, duplicate, remove and undo, sections. A designer whose action came too late reads
why."""

import re

import pytest
from django.urls import reverse

from surveys.designer.editor.actions import ACTIONS
from surveys.models import AuditEntry, Revision, Survey
from surveys.survey.definition import questions as definition_questions
from tests.support.builder import FRAGMENTS, begun, form, questions, signed_in, undo, unescaped, url
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

HEADING = "#editor-title"  # has the focus after an action
SECTIONS = [
    {"title": "One", "text": "", "questions": ["yes"]},
    {"title": "Two", "text": "", "questions": ["which", "many"]},
]


def order(survey):
    draft = Survey.objects.get(pk=survey.pk).draft
    if "sections" not in draft:
        return " ".join(question["key"] for question in draft["questions"])
    assert [key for section in draft["sections"] for key in section["questions"]] == [
        question["key"] for question in draft["questions"]
    ]
    return " ".join(f"[{section['title']}] {' '.join(section['questions'])}".strip() for section in draft["sections"])


def test_a_question_is_added_behind_the_one_that_is_edited():
    survey, client = begun(DRAFT | {"sections": SECTIONS}), signed_in()
    answer = client.post(url(survey), {"add": "mean", "after": "yes", "here": "yes"})
    assert (answer.url, order(survey)) == (url(survey, "q1"), "[One] yes q1 [Two] which many")
    client.post(url(survey), {"add": "grid"})
    assert order(survey) == "[One] yes q1 [Two] which many q2"
    assert client.post(url(survey), {"add": "essay"}).url == url(survey)
    assert order(survey) == "[One] yes q1 [Two] which many q2"


def test_a_survey_takes_no_more_questions_than_a_definition():
    draft = {
        "title": "x",
        "questions": [{"key": f"q{i}", "kind": "yes_no", "text": "?", "alpha": "1"} for i in range(200)],
    }
    survey, client = begun(draft), signed_in()
    for action in ({"add": "yes_no"}, {"duplicate": "q7"}):
        answer = client.post(url(survey), action, follow=True)
        assert "A survey has at most 200 questions." in answer.content.decode()
    assert len(questions(survey)) == 200


def test_a_duplicate_stands_behind_its_model_and_has_a_key_of_its_own():
    survey, client = begun(), signed_in()
    assert client.post(url(survey), {"duplicate": "which"}).url == url(survey, "q1") + HEADING
    assert order(survey) == "yes which q1 many"
    twin = questions(survey)[2]
    assert twin == DRAFT["questions"][1] | {"key": "q1"}


def test_what_is_removed_comes_back_to_where_it_stood_the_last_first():
    survey, client = begun(DRAFT | {"sections": SECTIONS}), signed_in()
    before = questions(survey)
    assert client.post(url(survey), {"remove": "which", "here": "which"}).url == url(survey, "many") + HEADING
    assert client.post(url(survey), {"remove": "many", "here": "many"}).url == url(survey, "yes") + HEADING
    answer = client.post(url(survey), {"remove": "yes", "here": "yes"}, follow=True)
    assert order(survey) == "[One] [Two]"
    assert "Removed “Yes or no?”." in answer.content.decode()
    for expected in ("[One] yes [Two]", "[One] yes [Two] many", "[One] yes [Two] which many"):
        undo(client, survey)
        assert order(survey) == expected
    assert questions(survey) == before
    undo(client, survey)
    assert 'id="undo"' not in client.get(url(survey)).content.decode()
    assert order(survey) == "[One] yes [Two] which many"


def test_what_can_be_undone_is_dismissed_and_is_each_persons_own():
    survey = begun(DRAFT, "bob")
    ada, bob = signed_in(), signed_in("bob")
    ada.post(url(survey), {"remove": "yes"})
    assert 'id="undo"' in ada.get(url(survey)).content.decode()
    assert 'id="undo"' not in bob.get(url(survey)).content.decode()
    assert undo(ada, survey, do="dismiss", back=url(survey, "many")).url == url(survey, "many")
    assert 'id="undo"' not in ada.get(url(survey)).content.decode()


def test_a_key_that_was_given_away_meanwhile_is_not_taken_back():
    survey, client = begun(), signed_in()
    client.post(url(survey), {"remove": "yes"})
    removal, address = Revision.objects.get(), url(survey, "many")
    client.post(address, form(client, address) | {"key": "yes"})
    assert undo(client, survey, step=removal.pk).status_code == 409
    assert order(survey) == "which yes"
    undo(client, survey)
    assert undo(client, survey).url == url(survey, "yes") + HEADING
    assert order(survey) == "yes which many"


def test_moving_answers_with_the_list_the_heading_and_what_is_announced():
    survey, client = begun(DRAFT | {"sections": SECTIONS}), signed_in()
    answer = client.post(url(survey), {"down": "yes", "here": "yes"}, headers=FRAGMENTS)
    html = unescaped(answer.content.decode())
    assert order(survey) == "[One] [Two] yes which many"
    assert "“Yes or no?” is now question 1 of 3. It is in “Two”." in html
    assert re.findall(r'id="(announcer|outline|head)"', html) == ["announcer", "outline", "head"]
    assert re.search(r'id="up"[^>]*aria-disabled', html)
    html = client.post(url(survey), {"up": "many", "here": "yes"}, headers=FRAGMENTS).content.decode()
    assert "Question 1 of 3" not in html, "another one is being edited, and stands where it stood"
    assert order(survey) == "[One] [Two] yes many which"
    page = client.post(url(survey), {"move": "which", "before": "1", "here": "which"}, follow=True)
    assert order(survey) == "[One] which [Two] yes many"
    assert "“Which?” is now question 1 of 3. It is in “One”." in unescaped(page.content.decode())
    client.post(url(survey), {"move": "which", "before": ""})
    assert order(survey) == "[One] [Two] yes many which"


def test_sections_begin_move_and_go():
    survey, client = begun(), signed_in()
    first = client.post(url(survey), {"add_section": ""}).url
    assert (first, order(survey)) == (f"/surveys/{survey.pk}/sections/0/" + HEADING, "[] yes which many")
    client.post(first, form(client, first) | {"title": "One"})
    second = client.post(url(survey), {"add_section": "many"}).url
    client.post(second, form(client, second) | {"title": "Two"})
    assert order(survey) == "[One] yes which [Two] many"
    assert client.post(url(survey), {"section_up": "1", "here": "1"}).url == first
    assert order(survey) == "[Two] many [One] yes which"
    html = client.post(url(survey), {"section_down": "0", "here": "0"}, follow=True).content.decode()
    assert "“Two” is now section 2 of 2." in html
    client.post(url(survey), {"remove_section": "0"})
    assert order(survey) == "[Two] yes which many"
    client.post(url(survey), {"remove_section": "0"})
    assert order(survey) == "yes which many"
    for _ in range(2):
        undo(client, survey)
    assert order(survey) == "[One] yes which [Two] many"


def test_a_section_without_questions_is_a_task_and_no_more():
    survey, client = (
        begun(DRAFT | {"sections": [*SECTIONS, {"title": "Three", "text": "", "questions": []}]}),
        signed_in(),
    )
    html = unescaped(client.get(f"/surveys/{survey.pk}/sections/2/").content.decode())
    assert "Put at least one question into this section." in html
    assert "section “Three”" in html


def test_a_action_on_what_is_gone_is_told_and_changes_nothing():
    survey, client = begun(), signed_in()
    for name in ACTIONS:
        if name == "add":
            continue
        for headers in ({}, FRAGMENTS):
            answer = client.post(url(survey), {name: "9" if "section" in name else "gone"}, headers=headers)
            assert answer.headers.get("X-Go", answer.headers.get("Location")) == url(survey), name
        assert "This part is gone" in client.get(url(survey)).content.decode()
    assert client.get(url(survey, "gone")).url == client.get(f"/surveys/{survey.pk}/sections/3/").url == url(survey)
    assert client.post(url(survey), {"nothing": "1"}).url == url(survey)
    assert questions(survey) == DRAFT["questions"]
    assert not AuditEntry.objects.filter(action="edited").exists()


def test_a_page_is_framed_by_no_one_and_frames_this_sites_preview_alone():
    survey, client = begun(), signed_in()
    policy = client.get(url(survey))["Content-Security-Policy"]
    assert "frame-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    preview = reverse("survey-preview", args=[survey.pk])
    assert f'<iframe title="Preview" src="{preview}?only=yes"' in client.get(url(survey, "yes")).content.decode()
    assert client.get(preview).status_code == 200


def test_an_edit_of_one_of_two_hundred_questions_builds_that_one_alone(monkeypatch):
    """Integer tables are the costly part; python -m benchmarks.builder measures the rest."""
    draft = {
        "title": "x",
        "questions": [{"key": f"q{i}", "kind": "yes_no", "text": f"{i}?", "alpha": "1"} for i in range(200)],
    }
    survey, client = begun(draft), signed_in()
    address = url(survey, "q100")
    sent = form(client, address)
    built = []
    build = definition_questions.build
    monkeypatch.setattr(
        definition_questions, "build", lambda draft, *rest: built.append(draft["key"]) or build(draft, *rest)
    )
    answer = client.post(address, sent | {"alpha": "2"}, headers=FRAGMENTS)
    client.post(url(survey), {"up": "q100", "here": "q100"}, headers=FRAGMENTS)
    assert built == ["q100"]
    html = answer.content.decode()
    assert html.count('class="line') == 1 and len(html) < 10_000
