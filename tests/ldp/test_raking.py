"""Several known margins at once (M41): exact without chance, the slope, and against simulation."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.crossings_coverage import question, sent
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.marginals import JointTally
from ldp.inference.variables import pair_of, variable
from ldp.mechanisms import randomized_response
from ldp.regression import expectation
from ldp.regression.factors import factors
from ldp.regression.sample import JointSample, Tabulation
from ldp.weighting import margin, raking

SIZES = (3, 2, 2)
TABLE = randomized_response.table(Fraction(3), SIZES, (1,) * len(SIZES))
KEEP = float(randomized_response.keep(TABLE))
KNOWN = ((0.5, 0.3, 0.2), (0.45, 0.55))

# Shares in the population, by two questions that depend on each other, and of "yes" in each combination.
STRATA = np.array([[0.30, 0.20], [0.10, 0.20], [0.05, 0.15]])
YES = np.array([[0.1, 0.2], [0.3, 0.5], [0.4, 0.8]])
POPULATION = np.stack((STRATA * YES, STRATA * (1 - YES)), axis=2)
TRUTH = POPULATION.sum(axis=(0, 1))
# The chance to answer depends on each question by a separate factor.
ANSWERING = POPULATION * np.array([0.5, 1.0, 1.6])[:, None, None] * np.array([1.3, 0.8])[None, :, None]
RESPONDENTS = ANSWERING / ANSWERING.sum()


def asked(names=("randomized_response",) * 3, alpha="3"):
    keys = zip("abc", names, SIZES, strict=True)
    return [variable([question(*one[:2], one[2], alpha)], one[0]) for one in keys]


def jointly(counts, places=(0, 1, 2)):
    return JointSample(JointTally(TABLE, SIZES, tuple(int(count) for count in np.ravel(counts))), places)


def expected(law, n):
    return np.rint(n * (KEEP * law + (1 - KEEP) / 12)).ravel()


def test_of_what_is_expected_the_population_is_found_where_each_question_decides_by_a_factor_who_answers():
    got = raking.raked(jointly(expected(RESPONDENTS, 10**12)), asked(), KNOWN)
    assert got.estimates == pytest.approx(TRUTH, abs=1e-9)
    assert got.unweighted == pytest.approx(RESPONDENTS.sum(axis=(0, 1)), abs=1e-9)
    assert abs(got.unweighted[0] - TRUTH[0]) > 0.05


def test_a_reports_score_is_the_slope_of_the_estimate():
    counts, n = expected(RESPONDENTS, 10**9), 10**9
    laws = raking.raked(jointly(counts), asked(), KNOWN).laws
    slopes = []
    for z in range(12):
        step = np.eye(12)[z] * 10**5
        up, down = (raking.raked(jointly(counts + sign * step), asked(), KNOWN).estimates for sign in (1, -1))
        slopes.append((up - down) / 2e5 * n)
    for j, law in enumerate(laws):
        each = np.array(slopes)[:, j]
        assert law.variance == pytest.approx((counts * each**2).sum() / n, rel=1e-5)
        assert (law.least - law.mean, law.largest - law.mean) == pytest.approx((each.min(), each.max()), rel=1e-5)


def test_one_margin_is_raked_to_what_weighting_by_it_gives():
    counts = expected(RESPONDENTS, 10**5)
    first, second = pair_of(
        [question("a", "randomized_response", 3, "3"), question("c", "randomized_response", 2, "3")], "a", "c"
    )
    sample = jointly(counts, (0, 2))
    by_margin = margin.weighted(JointCrossing(first, second, sample.tally.pair(0, 2)), KNOWN[0])
    got = raking.raked(sample, [first, second], KNOWN[:1])
    assert got.estimates == pytest.approx(by_margin.estimates, abs=1e-12)
    assert got.standard_errors == pytest.approx(by_margin.standard_errors, rel=1e-9)
    assert got.intervals(0.95) == pytest.approx(by_margin.intervals(0.95), abs=1e-9)
    assert got.design_effects == pytest.approx(by_margin.design_effects, rel=0.02)


def tabulated(variables, n, generator):
    """Return a sample of simulated respondents' reports; each question has a separate draw."""
    places = np.unravel_index(generator.choice(12, n, p=RESPONDENTS.ravel()), SIZES)
    found = Tabulation(factors(variables))
    found.add([sent(one.question, place, generator) for one, place in zip(variables, places, strict=True)])
    return found.sample()


BITS = {
    "a stratum": ("bitwise", "randomized_response", "exponential"),
    "the question": ("randomized_response", "randomized_response 2", "bitwise"),
    "all": ("bitwise", "laplace", "bitwise"),
    "noise": ("laplace", "laplace", "laplace"),
}

# Surveys, and the least number in which an interval holds: if it holds with .95, fewer do once in 5,000 runs.
SHORT, FULL = (100, 86), (300, 269)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("how", ["jointly", "separately", *BITS])
def test_intervals_hold_and_unweighted_shares_are_of_who_answered(how, nightly):
    surveys, held_min = FULL if nightly else SHORT
    generator, got = np.random.default_rng(23), []
    separate = asked(BITS.get(how, ("randomized_response", "randomized_response", "exponential")), "4")
    for _ in range(surveys):
        if how == "jointly":
            chances = (KEEP * RESPONDENTS + (1 - KEEP) / 12).ravel()
            got.append(raking.raked(jointly(generator.multinomial(3000, chances)), asked(), KNOWN))
        else:
            got.append(raking.raked(tabulated(separate, 3000, generator), separate, KNOWN))
    ends = np.array([each.intervals(0.95)[0] for each in got])
    assert ((ends[:, 0] <= TRUTH[0]) & (TRUTH[0] <= ends[:, 1])).sum() >= held_min
    shares = np.array([each.estimates[0] for each in got])
    assert abs(shares.mean() - TRUTH[0]) < 4 * shares.std() / surveys**0.5 + 0.002
    errors = np.mean([each.standard_errors[0] for each in got])
    assert errors == pytest.approx(shares.std(), rel=0.15 if nightly else 0.25)


# Bits, and noise for each bin -----------------------------------------------------------------------------------------


def whole(variables, law=RESPONDENTS):
    return expectation.apart(law, variables)


@pytest.mark.parametrize("which", BITS)
def test_the_population_is_found_with_bits_too(which):
    variables = asked(BITS[which], "4")
    got = raking.raked(whole(variables), variables, KNOWN)
    assert got.estimates == pytest.approx(TRUTH, abs=1e-6)
    assert got.unweighted == pytest.approx(RESPONDENTS.sum(axis=(0, 1)), abs=1e-6)


@pytest.mark.parametrize("which", ["a stratum", "the question", "all"])
def test_with_bits_too_a_reports_score_is_the_slope_of_the_estimate(which):
    variables, n = asked(BITS[which], "4"), 10**5
    sample = tabulated(variables, n, np.random.default_rng(4))
    laws, slopes = raking.raked(sample, variables, KNOWN).laws, []
    for z in range(len(sample.counts)):
        step = np.eye(len(sample.counts), dtype=np.int64)[z]
        moved = [replace(sample, counts=1000 * sample.counts + sign * step) for sign in (1, -1)]
        up, down = (raking.raked(each, variables, KNOWN).estimates for each in moved)
        slopes.append((up - down) / 2 * 1000 * n)
    for j, law in enumerate(laws):
        each = np.array(slopes)[:, j]
        assert law.variance == pytest.approx((sample.counts * each**2).sum() / n, rel=1e-5)
        assert law.least - law.mean <= each.min() + 1e-5 and each.max() <= law.largest - law.mean + 1e-5


def test_unweighted_shares_and_those_of_the_strata_are_the_published_ones():
    variables = asked(BITS["all"], "3")
    sample = tabulated(variables, 4000, np.random.default_rng(5))
    own = [sample.counts @ phi[places] / 4000 for phi, places in zip(sample.phi, sample.places.T, strict=True)]
    assert raking.raked(sample, variables, KNOWN).unweighted == pytest.approx(own[2], abs=1e-12)
    for found, published in zip(raking.strata(sample, variables), own[:2], strict=True):
        assert found[:, 0] == pytest.approx(published, abs=1e-12)
    assert abs(own[0].sum() - 1) > 1e-3, "so these are not what is taken for weights"


def test_without_an_equal_part_of_what_bits_are_off_there_would_be_more_noise():
    variables = asked(BITS["all"], "4")
    sample = tabulated(variables, 4000, np.random.default_rng(6))
    with_noise = raking.StrataReports(sample, False).strata
    [without] = [raking.StrataReports(raking.with_sums(sample, variables, (0, 1)), False).strata]
    assert without.sum() == pytest.approx(1) and abs(with_noise.sum() - 1) > 0.002


def test_too_few_reports_are_refused_with_the_number_that_would_do():
    with pytest.raises(raking.NotRaked, match="would be enough") as refused:
        raking.raked(jointly(expected(RESPONDENTS, 300)), asked(), KNOWN)
    needed = refused.value.needed
    assert needed > 300
    with pytest.raises(raking.NotRaked):
        raking.raked(jointly(expected(RESPONDENTS, needed * 0.9)), asked(), KNOWN)
    raking.raked(jointly(expected(RESPONDENTS, needed * 1.02)), asked(), KNOWN)
    nobody = RESPONDENTS * np.array([1, 1, -1])[:, None, None]
    with pytest.raises(raking.NotRaked, match="too few reports"):
        raking.raked(jointly(expected(nobody / nobody.sum(), 10**6)), asked(), KNOWN)


def test_a_category_that_no_one_in_the_population_has_counts_nothing():
    got = raking.raked(jointly(expected(RESPONDENTS, 10**6)), asked(), ((0.6, 0.4, 0.0), (0.45, 0.55)))
    assert 0 < got.estimates[0] < 0.4 and got.estimates.sum() == pytest.approx(1)


def test_what_cannot_be_raked_is_refused_with_its_rule():
    sample = jointly(expected(RESPONDENTS, 10**6))
    for variables, margins, rule in (
        (asked(), KNOWN[:1], "for 2 questions"),
        (asked(), (KNOWN[0], (0.5, 0.4)), "must add up to 1"),
    ):
        with pytest.raises(ValueError, match=rule):
            raking.raked(sample, variables, margins)
