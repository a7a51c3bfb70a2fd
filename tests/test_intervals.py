"""Intervals cover what they promise: exactly computed where the law is finite, simulated where it is not (M15)."""

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp import intervals
from ldp.estimates import TARGETS, shares
from ldp.mechanisms import MECHANISMS
from ldp.tally import totals

CONFIDENCE = 0.95
PERCENT = Fraction(1, 100)


def _law(name, alpha, d=2, method=None):
    laws = MECHANISMS[name].laws(MECHANISMS[name].table(Fraction(alpha), d), d)
    return laws[method] if method else next(iter(laws.values()))


@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_exact_interval_never_covers_a_population_share_less_than_promised(alpha, n):
    """The coverage is a finite sum over all totals: no simulation, no tolerance."""
    law = _law("bitwise", alpha)
    found = [intervals.exact(total, n, law, CONFIDENCE, "population") for total in range(n + 1)]
    for share in (0, 0.01, 0.05, 0.2, 0.5, 0.9, 1):
        pi = float(law.b + law.gap * Fraction(share))
        weights = stats.binom.pmf(np.arange(n + 1), n, pi)
        coverage = sum(w for w, (low, high) in zip(weights, found, strict=True) if low <= share <= high)
        assert coverage >= CONFIDENCE - 1e-12


@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_exact_interval_never_covers_the_respondents_share_less_than_promised(alpha, n):
    law = _law("bitwise", alpha)
    found = [intervals.exact(total, n, law, CONFIDENCE, "respondents") for total in range(n + 1)]
    for m in {0, 1, n // 20, n // 5, n // 2, n}:
        yes = stats.binom.pmf(np.arange(m + 1), m, float(law.a))
        no = stats.binom.pmf(np.arange(n - m + 1), n - m, float(law.b))
        weights = np.convolve(yes, no)
        coverage = sum(w for w, (low, high) in zip(weights, found, strict=True) if low <= m / n <= high)
        assert coverage >= CONFIDENCE - 1e-12


def test_respondents_interval_is_the_whole_set_of_shares_that_are_not_refused():
    """The search by galloping finds what trying every m finds."""
    law, n = _law("randomized_response", "1", 3), 60
    for total in range(n + 1):
        kept = [
            m for m in range(n + 1) if min(intervals._tails(total, n, m, law)) > (1 - CONFIDENCE) / 2
        ]  # fmt: skip
        low, high = intervals.exact(total, n, law, CONFIDENCE, "respondents")
        if kept:
            assert (round(low * n), round(high * n)) == (kept[0], kept[-1])
        else:
            assert low == high and low in (0.0, 1.0)


def test_exact_interval_is_clopper_and_pearson_mapped():
    law, n, total = _law("randomized_response", "1"), 100, 45
    pearson = stats.binomtest(total, n).proportion_ci(CONFIDENCE, method="exact")
    low, high = intervals.exact(total, n, law, CONFIDENCE, "population")
    assert low == pytest.approx((pearson.low - float(law.b)) / float(law.gap))
    assert high == pytest.approx((pearson.high - float(law.b)) / float(law.gap))


def test_score_interval_is_wilson_mapped_for_scores_of_zero_and_one():
    law, n, total = _law("randomized_response", "1"), 100, 45
    wilson = stats.binomtest(total, n).proportion_ci(CONFIDENCE, method="wilson")
    low, high = intervals.score(total, n, law, CONFIDENCE, "population")
    assert low == pytest.approx((wilson.low - float(law.b)) / float(law.gap))
    assert high == pytest.approx((wilson.high - float(law.b)) / float(law.gap))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("method", ["threshold", "sum"])
def test_intervals_lie_in_the_unit_interval_whatever_the_total(target, method):
    law = _law("laplace", "1", 4, method)
    for n in (1, 7, 1000):
        for total in range(0, n + 1) if method == "threshold" else range(-64 * n, 64 * n, n):
            low, high = intervals.interval(total, n, law, CONFIDENCE, target)
            assert 0 <= low <= high <= 1


def test_respondents_interval_is_narrower_than_the_population_interval():
    law, n = _law("bitwise", "2"), 500
    for total in range(120, 380, 20):
        population = intervals.exact(total, n, law, CONFIDENCE, "population")
        respondents = intervals.exact(total, n, law, CONFIDENCE, "respondents")
        assert respondents.high - respondents.low <= population.high - population.low + 1 / n


@pytest.mark.parametrize("total", [-1, 11, 5.5])
def test_exact_interval_refuses_what_is_no_total(total):
    if total == 5.5:
        with pytest.raises(ValueError, match="0 or 1"):
            intervals.exact(5, 10, _law("laplace", "1", 3, "sum"), CONFIDENCE, "population")
    else:
        with pytest.raises(ValueError, match="total"):
            intervals.exact(total, 10, _law("bitwise", "1"), CONFIDENCE, "population")


# Simulation: 200 surveys through the exact samplers, the tally and the estimation -------------------------------------

SURVEYS, RESPONDENTS, D = 200, 300, 4
TRUE = [0.5, 0.3, 0.2, 0.0]

# With coverage exactly .95, fewer than 179 of 200 happens in 4.7e-4 of all seeds (Binomial(200, .95) at most 178); six
# tests together would fail by luck for one seed in 350. The seed is fixed, so a passing run keeps passing.
COVERED_MIN = 179


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_simultaneous_intervals_cover_all_shares_together(name, target):
    mechanism, alpha = MECHANISMS[name], Fraction(1)
    table = mechanism.table(alpha, D)
    laws, encode, width = mechanism.laws(table, D), mechanism.encoder(D, table), mechanism.width(D, table)
    chance = random.Random(f"{name} {target}")
    uniform = lambda: chance.getrandbits(53)  # noqa: E731
    together = intervals.bonferroni(CONFIDENCE, D)
    covered = dict.fromkeys(laws, 0)
    for _ in range(SURVEYS):
        if target == "population":
            people = chance.choices(range(D), TRUE, k=RESPONDENTS)
        else:
            people = [j for j in range(D) for _ in range(round(TRUE[j] * RESPONDENTS))]
        codes = [encode(mechanism.randomize(person, D, table, uniform)) for person in people]
        bits = np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)
        for method, scores in totals(bits, name, D, table).items():
            found = [intervals.interval(s, RESPONDENTS, laws[method], together, target) for s in scores]
            covered[method] += all(low <= true <= high for true, (low, high) in zip(TRUE, found, strict=True))
            assert shares(scores, RESPONDENTS, laws[method]).shape == (D,)
    assert min(covered.values()) >= COVERED_MIN, covered
