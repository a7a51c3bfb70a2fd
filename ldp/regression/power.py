"""How many reports would show an effect (M40): after a fit from its standard errors, before a survey opens from a law.

An estimate of standard error s, which falls as 1/sqrt(n), shows an effect e at a level if it lies beyond the normal
quantile z: with the chance F(|e|/s - z) + F(-|e|/s - z).
"""

import math

import numpy as np
import numpy.typing as npt
import scipy

from ldp.forms.marginals import JointTally
from ldp.mechanisms import joint
from ldp.regression.fitting import Fit, fit
from ldp.regression.sample import JointSample
from ldp.regression.specification import Specification

Values = npt.NDArray[np.float64]

POWER, LEVEL = 0.8, 0.05
# Counts are whole: of so many reports as expected, nothing is lost by that.
_MANY = 10**12


def power(error: float, effect: float, level: float = LEVEL) -> float:
    """The chance that an interval at 1 - level leaves out 0."""
    z, ratio = -scipy.special.ndtri(level / 2), abs(effect) / error
    return float(scipy.special.ndtr(ratio - z) + scipy.special.ndtr(-ratio - z))


def smallest(error: float, chance: float = POWER, level: float = LEVEL) -> float:
    """The effect that is shown with this chance, but for the other tail."""
    return float(scipy.special.ndtri(chance) - scipy.special.ndtri(level / 2)) * error


def needed(n: int, error: float, effect: float, chance: float = POWER, level: float = LEVEL) -> int:
    """How many reports show the effect with this chance, where n have this standard error."""
    return math.ceil(n * (smallest(error, chance, level) / effect) ** 2)


def expected(specification: Specification, law: Values, table: joint.Table) -> Fit:
    """The fit of very many reports of people with this law, of the shape of the specification's variables, whose
    questions are randomized together: its standard errors times sqrt(its n) are those of one report."""
    sizes = law.shape
    moments = joint.moments(table, sizes)["support"]
    came = float(moments.b) + float(moments.gap) * law.ravel()
    counts = tuple(np.round(came * _MANY).astype(np.int64).tolist())
    return fit(specification, JointSample(JointTally(table, sizes, counts), tuple(range(len(sizes)))))
