"""Two answers of which each report names one have mirrored intervals: the ends for one answer are 1 minus the ends for
the other. This holds at every total, for both targets, for one look and for all."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from ldp import mechanisms
from ldp.forms.report import alone
from ldp.inference import intervals, published
from ldp.inference.estimates import TARGETS
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.mechanisms import randomized_response
from ldp.planning import outlook, plans, stopping, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.results import results
from surveys.survey import definition

N = 23
ROUNDING = 1e-12
# Ways of asking for one of two answers, and the questions whose intervals are mirror images.
TWO = {"kind": "single_choice", "text": "?", "options": ["a", "b"], "alpha": "2"}
BINS = {"kind": "histogram", "text": "?", "edges": [0, 1, 2], "alpha": "2"}
ASKED = {
    "yes_no": ({"kind": "yes_no", "text": "?", "alpha": "2"}, 1),
    "randomized_response": (TWO | {"mechanism": "randomized_response"}, 1),
    "exponential": (TWO | {"kind": "ordered", "mechanism": "exponential"}, 1),
    "bitwise": (TWO | {"mechanism": "bitwise"}, 2),
    "laplace": (BINS | {"mechanism": "laplace"}, 2),
    "gaussian": (BINS | {"mechanism": "gaussian", "delta": "0.001"}, 2),
    "multiple_choice": (TWO | {"kind": "multiple_choice"}, 2),
    "grid": (TWO | {"kind": "grid", "items": ["x", "y", "z"]}, 3),
    "three": (TWO | {"options": ["a", "b", "c"]}, 3),
    "refusing": ({"kind": "yes_no", "text": "?", "alpha": "2", "prefer_not_to_say": True}, 3),
}
BUILT = {
    key: alone(definition.build({"title": "t", "questions": [question | {"key": "q"}]}))[0]
    for key, (question, _) in ASKED.items()
}


def totals_of(question, n):
    """Return all possible totals of a survey in which a little more than half gave the first answer."""
    randomizer = mechanisms.of(question)
    items = len(question.get("items", "x"))
    found = {}
    for name in randomizer.moments():
        own = [n // items * 6 // 10, n // items - n // items * 6 // 10] + [0] * (randomizer.d - 2)
        found[name] = own * items
    if question["mechanism"] == "multiple":
        found |= {"support": [n // 4, n // 3], "drawn": [n // 2, n - n // 2]}
    return found


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("key", ASKED)
def test_two_answers_are_one_comparison_where_one_interval_is_the_mirror_image_of_the_other_and_only_there(
    key, every_look
):
    question, together = BUILT[key], ASKED[key][1]
    for result in results(question, totals_of(question, 300), 300, 0.95, every_look):
        assert result["together"] == together
        for method in result["methods"]:
            for category in method["categories"]:
                for target in TARGETS:
                    one = category[target]
                    assert (one["simultaneous"] == one["interval"]) == (together == 1)
            if together in (1, 3) and result["d"] == 2:
                yes, no = method["categories"]
                for target in TARGETS:
                    assert yes[target]["simultaneous"] == pytest.approx(
                        [1 - end for end in reversed(no[target]["simultaneous"])], abs=1e-10
                    )


def test_plans_count_comparisons_as_the_results_do():
    for key, (_, together) in ASKED.items():
        question = BUILT[key]
        assert thirds.of_question(question).together == together, key
        randomizer = mechanisms.of(question)
        size = Size(randomizer.d, len(question.get("items", "x")), question["table"].get("sample", 1))
        assert KINDS[question["kind"]].together(size, randomizer.mirrored) == together, key


def test_a_yes_no_question_needs_as_many_people_as_one_share_does():
    """The interval has 1.96 standard errors to either side, not 2.24, so 1.31 times fewer people are enough."""
    plan = plans.plan("yes_no", 2, Fraction(1), 2000, 0.03).options[0]
    assert plan.outlook.expected.n_needed_simultaneous == plan.outlook.expected.n_needed
    people = thirds.people(PlannedQuestion("yes_no", Size(2)), Fraction(1), 0.03)
    apart = thirds.people(PlannedQuestion("multiple_choice", Size(2, 1, 2)), Fraction(1), 0.03)
    assert people == plan.outlook.expected.n_needed and apart > people
    assert (outlook.quantile(0.95, 2) / outlook.quantile(0.95)) ** 2 == pytest.approx(1.308, abs=0.001)
    question = BUILT["yes_no"]
    once, always = plans.informative_n(question, 0.95), stopping.reports_needed(question, 0.25, 0.95)
    assert once < always


@pytest.mark.alike
@pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(1), Fraction(16)])
@pytest.mark.parametrize("target", TARGETS)
def test_both_intervals_of_two_answers_cover_together_as_often_as_stated(alpha, target):
    """All outcomes are summed, for every number of people among 23, and for shares of a population between."""
    moments = moments_of("randomized_response", alpha)
    spans = published.of(moments, N)
    held = [[spans.interval([total, N - total], j, 0.95, target) for j in (0, 1)] for total in range(N + 1)]
    p, q = float(moments.a), float(moments.b)
    for m in range(N + 1):
        share = m / N
        if target == "population":
            law = binom.pmf(range(N + 1), N, q + (p - q) * share)
        else:
            law = np.convolve(binom.pmf(range(m + 1), m, p), binom.pmf(range(N - m + 1), N - m, q))
        both = [
            one.low - ROUNDING <= share <= one.high + ROUNDING
            and other.low - ROUNDING <= 1 - share <= other.high + ROUNDING
            for one, other in held
        ]
        assert law[both].sum() >= 0.95 - 1e-12


def moments_of(way, alpha):
    """Return the moments of a yes/no question's channel: asked alone, or drawn with one of three answers."""
    table = randomized_response.table(alpha, 2)
    if way == "together":
        table = randomized_response.marginal(randomized_response.table(alpha, (2, 3)), 0)
    return randomized_response.moments(table, 2)["support"]


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("way", ["alone", "together"])
def test_the_intervals_of_two_answers_are_mirror_images(way, alpha, every_look):
    spans = published.of(moments_of(way, alpha), N, every_look)
    for target in TARGETS:
        for confidence in (0.95, intervals.bonferroni(0.95, 2)):
            for total in range(N + 1):
                yes, no = (spans.interval([total, N - total], j, confidence, target) for j in (0, 1))
                assert yes.low == pytest.approx(1 - no.high, abs=ROUNDING)
                assert yes.high == pytest.approx(1 - no.low, abs=ROUNDING)
