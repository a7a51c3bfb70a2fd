"""Other intervals for one share, to compare with the published ones. They keep no promise for few reports."""

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp.inference import intervals
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.estimates import shares, unit_variances
from ldp.inference.intervals import Interval
from ldp.scores import ScoreMoments, Target

Draws = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def wald(total: float, n: int, moments: ScoreMoments, confidence: float, target: Target) -> Interval:
    """Return the estimate and z standard errors to both sides, with that at the estimate cut to [0, 1]."""
    estimate = float(shares(total, n, moments))
    variance = unit_variances(np.clip(np.array(estimate), 0.0, 1.0), moments, target) / n
    reach = intervals.z(confidence) * math.sqrt(variance)
    return intervals.cut(estimate - reach, estimate + reach)


def fiducial(
    total: float, n: int, noise: Draws, confidence: float, target: Target, generator: np.random.Generator
) -> Interval:
    """Return the just-identified simulation interval for 0/1 scores plus independent noise (M5 by sum, M6).

    `noise` has draws of the noise total of n reports (total_draws). Each draw leaves t = (total - noise)/n for the
    share among the respondents; for the population's and t in [0, 1], Beta(n t + 1/2, n (1-t) + 1/2).
    """
    t = (total - np.asarray(noise, dtype=np.float64)) / n
    drawn = np.clip(t, 0.0, 1.0)
    if target == "population":
        beta = generator.beta(n * drawn + 0.5, n * (1 - drawn) + 0.5)
        drawn = np.where((t < 0) | (t > 1), drawn, beta)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def jeffreys(total: int, n: int, moments: ScoreMoments, confidence: float) -> Interval:
    """Return the fiducial interval of 0/1 scores, population: pi is Beta(S + 1/2, n - S + 1/2), mapped to the share."""
    low, high = stats.beta.ppf([(1 - confidence) / 2, (1 + confidence) / 2], total + 0.5, n - total + 0.5)
    return intervals.cut((low - float(moments.b)) / float(moments.gap), (high - float(moments.b)) / float(moments.gap))


def total_draws(scores: LatticeLaw, n: int, size: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return draws of the total of n scores of an untrue category, (size,); for additive noise, of the noise."""
    law = TotalLaw(n, scores)
    cumulated = np.cumsum(law.respondents(0))
    return np.asarray(law.low + np.searchsorted(cumulated, generator.random(size) * cumulated[-1], side="right"))
