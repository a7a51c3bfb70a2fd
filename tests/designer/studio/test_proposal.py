"""The page about privacy begins with a total and a number of people. The proposal is ldp's, the applied proposal is the
shown one, and questions can move between forms."""

import re

import pytest

from surveys.drafts.forms import keys_of
from surveys.life.lifecycle import open_survey
from surveys.survey.definition import alpha_total, build
from tests.support.alpha import begun, get, plot_of, post, proposal_mark_of, said, words
from tests.support.builder import FRAGMENTS, undo
from tests.support.drawn import drawn
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db

SIX = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(6)]
PLAIN = [
    {name: value for name, value in question.items() if name not in ("alpha", "mechanism", "delta")} | {"alpha": "1"}
    for question in EVERY_KIND["questions"]
]


def taken(client, survey, query="?plan=1&total=2", which="proposal"):
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    return post(client, survey, query, do="apply", which=which, mark=proposal_mark_of(page))


def forms_mark(client, survey):
    return re.search(r'name="mark" value="(\w+)"><input type="hidden" name="key"', get(client, survey))[1]


def move(client, survey, key, to, **fields):
    fields = {"mark": forms_mark(client, survey)} | fields
    return post(client, survey, do="move", key=key, to=to, **fields)


def homes(survey):
    return [keys_of(form) for form in survey.draft.get("forms", [])]


# Forms ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def survey(client, ada):
    """Return a survey of three forms, each with two questions that are randomized together."""
    survey = begun(ada, SIX, 3000)
    draws = [{"questions": [f"q{k}", f"q{k + 1}"], "alpha": "2"} for k in (0, 2, 4)]
    survey.draft["forms"] = [{"weight": 1, "draws": [draw]} for draw in draws]
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    return survey


def test_a_question_is_moved_and_the_cost_is_seen(client, survey):
    response = move(client, survey, "q0", "1")
    assert said(response) == ["Moved “Question 0?” to form 2."]
    assert homes(survey) == [["q1"], ["q0", "q2", "q3"], ["q4", "q5"]] and alpha_total(build(survey.draft)) == "2"
    text = words(response.content.decode())
    assert "Form 1 about 1,000 people" in text and "2 Question 1? alpha 2 moderate" in text
    undo(client, survey)
    survey.refresh_from_db()
    assert homes(survey) == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]]


def test_who_is_moved_to_everyone_comes_on_top(client, survey):
    response = move(client, survey, "q0", "everyone")
    assert said(response) == ["Everyone is asked “Question 0?”."]
    assert "3 alpha of a report, at most weak" in words(response.content.decode())


def test_questions_are_randomized_together_and_separately(client, survey):
    mark = forms_mark(client, survey)
    response = post(client, survey, do="separately", mark=mark, form="1", key=["q0", "q1"])
    assert said(response) == ["Randomized separately: “Question 0?” and “Question 1?”."]
    assert survey.draft["forms"][0]["draws"] == [{"questions": [key], "alpha": "1"} for key in ("q0", "q1")]
    post(client, survey, do="together", mark=forms_mark(client, survey), form="1", key=["q0", "q1"])
    assert survey.draft["forms"][0]["draws"] == [{"questions": ["q0", "q1"], "alpha": "2"}]
    move(client, survey, "q0", "everyone")
    move(client, survey, "q2", "everyone")
    post(client, survey, do="together", mark=forms_mark(client, survey), form="0", key=["q0", "q2"])
    assert survey.draft["draws"] == [{"questions": ["q0", "q2"], "alpha": "2"}]
    assert alpha_total(build(survey.draft)) == "4", "a draw counts once"
    assert "Randomized together, alpha 2" in words(get(client, survey))


def test_a_question_is_asked_in_a_further_form_and_leaves_one(client, survey):
    response = move(client, survey, "q0", "also:1", at="1")
    assert said(response) == ["Form 2 asks “Question 0?” too."]
    assert homes(survey) == [["q0", "q1"], ["q0", "q2", "q3"], ["q4", "q5"]] and alpha_total(build(survey.draft)) == "2"
    text = words(response.content.decode())
    assert "also in form 2" in text and "also in form 1" in text
    page = words(get(client, survey, question="q0", form="2"))
    assert "Several forms ask it: form 1 with alpha 2 , form 2 with alpha 2" in page
    assert said(move(client, survey, "q0", "leave:", at="1")) == ["Took “Question 0?” out of form 1."]
    assert homes(survey) == [["q1"], ["q0", "q2", "q3"], ["q4", "q5"]]


def test_a_form_gets_another_alpha_and_weight(client, survey):
    fields = {"do": "arrange", "form": "1", "alpha": "1,5", "weight": "4"}
    response = post(client, survey, mark=forms_mark(client, survey), **fields)
    assert said(response) == ["Saved: form 1."]
    assert survey.draft["forms"][0] == {"weight": 4, "draws": [{"questions": ["q0", "q1"], "alpha": "1.5"}]}
    assert "Form 1 about 2,000 people, 66.7%" in words(response.content.decode())


@pytest.mark.parametrize(
    "fields", [{"alpha": "x"}, {"weight": "0"}, {"weight": "10001"}, {"alpha": "17"}, {"form": "9"}]
)
def test_a_form_that_cannot_be_is_not_saved(client, survey, fields):
    before = survey.draft
    right = {"do": "arrange", "form": "1", "alpha": "2", "weight": "1"}
    response = post(client, survey, mark=forms_mark(client, survey), **(right | fields))
    assert survey.draft == before and not said(response)[0].startswith("Saved")


def test_a_script_gets_the_forms_and_what_was_done(client, survey):
    fields = {"do": "move", "key": "q0", "to": "1", "mark": forms_mark(client, survey)}
    answer = client.post(f"/surveys/{survey.pk}/alpha/", fields, headers=FRAGMENTS)
    page = answer.content.decode()
    assert answer.headers["X-Fragments"] == "1" and '<p id="announcer">Moved “Question 0?” to form 2.</p>' in page
    assert 'id="forms"' in page and 'id="undo-bar"' in page and "<html" not in page
    again = client.post(f"/surveys/{survey.pk}/alpha/", fields, headers=FRAGMENTS).content.decode()
    assert "Someone else changed this in the meantime" in again


def test_a_form_that_gets_too_few_reports_says_so(client, ada):
    survey = begun(ada, SIX, 3000)
    taken(client, survey)
    post(client, survey, do="expect", n="200")
    assert "Forms with fewer than 200 expected reports have no results before the end." in get(client, survey)


def test_too_many_combinations_are_said_beside_the_form(client, ada):
    scale = {"kind": "single_choice", "options": [*"abcdefghijklmnopqrst"]}
    questions = [{"key": f"q{k}", "text": "?"} | scale for k in range(4)]
    survey = begun(ada, [*questions, SIX[5] | {"alpha": "1"}])
    survey.draft = drawn(
        survey.draft | {"forms": [{"questions": ["q0", "q1", "q2", "q3"], "alpha": "1"}, {"questions": ["q5"]}]}
    )
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    assert "too many combinations of answers" in get(client, survey)


# One question of a joint form -----------------------------------------------------------------------------------------


def test_a_question_drawn_with_others_shows_what_its_answer_goes_through(client, survey):
    page = get(client, survey, question="q0")
    text = words(page)
    assert "randomized together with others, 2 questions under one alpha" in text
    assert "About 1,000 of 3,000 people are asked." in text and "±5.2 points" in text
    assert "Alpha of all 2 questions" in text and "people in all make this answer precise to 5 points." in text
    assert "Save alpha" not in text and "Any two give the third" not in text
    [same, other] = re.findall(r"<figcaption>.*?<b>(\d+)</b>", page)
    assert (same, other) == ("81", "19"), "as often as its own channel keeps it"
    mark = re.search(r'name="mark" value="(\w+)"', get(client, survey, question="q0", alpha="3"))[1]
    assert said(post(client, survey, "?question=q0", do="save", alpha="3", mark=mark)) == ["Saved: alpha 3."]
    assert survey.draft["forms"][0]["draws"] == [{"questions": ["q0", "q1"], "alpha": "3"}]


def test_a_trial_of_a_joint_question_goes_through_its_channel(client, survey):
    page = get(client, survey, question="q0", trial="1", share=["30", "70"], seed="4")
    assert "2 of 2 intervals hold the truth" in words(page)
    assert client.get(plot_of(survey, "question=q0&trial=1&seed=4", "q0")).status_code == 200


def test_an_opened_survey_shows_its_forms_and_nothing_to_press(client, survey):
    drafted = words(get(client, survey))
    open_survey(survey)
    page = get(client, survey)
    shown = words(page)
    assert 'name="do"' not in page and "2 alpha of a report, at most moderate" in shown
    for sentence in ("Form 1 about 1,000 people, 33.3%", "Randomized together, alpha 2"):
        assert sentence in drafted and sentence in shown
    assert "±5.2 points" in words(get(client, survey, question="q0"))
