"""Size and power of tests of one share, without simulation: of "at most `null`", refused where the release is large.

A curator's release is the count with the noise of `alpha`. Each function gives the chance that the hypothesis is
refused where the share is `share`; at `null` that is the test's size. `tulap.power` has exactly the stated level.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import scipy

from ldp.central import proportion, tulap
from ldp.central.proportion import Rule
from ldp.inference.intervals import window

_FAR = 40.0


def normal(n: int, null: float, share: float, alpha: float | None, level: float) -> float:
    """Refused where the released proportion is z standard errors, those at `null`, above it."""
    noise = 0.0 if alpha is None else 2 / (alpha * n) ** 2
    deviation = math.sqrt(null * (1 - null) / n + noise)
    return _above(null + NormalDist().inv_cdf(1 - level) * deviation, n, share, alpha)


def fiducial(n: int, null: float, share: float, alpha: float | None, level: float, rule: Rule = "half") -> float:
    """Refused where the fiducial law gives shares up to `null` at most the chance `level`."""
    if alpha is None:
        counts, chances = window(n, share)
        refused = [proportion.fiducial_cdf(null, count / n, n, None, rule) <= level for count in counts]
        return float(chances @ np.array(refused))
    return _above(_fiducial_critical(n, null, alpha, level, rule), n, share, alpha)


@lru_cache(maxsize=64)
def _fiducial_critical(n: int, null: float, alpha: float, level: float, rule: Rule) -> float:
    """The release above which the fiducial test refuses, whatever the share is."""
    far = _FAR / (n * alpha)
    lack: Callable[[float], float] = lambda r: proportion.fiducial_cdf(null, r, n, alpha, rule) - level  # noqa: E731
    return float(scipy.optimize.brentq(lack, -far, 1 + far, xtol=1e-10))


def most_powerful(n: int, null: float, share: float, alpha: float | None, level: float) -> float:
    """The most powerful test; without privacy the binomial one, with a coin at the border to meet the level."""
    if alpha is not None:
        return tulap.power(n, null, share, alpha, level)
    border = int(scipy.stats.binom.isf(level, n, null))
    coin = (level - scipy.stats.binom.sf(border, n, null)) / scipy.stats.binom.pmf(border, n, null)
    return float(scipy.stats.binom.sf(border, n, share) + coin * scipy.stats.binom.pmf(border, n, share))


def _above(critical: float, n: int, share: float, alpha: float | None) -> float:
    """The chance that the released proportion exceeds a critical value."""
    counts, chances = window(n, share)
    beyond = (
        counts / n > critical if alpha is None else scipy.stats.laplace.sf(critical - counts / n, scale=1 / (n * alpha))
    )
    return float(chances @ beyond)
