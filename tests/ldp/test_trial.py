"""A trial run uses the real mechanisms, packing and tally, and its estimates are about the typed shares."""

import random

import numpy as np
import pytest

from ldp import kinds, mechanisms, privatize, results
from ldp.forms.report import alone
from ldp.planning import trial
from ldp.question import CHANNEL
from ldp.tally import Batch
from surveys.survey.definition import build
from surveys.survey.definition.layout import Layout
from tests.support.vectors import EVERY_KIND

QUESTIONS = {question["key"]: question for question in alone(build(EVERY_KIND))}
every_question = pytest.mark.parametrize("key", QUESTIONS)

# Estimates are compared at five standard errors: 6e-7 each, about 70 of them.
ERRORS = 5


@every_question
def test_the_totals_are_those_of_the_same_reports_sent_and_stored(key):
    """The same answers and uniform integers go through privatize and the layout of a survey of one question."""
    question = QUESTIONS[key]
    chance, again = random.Random(5), random.Random(5)
    answers = [kinds.of(question).random_answer(question, random.Random(k)) for k in range(60)]
    draw = {name: value for name, value in question.items() if name in CHANNEL} | {"questions": [key]}
    layout = Layout({"questions": [question], "draws": [draw]})
    packed = []
    for answer in answers:
        value = privatize.randomize(question, answer, lambda: chance.getrandbits(53))
        packed.append(np.frombuffer(layout.pack({key: value}), dtype=np.uint8))
    expected = mechanisms.of(question).tally(Batch(np.array(packed)).field(0, layout.bits))

    def tallied(answer):
        given = kinds.of(question).answer(question, answer, lambda: again.getrandbits(53))
        return trial.tally(question, [given], lambda: again.getrandbits(53))

    each = [tallied(answer) for answer in answers]
    for method, totals in expected.items():
        assert totals == np.sum([one[method] for one in each], axis=0).tolist()


@every_question
def test_the_estimates_are_about_what_was_typed(key):
    question, kind = QUESTIONS[key], kinds.of(QUESTIONS[key])
    count, n = kind.parameters(question), 3000
    shares = [(k + 1) / sum(range(1, count + 1)) for k in range(count)] if count > 1 else [0.3]
    for result in results.results(question, trial.totals(question, shares, n, 11), n, 0.95):
        names, true = question.get("options", ["mean"]), kind.true_shares(question, shares)
        low, width = (
            (float(question["low"]), float(question["high"]) - float(question["low"])) if count == 1 else (0, 1)
        )
        for category in result["methods"][0]["categories"]:
            truth = low + width * true[names.index(category["option"])]
            error = category["population"]["standard_error"]
            assert abs(category["estimate"] - truth) <= ERRORS * error


def test_the_same_seed_gives_the_same_people_and_another_seed_others():
    question = QUESTIONS["few"]
    first, same, other = (trial.totals(question, [0.2, 0.3, 0.5], 500, seed) for seed in (3, 3, 4))
    assert first == same != other


@every_question
def test_the_cost_of_a_trial_is_bounded(key):
    """The number of uniform integers is bounded for every question."""
    question = QUESTIONS[key]
    n, drawn = trial.affordable(question), [0]
    chance = random.Random(2)

    def counted():
        drawn[0] += 1
        return chance.getrandbits(53)

    answer = kinds.of(question).random_answer(question, chance)
    for _ in range(20):
        privatize.randomize(question, answer, counted)
    # If a uniform choice is rejected and drawn again, a report may take a few more.
    assert 1000 <= n <= trial.PEOPLE_MAX and n * drawn[0] / 20 <= 1.2 * trial.DRAWS_MAX
