"""Intervals in a fit that is shown only if it is precise enough (M40).

A fit is shown if certain numbers (Squares) are at least INFORMATION_MIN standard errors above 0. This rule truncates
the law of every estimate that is correlated with such a number, given all that is independent of the estimate (Lee,
Sun, Sun and Taylor 2016). So an interval is that of a truncated normal number.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.regression.design import Design
from ldp.regression.models import Model
from ldp.regression.sample import Sample

# The least mean square of residual scores, in standard errors. Noise alone exceeds it in one of 700 cases.
INFORMATION_MIN = 3.0
# More than _ANY standard errors count as infinite. A border at the distance _CLEAR has no effect.
_ANY, _CLEAR = 10.0, 9.0
# A remaining part of a share that counts as 0.
_LEFT = 0.01


def reach_of(confidence: float) -> float:
    """Return the half-width of a normal interval in standard errors."""
    return -float(scipy.special.ndtri((1 - confidence) / 2))


@lru_cache(maxsize=4096)
def off(beyond: float, reach: float) -> float:
    """Return the limit, in standard errors, of the error of a normal number that is shown only if its error is at least
    -`beyond`; `reach` if it is always shown. At most _ANY."""
    if beyond - reach > _CLEAR:
        return reach
    tail = scipy.special.log_ndtr(-reach)

    def excess(errors: float) -> float:
        return float(scipy.special.log_ndtr(-errors) - scipy.special.log_ndtr(beyond - errors) - tail)

    if excess(_ANY) >= 0:
        return _ANY
    return float(scipy.optimize.brentq(excess, reach, _ANY, xtol=1e-14)) if excess(reach) > 0 else reach


def pushed(errors: float, reach: float) -> float:
    """Return by how many standard errors the limit of an error exceeds `reach`. The estimate is `errors` above 0, which
    is the largest limit, and is not published below INFORMATION_MIN."""
    return max(min(off(errors - INFORMATION_MIN, reach), errors) - reach, 0.0)


@dataclass(frozen=True)
class Borders:
    """The numbers that decide whether another number is shown. Each is `errors` standard errors above 0 and has the
    `correlation` with the other number."""

    errors: Values
    correlation: Values

    def widening(self, reach: float) -> tuple[float, float]:
        """Return how many standard errors the lower limit is below a normal interval's, and the upper limit above."""
        low, high = (
            max((_widening(e / r, (e - INFORMATION_MIN) / r, reach) for e, r in self._along(sign)), default=0.0)
            for sign in (1, -1)
        )
        return low, high

    def _along(self, sign: int) -> list[tuple[float, float]]:
        """Return errors and correlations of borders that rise with the number (sign 1), or as it falls (-1)."""
        each = zip(self.errors.tolist(), (sign * self.correlation).tolist(), strict=True)
        return [(e, r) for e, r in each if r > 0 and e - INFORMATION_MIN < 2 * _CLEAR * r]


def _widening(errors: float, beyond: float, reach: float) -> float:
    """Return the widening of a logit, if the deciding share is `errors` of the logit's standard errors above 0. It is
    the widening of the share's logarithm, infinite if almost none of the share may be left."""
    most = off(max(beyond, 0.0), reach)
    if most >= min((1 - _LEFT) * errors, _ANY):
        return math.inf
    return -errors * math.log1p(-(most - reach) / (errors - reach))


# The squares of residual scores, which judge rare answers (M40) -------------------------------------------------------
#
# By the information identity the mean of (d @ grad l)^2 is the curvature along d. But the curvature takes its weights
# mu (1 - mu) from the fitted parameters. So noise that pushes a rare answer up makes the curvature large, and the
# answer seem known. The squares are counted from reports and have their noise. If almost no one in a group gives an
# answer, they are that answer's share in the group with its standard error.

_NONE = 1e-12


@dataclass(frozen=True)
class Squares:
    """The mean square in each direction. `errors` is its distance above 0 in standard errors, infinite without an
    error. `differing` is each different report's square less the mean, (v, directions)."""

    errors: Values
    differing: Values


def squares(design: Design, judged: Design, model: Model, sample: Sample, parameters: Values) -> Squares:
    """Return the squares in the directions of the judged design's groups."""
    along = (model.gradient(parameters) @ _directions(design, _groups(judged), len(parameters))) ** 2
    mean, n = sample.shares @ along, sample.counts.sum()
    differing = sample.weighted(along) - mean
    error = np.sqrt(sample.counts @ differing**2) / n
    known = error <= _NONE * np.abs(mean)
    return Squares(np.where(known, np.inf, mean / np.where(known, 1.0, error)), differing)


def _directions(design: Design, groups: Values, m: int) -> Values:
    """Return each group of answers for each of the outcome's logits, and for all logits together, (m, directions)."""
    columns = np.linalg.lstsq(design.x, groups)[0]
    p = len(columns)
    if design.specification.model == "ordered":
        return np.vstack([columns[1:], -np.repeat(columns[:1], m - p + 1, axis=0)])
    logits = [*np.eye(m // p), np.ones(m // p)]
    return np.hstack([np.kron(logit[:, None], columns) for logit in logits])


def _groups(design: Design) -> Values:
    """Return the groups, (K, groups): everyone, products, and the people with each answer to a covariate; with scores,
    the distances from both ends."""
    products = [column for levels, column in zip(design.terms, design.x.T, strict=True) if len(levels) > 1]
    groups = [np.ones(len(design.options)), *products]
    for place, covariate in enumerate(design.specification.covariates, 1):
        given = design.options[:, place]
        if covariate.scores is None:
            groups += [(given == option).astype(np.float64) for option in range(design.shape[place])]
        else:
            scores = np.array(covariate.scores, dtype=np.float64)[given]
            groups += [scores - scores.min(), scores.max() - scores]
    return np.stack(groups, axis=1)
