"""The preview shows editors the respondents' page with every question that is complete enough to ask."""

import copy
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.designer.studio import preview as previews
from surveys.life.lifecycle import begin_draft
from surveys.models import Membership, Role, Survey
from surveys.respondent.page.assets import FILES, LISTED, PREVIEW
from surveys.survey import definition as definitions
from surveys.web import policies
from tests.support import forms, frames
from tests.support.calls import calls
from tests.support.hostile import WRONG, places

BLANK = {"title": "", "questions": []}


def drafted(draft, role=Role.OWNER):
    survey = begin_draft(User.objects.create_user("ada"), draft)
    client = Client()
    client.force_login(User.objects.create_user("bob"))
    if role:
        Membership.objects.create(survey=survey, user=User.objects.get(username="bob"), role=role)
    return client, f"/surveys/{survey.pk}/preview/"


@pytest.mark.django_db
@pytest.mark.parametrize("role", [None, *Role])
def test_only_those_who_may_edit_the_draft_see_it(role):
    client, address = drafted(frames.DRAFT, role)
    expected = 200 if role and role.covers(Role.DESIGNER) else 404
    assert [client.get(path).status_code for path in (address, f"{address}definition")] == [expected] * 2
    assert Client().get(address).status_code == 302
    assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_a_complete_draft_is_asked_as_it_would_be_opened():
    client, address = drafted(frames.DRAFT)
    expected = definitions.build(frames.DRAFT)
    assert client.get(f"{address}definition").content == definitions.canonical(expected)
    page = client.get(address).content.decode()
    assert f'data-draft="{address}definition"' in page
    assert "not complete" not in page and "In sections" in page
    files = re.findall(r'(?:href|src)="/respond/([^"]+)"( integrity)?', page)
    assert {name for name, _ in files} == {*FILES, PREVIEW}
    assert {name for name, pin in files if not pin} == {*LISTED}


@pytest.mark.django_db
def test_its_policy_lets_it_reach_its_definition_alone_and_the_studio_frame_it():
    client, address = drafted(frames.DRAFT)
    for path in (address, f"{drafted_empty(client)}"):
        headers = client.get(path).headers
        content = headers["Content-Security-Policy"]
        assert f"connect-src http://127.0.0.1{path}definition;" in content
        assert "default-src 'none'" in content and "frame-ancestors 'self'" in content
        assert headers["X-Frame-Options"] == "SAMEORIGIN" and headers["Cache-Control"] == "no-store"
    assert "frame-src 'self'" in policies.WITH_PREVIEW and "frame-ancestors 'none'" in policies.WITH_PREVIEW


def drafted_empty(client):
    survey = begin_draft(User.objects.get(username="bob"), BLANK)
    return f"/surveys/{survey.pk}/preview/"


@pytest.mark.django_db
def test_where_no_alpha_is_chosen_yet_the_preview_says_what_it_supposes():
    question = {"key": "a", "kind": "yes_no", "text": "A?"}
    said = "1 question has no alpha yet: the statements on protection here assume alpha 1 for it."
    client, address = drafted(BLANK | {"title": "Begun", "questions": [question]})
    assert said in client.get(address).content.decode()
    Survey.objects.update(draft=BLANK | {"title": "Begun", "questions": [question | {"alpha": "1"}]})
    assert "has no alpha yet" not in client.get(address).content.decode()


@pytest.mark.django_db
def test_a_draft_with_nothing_complete_says_so_kindly_and_runs_no_code():
    client, address = drafted(
        BLANK | {"title": "Begun", "questions": [{"key": "a", "kind": "yes_no", "text": " ", "alpha": "1"}]}
    )
    page = client.get(address).content.decode()
    assert "Nothing to ask yet" in page and "1 question is not complete yet" in page and "<li>Question 1</li>" in page
    assert "Begun" in page and "Untitled survey" not in page and "<script" not in page
    assert client.get(f"{address}definition").status_code == 404


def test_what_is_not_complete_is_named_and_left_out():
    draft = copy.deepcopy(frames.DRAFT)
    draft["questions"][1]["alpha"] = "0"
    draft["questions"].append({"kind": "grid"})
    draft["questions"].append(dict(draft["questions"][0], text="The same key"))
    draft |= {"title": " ", "introduction": 5, "consent": 7}
    definition, incomplete, _ = previews.preview(draft)
    assert incomplete == ["two?", "Question 4", "The same key"]
    assert [question["key"] for question in definition["questions"]] == ["one", "three"]
    assert [section["questions"] for section in definition["sections"]] == [["one"], ["three"]]
    assert (definition["title"], definition["introduction"]) == ("Untitled survey", "")
    assert "consent" not in definition and definition["thanks"] == "That was kind of you."
    assert definitions.certified(definitions.canonical(definition))


def test_a_section_of_which_nothing_is_complete_is_left_out():
    draft = copy.deepcopy(frames.DRAFT)
    draft["questions"][0]["text"] = ""
    draft["sections"][1]["title"] = ""
    definition, *_ = previews.preview(draft)
    assert [(each["title"], each["questions"]) for each in definition["sections"]] == [
        ("Untitled section", ["two", "three"])
    ]


def test_whatever_stands_in_a_draft_its_preview_is_one_that_the_page_asks():
    shown = 0
    for path in places(frames.DRAFT):
        for value in WRONG:
            draft = copy.deepcopy(frames.DRAFT)
            inside = draft
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = value
            definition, *_ = previews.preview(draft)
            if definition is not None:
                shown += 1
                assert definitions.certified(definitions.canonical(definition)), (path, value)
    assert shown > 1000


def test_what_is_left_of_a_joint_form_is_asked_whatever_its_alpha():
    draft = copy.deepcopy(forms.DRAFT)
    del draft["questions"][1]["text"]  # the other question of the joint form
    for alpha in ("2", "", "much", "99", None):
        draft["forms"][0]["draws"][0]["alpha"] = alpha
        definition, incomplete, _ = previews.preview(draft)
        assert definitions.certified(definitions.canonical(definition)), alpha
        assert [[key for draw in each["draws"] for key in draw["questions"]] for each in definition["forms"]] == [
            ["age"],
            ["health", "doctor"],
            ["income"],
        ]
        assert incomplete == ["Question 2"]


def long_draft():
    kinds = [
        {"kind": "yes_no"},
        {"kind": "ordered", "options": ["not", "little", "some", "much", "all"]},
        {"kind": "multiple_choice", "options": [*"abcdef"]},
        {"kind": "mean", "low": "0", "high": "24"},
        {"kind": "histogram", "edges": ["0", "10", "20", "30", "40"], "prefer_not_to_say": True},
    ]
    each = [kinds[i % 5] | {"key": f"q{i}", "text": f"{i}?", "alpha": f"0.{100 + i}"} for i in range(200)]
    return {"title": "Long", "questions": each}


def test_a_draft_of_two_hundred_questions_is_quick_again():
    draft = long_draft()
    whole, (first, *_) = calls(lambda: previews.preview(draft))
    draft["questions"][7]["text"] = "Changed?"
    again, (definition, incomplete, _) = calls(lambda: previews.preview(draft))
    assert again < whole / 10
    assert len(definition["questions"]) == 200 and incomplete == [] and definition != first


@pytest.mark.django_db
def test_beside_the_builder_it_is_about_one_question_or_one_section_and_asks_for_no_consent():
    draft = copy.deepcopy(frames.DRAFT) | {"consent": "I agree.", "language": "en"}
    client, address = drafted(draft)
    key = draft["questions"][-1]["key"]
    page = client.get(address, {"only": key}).content.decode()
    assert f'data-draft="{address}definition?only={key}"' in page and f'data-only="{key}"' in page
    assert "consent" in client.get(f"{address}definition").json()
    shown = client.get(f"{address}definition", {"only": key}).json()
    assert "consent" not in shown and shown["questions"] == client.get(f"{address}definition").json()["questions"]


@pytest.mark.django_db
def test_a_question_that_is_not_complete_yet_is_not_replaced_by_another_one():
    questions = [{"key": "a", "kind": "yes_no", "text": "A?"}, {"key": "b", "kind": "yes_no", "text": ""}]
    sections = [{"title": "One", "questions": ["b"]}, {"title": "Two", "questions": ["a"]}]
    client, address = drafted(BLANK | {"questions": questions, "sections": sections})
    assert "Not complete yet" in client.get(address, {"only": "b"}).content.decode()
    assert "Not complete yet" in client.get(address, {"only": "1"}).content.decode()
    assert 'data-only="1"' in client.get(address, {"only": "2"}).content.decode(), "the first section that is shown"
