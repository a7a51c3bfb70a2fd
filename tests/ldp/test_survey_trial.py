"""A trial run of a whole survey draws forms like browsers do, and estimates what was invented."""

import itertools
import math

import pytest

from ldp import routing
from ldp.forms import definition as definitions
from ldp.forms import results as in_forms
from ldp.planning import trial
from surveys.survey.definition import build
from tests.support.form_cases import DRAFT
from tests.support.vectors import EVERY_KIND

FORMS, TOGETHER = build(DRAFT), build(EVERY_KIND)
N, ERRORS = 3000, 5  # estimates are compared at five standard errors: 6e-7 each, about 200 of them


@pytest.mark.parametrize("name", ["forms", "everyone", "routed"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])  # other luck, the same code
def test_estimates_are_about_what_was_invented(name, seed):
    definition = {"forms": FORMS, "everyone": TOGETHER, "routed": ROUTED}[name]
    run = trial.run(definition, N, seed)
    assert sum(tally.n for tally in run.tallies) == N
    questions = {question["key"]: question for question in definition["questions"]}
    seen = set()
    for result in in_forms.of_survey(definition, run.tallies, 0.95):
        question = questions[result["key"].partition(".")[0]]
        shares = run.true[result["key"]]
        seen.add(question["key"])
        for place, category in enumerate(result["methods"][0]["categories"]):
            low, width = 0.0, 1.0
            if question["kind"] == "mean":
                low, width = float(question["low"]), float(question["high"]) - float(question["low"])
            share = shares[place if len(shares) > 1 else 0]
            rare = width * math.sqrt(share * (1 - share) / category.get("n_about", N))  # where no report is otherwise
            error = max(category["population"]["standard_error"], rare)
            assert abs(category["estimate"] - (low + width * share)) <= ERRORS * error, question
    assert seen == set(questions)


ROUTED = build(
    {
        "title": "?",
        "questions": [
            {"key": "a", "kind": "multiple_choice", "text": "?", "options": ["x", "y", "z"], "alpha": 16},
            {"key": "b", "kind": "yes_no", "text": "?", "alpha": 16,
             "asked_if": {"question": "a", "options": [0, 1]}},
            {"key": "c", "kind": "single_choice", "text": "?", "options": ["p", "q", "r"], "alpha": 16,
             "asked_if": {"all": [{"question": "a", "options": [1, 2]}, {"question": "b", "options": [0]}]}},
            {"key": "d", "kind": "mean", "text": "?", "low": -5, "high": 15, "unit": "", "alpha": 16,
             "asked_if": {"any": [{"question": "b", "options": [1]}, {"question": "c", "options": [0, 1]}]}},
            {"key": "e", "kind": "grid", "text": "?", "items": ["i", "j"], "options": ["k", "l"], "alpha": 16,
             "asked_if": {"question": "c", "options": [2]}},
            {"key": "f", "kind": "ranking", "text": "?", "ranked": ["s", "t", "u"], "alpha": 16,
             "asked_if": {"question": "b", "options": [0]}},
        ],
    }
)  # fmt: skip


def test_whom_a_rule_asks_is_counted_exactly_and_the_others_count_as_the_filler():
    """Every combination of answers is enumerated: the deciding questions' chances are multiplied, and rules are applied
    as to people's answers."""
    questions = ROUTED["questions"]
    shares = trial.run(ROUTED, 1, 4).shares
    chances = dict.fromkeys("abcdef", 0.0)
    for a in itertools.product([False, True], repeat=3):
        for b, c in itertools.product(range(2), range(3)):
            chance = math.prod(p if applies else 1 - p for p, applies in zip(shares["a"], a, strict=True))
            chance *= shares["b"][b] * shares["c"][c]
            for key in routing.applicable(questions, {"a": list(a), "b": b, "c": c}):
                chances[key] += chance
    for question in questions:
        assert trial.applicable_share(questions, question, shares) == pytest.approx(chances[question["key"]], abs=1e-12)
    true = trial.true_shares(questions, shares)
    assert true["b"] == pytest.approx([chances["b"] * shares["b"][0], 1 - chances["b"] * shares["b"][0]])
    assert true["d"] == pytest.approx([chances["d"] * shares["d"][0]])
    assert (
        true["e.1"] == true["e.2"] == pytest.approx([chances["e"] * shares["e"][0], 1 - chances["e"] * shares["e"][0]])
    )
    s_before_t = shares["f"][0] / (shares["f"][0] + shares["f"][1])
    assert true["f"][0] == pytest.approx(chances["f"] * s_before_t + (1 - chances["f"]))


def test_forms_come_as_often_as_they_weigh():
    drawn = [tally.n for tally in trial.run(FORMS, 6000, 3).tallies]
    total = sum(definitions.weights(FORMS))
    for n, weight in zip(drawn, definitions.weights(FORMS), strict=True):
        p = weight / total
        assert abs(n - 6000 * p) <= ERRORS * (6000 * p * (1 - p)) ** 0.5


def test_the_same_seed_gives_the_same_people_and_another_seed_others():
    one, again, other = (trial.run(FORMS, 300, seed) for seed in (1, 1, 2))
    assert one == again and one != other


def test_a_form_that_no_one_drew_has_no_report():
    drawn = [tally.n for tally in trial.run(FORMS, 1, 1).tallies]
    assert sorted(drawn) == [0, 0, 1]


def test_so_many_people_take_part_as_answers_are_affordable():
    assert trial.affordable_survey(FORMS) == min(trial.PEOPLE_MAX, trial.ANSWERS_MAX // 3)
    keys = [f"q{k}" for k in range(200)]
    many = {
        "questions": [FORMS["questions"][0] | {"key": key} for key in keys],
        "draws": [FORMS["draws"][0] | {"questions": [key]} for key in keys],
    }
    assert trial.affordable_survey(many) == 300
