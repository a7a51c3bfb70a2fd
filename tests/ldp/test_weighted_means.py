"""Means of weighted questions (M41): enumerated where exact, and against simulation."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossings_coverage import question, sent
from ldp.forms.crossed import of_reports
from ldp.inference.variables import pair_of, variable
from ldp.mechanisms import one_bit
from ldp.regression.factors import factors
from ldp.regression.sample import Tabulation
from ldp.weighting import margin, mean, raking
from tests.ldp.test_weighting import KNOWN, RESPONDENTS, enumerated, phis

# The last answer, "prefer not to say", has no number.
ANSWERS = np.array([[0.40, 0.30, 0.20, 0.10], [0.20, 0.30, 0.30, 0.20], [0.05, 0.15, 0.70, 0.10]])
LAW = RESPONDENTS[:, None] * ANSWERS
IN_POPULATION = KNOWN @ ANSWERS
PAIRS = [
    ("randomized_response", "randomized_response 2"),
    ("bitwise", "bitwise"),
    ("bitwise", "exponential"),
    ("exponential", "randomized_response"),
]


def scaled(variable, **fields):
    """Return the variable as a question of another kind, with the same mechanism."""
    variable.question.update({"kind": "ordered", "prefer_not_to_say": True} | fields)
    return variable


@pytest.mark.parametrize("mechanisms", PAIRS, ids="-".join)
def test_the_mean_of_what_is_expected_is_the_truth_and_moves_as_its_score(mechanisms):
    found, (one, other, chances) = enumerated(mechanisms, (3, 4), LAW, 10**6)
    weighted = margin.weighted(found, KNOWN)
    got = mean.mean(scaled(found.second), weighted)
    ranks = np.array([1, 2, 3])
    truth = ranks @ IN_POPULATION[:3] / IN_POPULATION[:3].sum()
    among = RESPONDENTS @ ANSWERS
    assert got.estimates == pytest.approx((truth, truth), abs=1e-12)
    assert got.unweighted[0] == pytest.approx(ranks @ among[:3] / among[:3].sum())
    strata, answers = phis(found.first, one), phis(found.second, other)
    ratio = np.array(KNOWN) / RESPONDENTS
    u = answers[None] * (1 + strata @ (ratio - 1))[:, None, None] - ((strata * ratio) @ ANSWERS)[:, None]
    sums = np.append(ranks - 2.0, truth - 2.0) / (1 - IN_POPULATION[3])
    score = u @ sums
    centred = score - (score * chances).sum()
    assert got.standard_error * 1000 == pytest.approx(float(np.sqrt((centred**2 * chances).sum())), rel=1e-9)
    [law] = weighted.sums(sums[:, None])
    assert law.least <= score.min() + 1e-9 and law.largest >= score.max() - 1e-9
    assert (law.least, law.largest) == pytest.approx((score.min(), score.max()))


def test_of_bins_the_interval_holds_the_means_of_lower_and_of_upper_edges():
    found, _ = enumerated(("randomized_response", "bitwise"), (3, 4), LAW, 10**5)
    edges = {"kind": "histogram", "edges": ["0", "10", "20", "40", "100"], "unit": "km", "prefer_not_to_say": False}
    got = mean.mean(scaled(found.second, **edges), margin.weighted(found, KNOWN))
    low, high = np.array([0, 10, 20, 40]) @ IN_POPULATION, np.array([10, 20, 40, 100]) @ IN_POPULATION
    assert got.estimates == pytest.approx((low, high))
    assert got.interval(0.9).low < low < high < got.interval(0.9).high
    assert got.numbers.unit == "km" and got.effective_n < 10**5


def test_where_hardly_anyone_gave_an_answer_there_is_no_mean():
    rare = np.column_stack((ANSWERS[:, :3] / 300, 1 - ANSWERS[:, :3].sum(axis=1) / 300))
    found, _ = enumerated(("randomized_response", "bitwise"), (3, 4), RESPONDENTS[:, None] * rare, 2000)
    assert mean.mean(scaled(found.second), margin.weighted(found, KNOWN)) is None


@pytest.mark.statistical
@pytest.mark.parametrize(("mechanisms", "alpha", "n"), [(PAIRS[0], "4", 500), (PAIRS[1], "2", 4000)])
def test_the_interval_holds_as_often_as_it_says(nightly, mechanisms, alpha, n):
    """Luck fails the test once in 10,000 runs."""
    surveys, generator, held = 2000 if nightly else 250, np.random.default_rng(43), []
    pair = [question(key, name, d, alpha) for key, name, d in zip("ab", mechanisms, (3, 4), strict=True)]
    first, second = pair_of(pair, "a", "b")
    scaled(second)
    truth = np.array([1, 2, 3]) @ IN_POPULATION[:3] / IN_POPULATION[:3].sum()
    for _ in range(surveys):
        people = generator.choice(12, n, p=LAW.ravel())
        tables = [sent(each.question, x, generator) for each, x in zip((first, second), divmod(people, 4), strict=True)]
        found = of_reports(first, second, [tuple(tables)])
        if not found.too_small[0].any():
            low, high = mean.mean(second, margin.weighted(found, KNOWN)).interval(0.95)
            held.append(low <= truth <= high)
    assert len(held) > surveys / 2
    assert stats.binomtest(sum(held), len(held), 0.95, alternative="less").pvalue > 1e-4


def test_a_mean_by_one_bit_is_weighted_like_a_share():
    """Strata of another question answer 2, 4 and 8 of 0 to 10 on average."""
    generator, n = np.random.default_rng(5), 60_000
    height = {"key": "b", "kind": "mean", "text": "?", "alpha": "4", "mechanism": "one_bit", "low": "0", "high": "10"}
    height |= {"unit": "cm", "prefer_not_to_say": False, "table": one_bit.table(Fraction(4), 2)}
    own = [variable([question("a", "randomized_response", 3, "4")], "a"), variable([height], "b", means=True)]
    strata = generator.choice(3, n, p=RESPONDENTS)
    up = generator.random(n) < np.array([0.2, 0.4, 0.8])[strata]
    a, b = float(own[1].moments.a), float(own[1].moments.b)
    bits = (generator.random(n) < np.where(up, a, b)).astype(np.int16)[:, None]
    tabulation = Tabulation(factors(own))
    tabulation.add([sent(own[0].question, strata, generator), bits])
    got = mean.mean(own[1], raking.raked(tabulation.sample(), own, [KNOWN]))
    truth = 10 * float(np.array(KNOWN) @ [0.2, 0.4, 0.8])
    assert abs(got.estimates[0] - truth) < 4 * got.standard_error < 0.5
    assert got.unweighted[0] == pytest.approx(10 * float(RESPONDENTS @ [0.2, 0.4, 0.8]), abs=0.2)
