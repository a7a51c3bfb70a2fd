"""A trial run of a whole survey: forms are drawn as they are by browsers, and estimates are about what was invented."""

import pytest

from ldp import kinds
from ldp.forms import definition as definitions
from ldp.forms import results as in_forms
from ldp.planning import survey_trial, trial
from surveys.definition import build
from tests.support.form_cases import DRAFT
from tests.support.vectors import EVERY_KIND

FORMS, TOGETHER = build(DRAFT), build(EVERY_KIND)
N, ERRORS = 3000, 5  # estimates are compared at five standard errors: 6e-7 each, about 200 of them


@pytest.mark.parametrize("definition", [FORMS, TOGETHER], ids=["forms", "everybody"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])  # other luck, the same code
def test_estimates_are_about_what_was_invented(definition, seed):
    run = survey_trial.run(definition, N, seed)
    assert sum(tally.n for tally in run.tallies) == N
    questions = {question["key"]: question for question in definition["questions"]}
    seen = set()
    for result in in_forms.of_survey(definition, run.tallies, 0.95):
        question = questions[result["key"].partition(".")[0]]
        shares = kinds.of(question).true_shares(question, run.shares[question["key"]])
        seen.add(question["key"])
        if "asked_if" in question:
            continue
        for place, category in enumerate(result["methods"][0]["categories"]):
            low, width = 0.0, 1.0
            if question["kind"] == "mean":
                low, width = float(question["low"]), float(question["high"]) - float(question["low"])
            truth = low + width * shares[place if len(shares) > 1 else 0]
            assert abs(category["estimate"] - truth) <= ERRORS * category["population"]["standard_error"], question
    assert seen == set(questions)


def test_forms_come_as_often_as_they_weigh():
    drawn = [tally.n for tally in survey_trial.run(FORMS, 6000, 3).tallies]
    total = sum(definitions.weights(FORMS))
    for n, weight in zip(drawn, definitions.weights(FORMS), strict=True):
        p = weight / total
        assert abs(n - 6000 * p) <= ERRORS * (6000 * p * (1 - p)) ** 0.5


def test_the_same_seed_gives_the_same_people_and_another_seed_others():
    one, again, other = (survey_trial.run(FORMS, 300, seed) for seed in (1, 1, 2))
    assert one == again and one != other


def test_a_form_that_nobody_drew_has_no_report():
    drawn = [tally.n for tally in survey_trial.run(FORMS, 1, 1).tallies]
    assert sorted(drawn) == [0, 0, 1]


def test_so_many_people_take_part_as_answers_are_affordable():
    assert survey_trial.affordable(FORMS) == min(trial.PEOPLE_MAX, survey_trial.ANSWERS_MAX // 3)
    many = {"questions": [FORMS["questions"][0] | {"key": f"q{k}"} for k in range(200)]}
    assert survey_trial.affordable(many) == 300
