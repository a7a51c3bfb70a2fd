"""Models of rare answers. A shown interval holds as often as stated, and noise shows nothing (M40).

A yes/no question is explained by another one. A share `rare` of the first group answers yes, and 30% of the second
group.
"""

import numpy as np
import pytest
import scipy

from benchmarks.relations import sent_jointly, sent_separately
from ldp.regression import effects
from ldp.regression.fitting import Fit, Separated, TooFewToFit, fit
from ldp.regression.profile import Profile
from ldp.regression.specification import Covariate, Specification
from ldp.regression.truncation import INFORMATION_MIN, Borders, pushed

MODEL = Specification("logistic", "y", (Covariate("a", reference=1),))
WAYS = [("joint", "2", 1000), ("joint", "4", 500), ("randomized_response", "2", 2000), ("bitwise", "3", 1500)]


def surveys(rare, how, alpha, n, times, seed=2):
    """Return the fit of each simulated survey, or its refusal."""
    law, generator = np.array([[rare / 2, 0.15], [(1 - rare) / 2, 0.35]]), np.random.default_rng(seed)
    for _ in range(times):
        cells = generator.choice(4, n, p=law.ravel())
        if how == "joint":
            sample = sent_jointly(cells, (2, 2), alpha, generator)
        else:
            sample = sent_separately(cells, (2, 2), how, alpha, generator)
        try:
            yield fit(MODEL, sample)
        except (TooFewToFit, Separated) as refused:
            yield refused


def missed(found, rare):
    """Return whether the .95 interval of the predicted share misses, and whether the effect's does."""
    share, effect = effects.predicted(found, "a")[0], effects.marginal(found, "a", 1)[0]
    each = (share.interval(0.95), rare), (effect.interval(0.95), rare - 0.3)
    return [not low <= truth <= high for (low, high), truth in each]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("rare", [0.0164, 0.05, 0.08, 0.12])
def test_what_is_shown_of_a_rare_answer_holds_as_often_as_it_is_said(rare, nightly):
    """If .95 hold, more shown intervals than allowed miss the truth at most once in 1,000 runs."""
    for how in WAYS:
        shown = [one for one in surveys(rare, *how, 600 if nightly else 150) if not isinstance(one, ValueError)]
        allowed = scipy.stats.binom.isf(1e-3, len(shown), 0.05)
        assert all(sum(each) <= allowed for each in zip(*(missed(one, rare) for one in shown), strict=True)), how


@pytest.mark.slow
@pytest.mark.statistical
def test_noise_alone_shows_no_answer_that_no_one_gives(nightly):
    """A survey shows one with a chance of at most 1/700, so more surveys than allowed show one once in 1,000 runs."""
    times = 600 if nightly else 150
    shown = [one for how in WAYS for one in surveys(0, *how, times) if not isinstance(one, ValueError)]
    assert len(shown) <= scipy.stats.binom.isf(1e-3, len(WAYS) * times, 1 / 700)
    assert not any(each for one in shown for each in missed(one, 0))


def test_where_noise_stops_the_search_there_are_too_few_reports():
    refused = list(surveys(0.0164, "joint", "2", 1000, 40))
    assert all(isinstance(one, TooFewToFit) and one.needed > 1000 for one in refused)


def test_no_finite_coefficients_is_said_where_it_is_sure():
    told = [one for one in surveys(0, "joint", "16", 4000, 5) if isinstance(one, Separated)]
    assert len(told) == 5


def test_an_estimate_that_is_just_published_may_be_all_noise_and_a_sure_one_is_as_it_is():
    z = -float(scipy.special.ndtri(0.025))
    assert pushed(INFORMATION_MIN, z) == pytest.approx(INFORMATION_MIN - z)
    assert pushed(20.0, z) == pytest.approx(0, abs=1e-9) and pushed(1.0, z) == 0
    each = [pushed(INFORMATION_MIN + more, z) for more in np.linspace(0, 6, 40)]
    assert max(each) <= INFORMATION_MIN + 1 and all(one >= -1e-12 for one in each)


def test_a_coefficient_is_widened_where_what_decides_goes_along_and_on_that_side_alone():
    def widening(*errors, correlation=(0.9,)):
        return Borders(np.array(errors), np.array(correlation)).widening(1.96)

    assert widening(INFORMATION_MIN) == (np.inf, 0) and widening(INFORMATION_MIN, correlation=(-0.9,)) == (0, np.inf)
    assert widening(30.0) == (0, 0) and Borders(np.empty(0), np.empty(0)).widening(1.96) == (0, 0)
    lows = [widening(errors)[0] for errors in np.linspace(4.5, 9, 20)]
    assert lows == sorted(lows, reverse=True) and lows[0] > 1 and lows[-1] < 1e-3
    assert widening(5.0)[0] > widening(5.0, correlation=(0.5,))[0] > 0
    assert widening(30.0, 5.0, correlation=(0.9, 0.9)) == widening(5.0)


@pytest.mark.parametrize("errors", [4.0, 5.0, 7.0])
def test_of_normal_estimates_that_are_published_the_interval_holds(errors):
    """At most .05 of the estimates above INFORMATION_MIN have the truth outside their interval, by integration."""
    z = -float(scipy.special.ndtri(0.025))
    for truth in (0.0, errors - 3, errors - 1, errors, errors + 2):
        grid = np.linspace(INFORMATION_MIN, truth + 12, 4001)
        low = grid - z - np.array([pushed(one, z) for one in grid])
        density = np.exp(-((grid - truth) ** 2) / 2)
        outside = density[(low > truth + 1e-9) | (grid + z < truth)].sum() / density.sum()
        assert outside <= 0.05 + 2e-3, truth


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("rare", [0.0164, 0.03, 0.05, 0.08, 0.12])
def test_what_is_shown_of_a_coefficient_holds_as_often_as_it_is_said(rare, nightly):
    """This holds for both logits by the normal law, and for joint forms by the profile too. In all 60 cases, for five
    truths, one misses too often at most once in 1,000 runs."""
    logits = np.log([rare / (1 - rare) * 0.7 / 0.3, 0.3 / 0.7])
    for how in WAYS:
        shown = [one for one in surveys(rare, *how, 600 if nightly else 150, 3) if not isinstance(one, ValueError)]
        allowed = scipy.stats.binom.isf(1e-3 / 60, len(shown), 0.05)
        for intervals in [Fit.intervals, _profile] if how[0] == "joint" else [Fit.intervals]:
            outside = [_outside(intervals(one, 0.95), one, logits) for one in shown]
            assert (np.sum(outside, axis=0) <= allowed).all(), how


def _profile(found, confidence):
    return Profile(found).intervals(confidence)


def _outside(ends, found, logits):
    truth = np.array([logits[0 if levels else 1] for _, levels in found.terms])
    return (ends[:, 0] > truth) | (truth > ends[:, 1])
