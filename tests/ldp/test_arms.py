"""Two versions of a question, drawn by lot. The tests check the number of people that a difference needs, and that its
interval and test keep their promise under the draw of the forms (M38, M42b)."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldp.inference.reading import apart
from ldp.inference.tallied import Tallied
from ldp.mechanisms import of
from ldp.planning import arms, share_comparisons
from ldp.planning.arms import Arm
from surveys.survey.definition import questions

THIRDS = Fraction(2, 3), Fraction(1, 3)


def question(alpha, kind="yes_no", **fields):
    return questions.build({"key": "a", "kind": kind, "text": "?", "alpha": alpha} | fields, "question")


def two_thirds(kind="yes_no", alphas=("1", "4"), **fields):
    return [Arm(question(alpha, kind, **fields), part) for alpha, part in zip(alphas, THIRDS, strict=True)]


def test_the_design_has_these_figures():
    """M42 states these figures for versions of alpha 1 and 4, two thirds of people with the first. At a power of .8,
    n = 2,011 (rounded down) shows 10 points, and four times as many show 5 points. The exact test needs a few more."""
    design = arms.design(*two_thirds())
    assert share_comparisons.needed(design.normal, 0.1, 0.05, 0.8) == 2012
    assert share_comparisons.needed(design.normal, 0.05, 0.05, 0.8) == 8047 == pytest.approx(8044, rel=0.001)
    assert share_comparisons.needed(design, 0.1, 0.05, 0.8) == 2073
    assert share_comparisons.needed(design, 0.05, 0.05, 0.8) == 8171


def test_the_variance_is_the_sum_of_both_over_their_parts():
    """Both shares are one half. Randomized response leaves tanh(alpha/2) of a difference."""
    variance = sum(0.25 / float(part) / np.tanh(alpha / 2) ** 2 for alpha, part in zip((1, 4), THIRDS, strict=True))
    assert arms.design(*two_thirds()).variance(0.0) == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("single_choice", {"options": ["a", "b", "c", "d"]}),
        ("ordered", {"options": ["a", "b", "c"], "mechanism": "exponential"}),
        ("multiple_choice", {"options": ["a", "b", "c"]}),
        ("ranking", {"ranked": ["a", "b", "c"]}),
        ("grid", {"options": ["a", "b"], "items": ["x", "y", "z"], "sample": 2}),
        ("histogram", {"edges": ["0", "1", "2", "3"]}),
        ("histogram", {"edges": ["0", "1", "2", "3"], "mechanism": "laplace"}),
        ("mean", {"low": "0", "high": "9", "mechanism": "one_bit"}),
    ],
)
def test_every_kind_has_a_number_that_falls_with_alpha(kind, fields):
    needed = [
        share_comparisons.needed(arms.design(*two_thirds(kind, alphas, **fields)), 0.2, 0.05, 0.8)
        for alphas in (("1", "4"), ("2", "4"))
    ]
    assert needed[0] > needed[1] > 20


def test_of_a_mean_with_noise_of_many_values_no_number_is_given():
    assert arms.design(*two_thirds("mean", low="0", high="9", mechanism="laplace_mean")) is None


def rows(totals, ns, versions):
    for total, n, arm in zip(totals, ns, versions, strict=True):
        name, moments = of(arm.question).default()
        yield Tallied(moments, of(arm.question).pairs()[name], [total, n - total], n), 0


@pytest.mark.slow
@pytest.mark.parametrize(("difference", "n"), [(0.1, 2073), (0.1, 1000), (-0.2, 520)])
def test_the_planned_power_is_that_of_simulated_surveys(difference, n):
    """Forms are drawn by lot, so the two numbers of reports differ. The tolerance is .03 plus the chance error of 1,500
    surveys: one of the three tests fails by luck once in 5,000 seeds."""
    versions, rng, surveys = two_thirds(), np.random.default_rng(8), 1500
    moments = [of(arm.question).default()[1] for arm in versions]
    shares, shown = (0.5 + difference / 2, 0.5 - difference / 2), 0
    for first in rng.binomial(n, 2 / 3, surveys):
        ns = (int(first), n - int(first))
        chances = [float(m.b + (m.a - m.b) * Fraction(share)) for m, share in zip(moments, shares, strict=True)]
        totals = [int(rng.binomial(k, chance)) for k, chance in zip(ns, chances, strict=True)]
        shown += apart.p_value(*rows(totals, ns, versions), 0.95) <= 0.05
    planned = share_comparisons.power(arms.design(*versions), difference, 0.05, n)
    assert abs(shown / surveys - planned) < 0.03 + 4 * (0.25 / surveys) ** 0.5 / 2


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_no_law_of_answers_is_covered_less_often_than_promised(confidence):
    """The chances of every split of nine people and of every outcome are summed."""
    versions, n = two_thirds(), 9
    moments = [of(arm.question).default()[1] for arm in versions]
    splits = [(k, n - k) for k in range(1, n)]
    spans = {
        (ns, totals): apart.interval(*rows(totals, ns, versions), confidence)
        for ns in splits
        for totals in product(range(ns[0] + 1), range(ns[1] + 1))
    }
    for shares in product((0.0, 0.2, 0.5, 0.9, 1.0), repeat=2):
        chances = [float(m.b + (m.a - m.b) * Fraction(share)) for m, share in zip(moments, shares, strict=True)]
        for ns in splits:
            missed = sum(
                stats.binom.pmf(totals[0], ns[0], chances[0]) * stats.binom.pmf(totals[1], ns[1], chances[1])
                for totals in product(range(ns[0] + 1), range(ns[1] + 1))
                if not spans[ns, totals].low - 1e-12 <= shares[0] - shares[1] <= spans[ns, totals].high + 1e-12
            )
            assert missed <= 1 - confidence + 1e-12
