"""Several known margins: strata by more than one question, weighted by raking (M41; Deming and Stephan 1940).

A combination c of strata gets the factor f_c = exp(x_c' b), x_c telling its category of each question, with which every
category is as common as it is known to be: sum of f_c t(c) x_c = W. With H = sum of f_c t(c) x_c x_c' and B_j = H^-1
sum of f_c t(c, j) x_c a report's score of the weighted share of j is sum of f_c (phi(c, j) - x_c' B_j phi(c)) (Deville
and Särndal 1992). With one margin x_c' B_j is t(s, j)/t(s), and all of it is `margin`.

A factor is known as well as its logarithm, whose standard error must be at most 1/SUBGROUP_ERRORS_MIN: for one margin
that is the rule that a stratum's share is so many standard errors above 0.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.variables import Variable
from ldp.regression.sample import ReportSample, Sample, total
from ldp.weighting.margin import Weighted, checked, rounded_up
from ldp.weighting.scores import Law, adds_up

Values = npt.NDArray[np.float64]

ROUNDS_MAX = 1000
CLOSE = 1e-12
# Reports there can be, of which the least and the largest score are looked for; of more those that came count.
REPORTS_MAX = 1 << 16


class NotRaked(ValueError):
    """No factors that say anything. `needed` is about how many reports would do, None where that cannot be told."""

    def __init__(self, needed: int | None) -> None:
        enough = "" if needed is None else f": about {needed:,} would do"
        super().__init__(f"too few reports are about all of these to weight by them{enough}")
        self.needed = needed


def raked(sample: Sample, variables: Sequence[Variable], margins: Sequence[Sequence[float]]) -> Weighted:
    """The shares of the last of the variables of a sample by the known shares of each of the others' categories.
    ValueError where those are no shares, or a question's scores do not add up to 1; NotRaked."""
    if not all(map(adds_up, variables)):
        raise ValueError("several margins need questions whose scores add up to 1: not bits, or noise for each option")
    *sizes, d = sample.shape
    if len(margins) != len(sizes):
        raise ValueError(f"known shares must be given for {len(sizes)} questions")
    known = np.concatenate([checked(shares, size) for shares, size in zip(margins, sizes, strict=True)])
    joint, design = sample.shares.reshape(-1, d), _design(sizes)
    factors = _factors(joint.sum(axis=1), design, known)
    curvature = np.linalg.pinv((design.T * (factors * joint.sum(axis=1))) @ design, hermitian=True)
    _require_certain(sample, design, factors, curvature, d)
    fitted = design @ curvature @ design.T @ (factors[:, None] * joint)
    scores = factors[:, None, None] * (np.eye(d) - fitted[:, None])
    plain = _laws(sample, np.tile(np.eye(d), (len(factors), 1)))
    errors = np.sqrt([law.variance / total(sample) for law in plain])
    return Weighted(total(sample), factors @ joint, _laws(sample, scores.reshape(-1, d)), joint.sum(axis=0), errors)


def strata(sample: Sample) -> list[Values]:
    """The shares of each variable's categories, but of the last one's, among those who were asked all, with their
    standard errors for a population, (d, 2)."""
    *sizes, d = sample.shape
    means, variances = _moments(sample, sample.weighted(np.repeat(_design(sizes), d, axis=0)))
    each = np.stack((means, np.sqrt(variances / total(sample))), axis=1)
    return np.split(each, np.cumsum(sizes)[:-1])


def _design(sizes: Sequence[int]) -> Values:
    """For each combination of categories a 1 for its category of each question, (combinations, categories)."""
    places = np.indices(sizes).reshape(len(sizes), -1)
    return np.hstack([np.eye(size)[own] for size, own in zip(sizes, places, strict=True)])


def _factors(strata: Values, design: Values, known: Values) -> Values:
    """By iterative proportional fitting. NotRaked where it meets a category that is estimated at 0 or less, or does not
    settle: cells may be below 0."""
    factors = np.ones(len(strata))
    for _ in range(ROUNDS_MAX):
        before = factors
        for column, share in zip(design.T, known, strict=True):
            reached = float(column @ (factors * strata)) if share else 1.0
            if reached <= 0:
                raise NotRaked(None)
            factors = np.where(column > 0, factors * share / reached, factors)
        if np.abs(factors - before).max() <= CLOSE * np.abs(factors).max():
            return factors
    raise NotRaked(None)


def _require_certain(sample: Sample, design: Values, factors: Values, curvature: Values, d: int) -> None:
    """NotRaked where the logarithm of the factor of any combination that people are in is too uncertain."""
    logarithms = factors[:, None] * (design @ curvature @ design.T)
    laws = _laws(sample, np.repeat(logarithms[:, factors > 0], d, axis=0))
    largest = max(law.variance for law in laws) * SUBGROUP_ERRORS_MIN**2
    if not largest < total(sample):
        raise NotRaked(rounded_up(math.floor(largest) + 1))


def _laws(sample: Sample, values: Values) -> tuple[Law, ...]:
    """The laws of reports' scores that have these values for each combination of answers, (K, m)."""
    means, variances = _moments(sample, sample.weighted(values))
    possible = _every_report(sample).weighted(values)
    ends = possible.min(axis=0), possible.max(axis=0)
    return tuple(Law(*map(float, each)) for each in zip(means, variances, *ends, strict=True))


def _moments(sample: Sample, scores: Values) -> tuple[Values, Values]:
    """Means and variances of reports' scores, (v, m)."""
    means = sample.counts @ scores / total(sample)
    return means, sample.counts @ (scores - means) ** 2 / total(sample)


def _every_report(sample: Sample) -> Sample:
    """Each report that can be put together of those that came, once; of too many those that came."""
    if not isinstance(sample, ReportSample) or math.prod(len(phi) for phi in sample.phi) > REPORTS_MAX:
        return sample
    places = np.indices([len(phi) for phi in sample.phi]).reshape(len(sample.phi), -1).T
    return dataclasses.replace(sample, places=places, counts=np.ones(len(places), dtype=np.int64))
