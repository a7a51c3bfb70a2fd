"""Intervals cover what they promise: computed exactly if the law is finite, otherwise simulated (M15)."""

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from benchmarks import comparison
from benchmarks import interval_methods as coverage
from ldp.inference import convolution, intervals, published
from ldp.inference.convolution import TotalLaw
from ldp.inference.estimates import TARGETS
from ldp.mechanisms import FITTING, MECHANISMS
from ldp.scores import ScoreMoments
from ldp.tally import Field

CONFIDENCE = 0.95
PERCENT = Fraction(1, 100)


def _law(name, alpha, d=2, method=None):
    moments = MECHANISMS[name].moments(MECHANISMS[name].table(Fraction(alpha), d), d)
    return moments[method] if method else next(iter(moments.values()))


@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_exact_interval_never_covers_a_population_share_less_than_promised(alpha, n):
    """The coverage is a finite sum over all totals, without simulation or tolerance."""
    moments = _law("bitwise", alpha)
    found = [intervals.exact(total, n, moments, CONFIDENCE, "population") for total in range(n + 1)]
    for share in (0, 0.01, 0.05, 0.2, 0.5, 0.9, 1):
        pi = float(moments.b + moments.gap * Fraction(share))
        weights = stats.binom.pmf(np.arange(n + 1), n, pi)
        coverage = sum(w for w, (low, high) in zip(weights, found, strict=True) if low <= share <= high)
        assert coverage >= CONFIDENCE - 1e-12


@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
@pytest.mark.parametrize("n", [1, 20, 200])
def test_exact_interval_never_covers_the_respondents_share_less_than_promised(alpha, n):
    moments = _law("bitwise", alpha)
    found = [intervals.exact(total, n, moments, CONFIDENCE, "respondents") for total in range(n + 1)]
    for m in {0, 1, n // 20, n // 5, n // 2, n}:
        yes = stats.binom.pmf(np.arange(m + 1), m, float(moments.a))
        no = stats.binom.pmf(np.arange(n - m + 1), n - m, float(moments.b))
        weights = np.convolve(yes, no)
        coverage = sum(w for w, (low, high) in zip(weights, found, strict=True) if low <= m / n <= high)
        assert coverage >= CONFIDENCE - 1e-12


def test_respondents_interval_is_the_whole_set_of_shares_that_are_not_refused():
    """The galloping search finds the same as trying every m."""
    moments, n = _law("randomized_response", "1", 3), 60

    def kept(total):
        return [m for m in range(n + 1) if min(intervals.tails(total, n, m, moments)) > (1 - CONFIDENCE) / 2]

    for total in range(n + 1):
        low, high = intervals.exact(total, n, moments, CONFIDENCE, "respondents")
        # If the estimate is impossible, also the shares not rejected at the nearest possible one.
        every = kept(total) + kept(intervals.nearest(total, n, moments))
        assert (round(low * n), round(high * n)) == (min(every), max(every))


def test_exact_interval_is_clopper_and_pearson_mapped():
    moments, n, total = _law("randomized_response", "1"), 100, 45
    pearson = stats.binomtest(total, n).proportion_ci(CONFIDENCE, method="exact")
    low, high = intervals.exact(total, n, moments, CONFIDENCE, "population")
    assert low == pytest.approx((pearson.low - float(moments.b)) / float(moments.gap))
    assert high == pytest.approx((pearson.high - float(moments.b)) / float(moments.gap))


def test_score_interval_is_wilson_mapped_for_scores_of_zero_and_one():
    moments, n, total = _law("randomized_response", "1"), 100, 45
    wilson = stats.binomtest(total, n).proportion_ci(CONFIDENCE, method="wilson")
    low, high = intervals.score(total, n, moments, CONFIDENCE, "population")
    assert low == pytest.approx((wilson.low - float(moments.b)) / float(moments.gap))
    assert high == pytest.approx((wilson.high - float(moments.b)) / float(moments.gap))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("method", ["threshold", "sum"])
def test_intervals_lie_in_the_unit_interval_whatever_the_total(target, method):
    moments = _law("laplace", "1", 4, method)
    for n in (1, 7, 1000):
        spans = published.of(moments, n)
        for total in range(0, n + 1) if method == "threshold" else range(-64 * n, 64 * n, n):
            low, high = spans.interval([total], 0, CONFIDENCE, target)
            assert 0 <= low <= high <= 1


def test_respondents_interval_is_narrower_than_the_population_interval():
    moments, n = _law("bitwise", "2"), 500
    for total in range(120, 380, 20):
        population = intervals.exact(total, n, moments, CONFIDENCE, "population")
        respondents = intervals.exact(total, n, moments, CONFIDENCE, "respondents")
        assert respondents.high - respondents.low <= population.high - population.low + 1 / n


@pytest.mark.parametrize("total", [-1, 11, 5.5])
def test_exact_interval_refuses_what_is_no_total(total):
    if total == 5.5:
        with pytest.raises(ValueError, match="0 or 1"):
            intervals.exact(5, 10, _law("laplace", "1", 3, "sum"), CONFIDENCE, "population")
    else:
        with pytest.raises(ValueError, match="total"):
            intervals.exact(total, 10, _law("bitwise", "1"), CONFIDENCE, "population")


# Simulation: surveys through the exact samplers, the tally and the estimation -------------------------------------

RESPONDENTS, D = 300, 4
TRUE = [0.5, 0.3, 0.2, 0.0]

# The numbers of surveys, and of surveys in which the intervals hold at least. With coverage exactly .95, fewer happens
# in 2.0e-4 of all seeds (Binomial(200, .95) at most 177; Binomial(100, .95) at most 85 in 1.4e-4). All tests together
# fail by luck for one seed in 300. The seed is fixed, so a passing run keeps passing.
SHORT, FULL = (100, 86), (200, 178)
# The people whose answer is one category.
CATEGORICAL = sorted({name for kind in ("single_choice", "ordered", "histogram") for name in FITTING[kind]})


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CATEGORICAL)
def test_simultaneous_intervals_cover_all_shares_together(name, target, nightly):
    surveys, covered_min = FULL if nightly else SHORT
    mechanism, alpha = MECHANISMS[name], Fraction(1)
    table = mechanism.table(alpha, D)
    moments, (width, encode, *_) = mechanism.moments(table, D), mechanism.packing(table, D)
    chance = random.Random(f"{name} {target}")
    uniform = lambda: chance.getrandbits(53)  # noqa: E731
    together = intervals.bonferroni(CONFIDENCE, D)
    covered = dict.fromkeys(moments, 0)
    for _ in range(surveys):
        if target == "population":
            people = chance.choices(range(D), TRUE, k=RESPONDENTS)
        else:
            people = [j for j in range(D) for _ in range(round(TRUE[j] * RESPONDENTS))]
        codes = [encode(mechanism.randomize(person, table, D, uniform)) for person in people]
        bits = np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)
        for method, scores in mechanism.tally(Field.of(bits), table, D).items():
            spans = published.of(moments[method], RESPONDENTS)
            found = [spans.interval(scores, j, together, target) for j in range(D)]
            covered[method] += all(low <= true <= high for true, (low, high) in zip(TRUE, found, strict=True))
    assert min(covered.values()) >= covered_min, covered


# Every method, on the whole grid, computed exactly (benchmarks/coverage.py writes the table) --------------------------

GRID = [(n, alpha) for n in coverage.SIZES for alpha in coverage.ALPHAS]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("n", "alpha"), GRID)
def test_exact_intervals_of_binary_scores_cover_on_the_whole_grid(n, alpha, target):
    for share in coverage.SHARES:
        found = coverage.binary_coverages(n, alpha, share, target)
        assert found["exact"] >= CONFIDENCE - 1e-9
        # The other methods miss as much as the table says, not more: they are offered for comparison.
        assert found["score"] >= 0.89 and found["wald"] >= 0.74 and found.get("fiducial", 1) >= 0.90


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("n", "alpha"), GRID)
def test_exact_intervals_of_laplace_sums_cover_on_the_whole_grid(n, alpha, target):
    wanted = coverage.SHARES if n < 2000 else (0.01, 0.5)
    for found in coverage.sum_coverages(n, alpha, target, wanted):
        assert found["exact"] >= CONFIDENCE - 1e-9
        assert found["score"] >= 0.935 and found["fiducial"] >= 0.935 and found["wald"] >= 0.92


@pytest.mark.parametrize("target", TARGETS)
def test_both_ends_rise_with_the_total(target):
    """The computation above relies on this: the totals whose interval contains a share are a range."""
    n = 40
    moments, scores = coverage.sum_law(Fraction(1))
    binary = coverage.binary_methods(n, coverage.binary_law(Fraction(1)), target)
    sums = coverage.sum_methods(n, moments, scores, TotalLaw(n, scores), target)
    for methods, sizes in ((binary, range(n + 1)), (sums, range(-60, 100, 5))):
        for method in methods.values():
            ends = np.array([method(total) for total in sizes])
            assert np.all(np.diff(ends, axis=0) >= -1e-9)


# The law of a sum, by Fourier transform -------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ["0.5", "2", "8"])
def test_law_of_one_laplace_bin_has_the_moments_of_its_scores(alpha):
    moments, scores = coverage.sum_law(Fraction(alpha))
    values = scores.low + np.arange(len(scores.inside))
    for row, mean, variance in ((scores.inside, moments.a, moments.v_a), (scores.outside, moments.b, moments.v_b)):
        assert row.sum() == pytest.approx(1, abs=1e-14)
        assert row @ values == pytest.approx(float(mean), abs=1e-12)
        assert row @ values**2 - (row @ values) ** 2 == pytest.approx(float(variance), rel=1e-12)


@pytest.mark.parametrize("scores", [coverage.sum_law(Fraction(2))[1], "noise"])
def test_law_of_a_total_is_the_convolution_written_out(scores):
    if scores == "noise":
        noise = [0.1, 0.2, 0.4, 0.2, 0.1]
        scores = convolution.LatticeLaw(-2, np.array([0.0, *noise]), np.array([*noise, 0.0]))
    n, m = 6, 2
    expected = np.ones(1)
    for row in [scores.inside] * m + [scores.outside] * (n - m):
        expected = np.convolve(expected, row)
    law = TotalLaw(n, scores)
    start = law.low - n * scores.low
    found = law.respondents(m)[: len(expected) - start]
    assert found == pytest.approx(expected[start : start + len(found)], abs=1e-14)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    mixture = sum(stats.binom.pmf(m, n, 0.3) * law.respondents(m) for m in range(n + 1))
    assert law.population(0.3) == pytest.approx(mixture, abs=1e-14)


@pytest.mark.parametrize("n", [1, 30, 2000])
def test_window_loses_nothing_that_matters(n):
    """A transform twice as long, which could hold wrapped values, gives the same tails to 1e-12."""
    scores = coverage.sum_law(Fraction(1, 2))[1]
    short = TotalLaw(n, scores)
    padded = convolution.LatticeLaw(
        scores.low - 2000, *(np.pad(row, (2000, 2000)) for row in (scores.inside, scores.outside))
    )
    long = TotalLaw(n, padded)
    for share in (0.0, 0.4, 1.0):
        cumulated, wide = np.cumsum(short.population(share)), np.cumsum(long.population(share))
        places = short.low + np.arange(len(cumulated)) - long.low
        inside = (places >= 0) & (places < len(wide))
        assert np.abs(cumulated[inside] - wide[places[inside]]).max() < 1e-12


@pytest.mark.parametrize("target", TARGETS)
def test_inverted_convolution_of_binary_scores_is_the_exact_interval(target):
    moments, n = _law("randomized_response", "1", 3), 90
    totals = TotalLaw(n, convolution.binary(moments))
    for total in range(0, n + 1, 6):
        expected = intervals.exact(total, n, moments, CONFIDENCE, target)
        assert totals.interval(total, CONFIDENCE, target) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("alpha", ["0.01", "1", "16"])
def test_few_frequencies_are_enough_for_very_many_reports(alpha):
    """The score interval is right for very many reports. The exact one agrees to a hundredth of its width."""
    moments, scores = coverage.sum_law(Fraction(alpha))
    n = 10**7
    total = round(n * float(moments.b + moments.gap / 3))
    for target in TARGETS:
        found = TotalLaw(n, scores).interval(total, CONFIDENCE, target)
        near = intervals.score(total, n, moments, CONFIDENCE, target)
        assert found == pytest.approx(near, abs=(near.high - near.low) / 100 + 1e-12)


@pytest.mark.parametrize("total", [-(10**6), 10**6])
def test_a_total_that_no_share_explains_has_the_interval_at_the_end(total):
    _, scores = coverage.sum_law(Fraction(1))
    for target in TARGETS:
        law = TotalLaw(50, scores)
        found = law.interval(total, CONFIDENCE, target)
        assert found == law.interval(law.nearest(total), CONFIDENCE, target)
        assert found[int(total > 0)] == float(total > 0) and 0.2 < found.high - found.low < 1


def test_fiducial_interval_without_noise_is_that_of_jeffreys():
    generator = np.random.default_rng(15)
    noiseless = ScoreMoments(Fraction(1), Fraction(0), Fraction(0), Fraction(0))
    found = comparison.fiducial(30, 100, np.zeros(400_000), CONFIDENCE, "population", generator)
    assert found == pytest.approx(comparison.jeffreys(30, 100, noiseless, CONFIDENCE), abs=1e-3)


# All shares together --------------------------------------------------------------------------------------------------


def test_max_t_knows_independent_and_identical_estimates():
    """The confidence is Sidak's for independent estimates, and the pointwise one for identical estimates.

    Each tolerance is five standard errors of the order statistic, in confidence: it fails for one seed in a million.
    """
    generator = np.random.default_rng(15)
    tolerance = 5 * (CONFIDENCE * (1 - CONFIDENCE) / 20_000) ** 0.5
    for d in (2, 16):
        found = coverage.max_t(np.eye(d), CONFIDENCE, generator)
        assert found <= CONFIDENCE ** (1 / d) and found**d == pytest.approx(CONFIDENCE, abs=tolerance)
    opposite = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert coverage.max_t(opposite, CONFIDENCE, generator) == pytest.approx(CONFIDENCE, abs=tolerance)


# With coverage exactly .95, fewer than 84 of 100 surveys happens for 9.4e-6 of all seeds; 8 cases of two methods.
TOGETHER_MIN = 0.84


@pytest.mark.slow
@pytest.mark.parametrize("d", coverage.CATEGORIES)
@pytest.mark.parametrize("name", ["randomized response", "bits"])
def test_simultaneous_intervals_cover_all_shares_of_many_categories(name, d):
    generator = np.random.default_rng(d)
    found = coverage.simultaneous(name, d, 1000, Fraction(2), 100, generator, draws=500)
    assert min(found["Bonferroni exact"][0], found["max-t exact"][0]) >= TOGETHER_MIN, found
    if d > 2:
        assert found["each exact"][0] < 0.9
    assert found["max-t exact"][1] <= found["Bonferroni exact"][1]


def _tilted(points):
    """Return nearly straight functions of three points, with their slopes."""
    return points + points**3 / 9 - np.array([-0.1, 0.3, 2.0]), 1 + points**2 / 3


def test_newtons_roots_are_those_of_the_search_and_ends_where_there_are_none():
    found = intervals.roots_near(_tilted, np.array([0.5, 0.9, 0.2]), 0.0, 1.0)
    inside = intervals.root(lambda x: x + x**3 / 9 - 0.3, 0.0, 1.0)
    assert found == pytest.approx([0.0, inside, 1.0], abs=1e-11)


@pytest.mark.parametrize("slope", [0.0, np.nan, -1.0, 1e-3])
def test_without_a_known_slope_the_root_is_halved_in(slope):
    def rising(points):
        return points - 0.3, np.full(1, slope)

    assert intervals.roots_near(rising, np.array([0.9]), 0.1, 0.8) == pytest.approx([0.3], abs=1e-9)
