"""Designers find questions of their own earlier surveys by their words and reuse them. They find no one else's."""

import pytest

from surveys.life.lifecycle import open_survey
from surveys.models import Survey
from tests.support import languages
from tests.support.builder import begun, questions, signed_in, undo, unescaped
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

OTHER = {
    "title": "Bicycles",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Do you cycle?", "alpha": "0.7"},
        {"key": "why", "kind": "single_choice", "text": "Why?", "options": ["Fun", "Fuel"], "alpha": "1"}
        | {"asked_if": {"question": "yes", "options": [0]}},
    ],
}


def bank(client, survey, words=""):
    return unescaped(client.get(f"/surveys/{survey.pk}/bank/", {"q": words}).content.decode())


def take(client, survey, source, key):
    return client.post(f"/surveys/{survey.pk}/bank/", {"take": f"{source.pk}:{key}"})


def test_questions_are_found_by_their_texts_and_their_answers():
    survey, _ = begun(), begun(OTHER)
    page = bank(signed_in(), survey)
    assert "Do you cycle?" in page and "Fuel" in page and "Bicycles" in page and "How many?" not in page
    assert "Why?" in bank(signed_in(), survey, "FUEL") and "Do you cycle?" not in bank(signed_in(), survey, "fuel")
    assert "No question of yours has" in bank(signed_in(), survey, "trains")


def test_what_people_choose_steps_of_or_put_in_order_is_listed_with_the_question():
    ranking = {"key": "rank", "kind": "ranking", "text": "Which first?", "ranked": ["Tea", "Coffee", "Milk"]}
    scale = {"key": "scale", "kind": "mean", "text": "How good?", "steps": ["Poor", "Fair", "Good"]}
    survey, _ = begun(), begun({"title": "Drinks", "questions": [ranking, scale]})
    assert "Coffee" in bank(signed_in(), survey, "first") and "Fair" in bank(signed_in(), survey, "good")


def test_the_same_question_of_two_surveys_is_listed_once():
    survey, *_ = begun(), begun(OTHER), begun(OTHER)
    assert bank(signed_in(), survey).count("Do you cycle?") == 1


def test_a_copy_asks_the_same_and_depends_on_no_other_question():
    survey, source, ada = begun(), begun(OTHER), signed_in()
    assert take(ada, survey, source, "why").status_code == 302
    copy = questions(survey)[-1]
    assert copy["key"] == "why" and copy["options"] == ["Fun", "Fuel"] and copy["alpha"] == "1"
    assert "asked_if" not in copy
    take(ada, survey, source, "yes")
    assert questions(survey)[-1]["key"] == "q1", "its own key is another question's"
    undo(ada, survey)
    assert [question["key"] for question in questions(survey)] == ["yes", "which", "many", "why"]


def test_an_opened_survey_gives_its_questions_and_takes_none():
    survey, source, ada = begun(), begun(DRAFT | {"title": "Opened"}), signed_in()
    open_survey(source)
    assert take(ada, survey, Survey.objects.get(pk=source.pk), "which").status_code == 302
    assert len(questions(survey)) == 4
    take(ada, source, survey, "which")
    assert len(questions(source)) == 3


def test_texts_are_those_of_the_drafts_language():
    source = begun(languages.DRAFT)
    tag = next(iter(languages.DRAFT["translations"]))
    survey = begun(DRAFT | {"language": tag})
    key = languages.DRAFT["questions"][0]["key"]
    take(signed_in(), survey, source, key)
    assert questions(survey)[-1]["text"] == languages.DRAFT["translations"][tag]["questions"][0]["text"]


@pytest.mark.parametrize("wanted", ["", ":", "x:yes", "99999999999999999999:yes", "0:yes"])
def test_what_is_not_there_is_refused_with_a_sentence(wanted):
    survey, ada = begun(), signed_in()
    answer = ada.post(f"/surveys/{survey.pk}/bank/", {"take": wanted}, follow=True)
    assert "This question could not be added" in answer.content.decode() and len(questions(survey)) == 3


def test_no_one_takes_a_question_of_someone_elses_survey():
    survey, source = begun(DRAFT, "bob"), begun(OTHER)
    bob = signed_in("bob")
    assert "cycle" not in bank(bob, survey)
    take(bob, survey, source, "yes")
    assert len(questions(survey)) == 3


@pytest.mark.parametrize(
    "fields", [{"kind": []}, {"kind": {"a": 1}}, {"kind": "no"}, {"options": 5}, {"options": True}]
)
def test_a_draft_of_a_strange_shape_keeps_no_others_from_being_listed(fields):
    strange = {"key": "odd", "kind": "single_choice", "text": "Odd?", "options": ["A", "B"], "alpha": "1"} | fields
    survey, *_ = begun(), begun(OTHER), begun({"title": "Odd", "questions": [strange]})
    assert "Do you cycle?" in bank(signed_in(), survey)
