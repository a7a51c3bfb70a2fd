"""Effects along their curve (M40): exact where it can be, otherwise by seeded surveys."""

import itertools

import numpy as np
import pytest
import scipy

from benchmarks.relations import CASES, sent_jointly
from ldp.inference.intervals import bonferroni, z
from ldp.regression import effects
from ldp.regression.effects import Curve
from ldp.regression.fitting import Separated, TooFewToFit, fit
from ldp.regression.specification import Covariate, Specification

REACH = z(0.95)
BENDS = {
    "none": [0.0, 0.0, 0.0],
    "up": [1.0, 0.0, 0.0],
    "down every way": [-1.0, -1.0, -1.0],
    "up and down": [1.0, -1.0, 0.2],
}


@pytest.mark.parametrize("bends", BENDS)
def test_the_ends_are_the_least_and_the_greatest_value_within_reach(bends):
    generator, bend = np.random.default_rng(1), np.array([*BENDS[bends], 0.0])
    for size in (0.0, 1e-9, 0.5, 30.0):
        slope = size * np.append(generator.normal(size=3), 0.3)
        least, greatest = values(slope, bend)
        across = bend.sum() - (slope**2 @ bend / (slope @ slope) if size else 0)
        low, high = Curve(slope, bend).ends(REACH)
        assert low == pytest.approx(least - max(across / 2, 0), abs=1e-6 * (1 + size))
        assert high == pytest.approx(greatest - min(across / 2, 0), abs=1e-6 * (1 + size))


def values(slope, bend):
    """Return the extremes by a search from many points of the ball. They are inside it or on its surface."""
    ends, generator = [], np.random.default_rng(2)
    for sign in (1, -1):

        def worth(z, sign=sign):
            inside = z / max(1.0, np.linalg.norm(z) / REACH)
            return sign * (slope @ inside + bend @ inside**2 / 2)

        starts = generator.normal(size=(4, len(slope)))
        found = [scipy.optimize.minimize(worth, 3 * z, method="BFGS", options={"gtol": 1e-10}) for z in starts]
        ends.append(sign * min(each.fun for each in found))
    return ends


def test_what_does_not_bend_has_the_interval_of_a_normal_estimate():
    curve = Curve(np.array([3.0, 0.0, 4.0]), np.zeros(3))
    assert curve.standard_error == 5 and curve.ends(REACH) == pytest.approx((-5 * REACH, 5 * REACH), abs=1e-9)


@pytest.mark.parametrize("bends", ["up", "down every way", "up and down"])
def test_what_hardly_rises_or_falls_is_held_as_often_as_stated_however_many_ways_bend(bends):
    """If .95 hold, fewer than .926 of 1,500 draws hold by luck in one of 100,000 cells."""
    generator, bend, draws = np.random.default_rng(3), np.array(BENDS[bends]), 1500
    for size in (0.0, 2.0, 4.0):
        slope = size * np.array([0.8, 0.0, 0.6])
        held = 0
        for normal in generator.normal(size=(draws, 3)):
            low, high = Curve(slope + bend * normal, bend).ends(REACH)
            held += low <= -(slope @ normal + bend @ normal**2 / 2) <= high
        assert held / draws >= 0.95 - 4.27 * (0.05 * 0.95 / draws) ** 0.5, size


def test_an_effect_is_shown_only_where_its_coefficient_is():
    """If a coefficient's interval contains 0, so do those of its effects on the first and the last option."""
    steps = (Covariate("a", (0.0, 1.0)), Covariate("b", reference=1))
    models = {"logistic": Specification("logistic", "y", (*steps, Covariate("c", reference=1)))}
    models["ordered"] = Specification("ordered", "y", steps)
    shown = 0
    for (name, model), seed in itertools.product(models.items(), range(25)):
        generator = np.random.default_rng([4, seed])
        law = CASES[name].law
        cells = generator.choice(law.size, 500, p=law.ravel())
        try:
            found = fit(model, sent_jointly(cells, law.shape, "4", generator))
        except (TooFewToFit, Separated):
            continue
        for place, covariate in enumerate(model.covariates):
            j = place + (name == "logistic")
            rows = [each for each in effects.marginal(found, covariate.key, 1) if each.outcome in (0, law.shape[0] - 1)]
            for level in (0.8, 0.95, bonferroni(0.95, 9)):
                ends = np.sort(found.intervals(level)[j])
                for row in rows:
                    low, high = row.interval(level)
                    if low > 0 or high < 0:
                        shown += 1
                        assert ends[0] > 0 or ends[1] < 0
                        assert np.sign(row.estimate) == sign(name, row, covariate) * np.sign(found.parameters[j])
    assert shown > 50


def sign(name, row, covariate):
    """Return the sign of the effect of option 0 rather than 1 if the coefficient is above 0."""
    rising = -1 if covariate.scores else 1
    first = 1 if row.outcome == 0 else -1
    return rising * first * (1 if name == "logistic" else -1)
