"""Several known margins: strata by more than one question, weighted by raking (M41; Deming and Stephan 1940).

A combination c of strata gets the factor f_c = exp(x_c' b), x_c indicating its category of each question, so that every
category has its known share: sum of f_c t(c) x_c = W. With H = sum of f_c t(c) x_c x_c' and B_j = H^-1 sum of f_c t(c,
j) x_c, a report's score of the weighted share of j is sum of f_c (phi(c, j) - x_c' B_j phi(c)) (Deville and Särndal
1992). With one margin x_c' B_j is t(s, j)/t(s), as in `margin`.

Bits for each category add up to 1 only on average. Each gets an equal part of the difference. This keeps the means, so
t remains unbiased, and removes noise, because the bits' errors are independent and their sum is known. The weighted
question keeps its scores, so its unweighted shares are the published ones. Then only the other questions' scores count
the strata.

A factor's relative error is its logarithm's error, which must be at most 1/SUBGROUP_ERRORS_MIN. With one margin this
means that a stratum's share is SUBGROUP_ERRORS_MIN standard errors above 0.
"""

import dataclasses
import math
from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.variables import Variable
from ldp.regression.factors import draws
from ldp.regression.sample import ReportSample, Sample, total
from ldp.weighting.margin import Laws, Weighted, checked, rounded_up
from ldp.weighting.scores import Law, adds_up

ROUNDS_MAX = 1000
CLOSE = 1e-12
# More possible reports are not searched for the least and largest score: then only received reports count.
REPORTS_MAX = 1 << 16


class NotRaked(ValueError):
    """The factors are too uncertain. `needed` is about how many reports would be enough, None if unknown."""

    def __init__(self, needed: int | None) -> None:
        enough = "" if needed is None else f": about {needed:,} would be enough"
        super().__init__(f"too few reports are about all of these to weight by them{enough}")
        self.needed = needed


def raked(
    sample: Sample, variables: Sequence[Variable], margins: Sequence[Sequence[float]], n: int | None = None
) -> Weighted:
    """Return the shares of a sample's last variable, weighted by the known shares of each other variable's categories
    (M41). An expected sample (ldp/regression/expectation.py) has the errors of `n` reports. ValueError if the margins
    are not shares; NotRaked if factors are too uncertain."""
    *sizes, d = sample.shape
    if len(margins) != len(sizes):
        raise ValueError(f"known shares must be given for {len(sizes)} questions")
    known = np.concatenate([checked(shares, size) for shares, size in zip(margins, sizes, strict=True)])
    reports = StrataReports(with_sums(sample, variables, range(len(sizes))), adds_up(variables[-1]))
    n = reports.n if n is None else n
    joint, design = reports.joint, _design(sizes)
    factors = _factors(reports.strata, design, known)
    curvature = np.asarray(np.linalg.pinv((design.T * (factors * reports.strata)) @ design, hermitian=True), np.float64)
    _require_certain(reports, n, design, factors, curvature)
    fitted = design @ curvature @ design.T @ (factors[:, None] * joint)
    own, plain = reports.sums(factors, fitted), reports.sums(np.ones_like(factors), np.zeros_like(fitted))
    errors = np.sqrt([law.variance / n for law in plain(np.eye(d))])
    return Weighted(n, factors @ joint, joint.sum(axis=0), errors, own, plain)


def strata(sample: Sample, variables: Sequence[Variable]) -> list[Values]:
    """Return, for each variable but the last, its categories' shares among the people asked all questions, with
    standard errors for a population, (d, 2)."""
    places = range(len(variables))
    each = [with_sums(sample, variables, [k for k in places if k != place]) for place in places[:-1]]
    return [_margin(reports, place) for place, reports in enumerate(each)]


def _margin(reports: Sample, place: int) -> Values:
    own = np.indices(reports.shape)[place].ravel()
    means, variances = _moments(reports, reports.weighted(np.eye(reports.shape[place])[own]))
    return np.stack((means, np.sqrt(variances / total(reports))), axis=1)


# Scores ---------------------------------------------------------------------------------------------------------------


def with_sums(sample: Sample, variables: Sequence[Variable], places: Collection[int]) -> Sample:
    """Return a sample in which the scores of the variables at these places add up to 1 in every report."""
    if not isinstance(sample, ReportSample):
        return sample
    phi = [
        own + (1 - own.sum(axis=1, keepdims=True)) / own.shape[1] if set(draw) <= set(places) else own
        for own, draw in zip(sample.phi, draws(variables), strict=True)
    ]
    return dataclasses.replace(sample, phi=tuple(phi))


class StrataReports:
    """A sample whose last variable is weighted by strata of the others, C combinations. `sums`: the last variable's
    scores add up to 1 too; otherwise it has a separate draw."""

    def __init__(self, sample: Sample, sums: bool) -> None:
        *self._sizes, self.d = sample.shape
        self._whole, self.n = sample, total(sample)
        self._alone = None if sums or not isinstance(sample, ReportSample) else _without_last(sample)

    @cached_property
    def joint(self) -> Values:
        """The shares of the strata with each category of the last variable, (C, d)."""
        return self._whole.shares.reshape(-1, self.d)

    @cached_property
    def strata(self) -> Values:
        """The shares of the strata, (C,)."""
        return self.joint.sum(axis=1) if self._alone is None else self._alone.shares

    def sums(self, factors: Values, fitted: Values) -> Laws:
        """Return the laws of scores of sums of shares, with a factor for each stratum, (C,), and the fitted shares in
        it, (C, d)."""
        return lambda sums: self.laws(factors[:, None, None] * sums, -factors[:, None] * (fitted @ sums))

    def laws(self, both: Values, strata: Values) -> tuple[Law, ...]:
        """Return the laws of m scores that have a value for each stratum with a category, (C, d, m), and one for each
        stratum, (C, m)."""
        means, variances = _moments(self._whole, self._scores(self._whole, self._alone, both, strata))
        every = _every_report(self._whole)
        alone = None if self._alone is None else _without_last(every)  # type: ignore[arg-type]
        possible = self._scores(every, alone, both, strata)
        ends = possible.min(axis=0), possible.max(axis=0)
        return tuple(Law(*map(float, each)) for each in zip(means, variances, *ends, strict=True))

    def _scores(self, whole: Sample, alone: Sample | None, both: Values, strata: Values) -> Values:
        if alone is None:
            both = both + strata[:, None]
        scores = whole.weighted(both.reshape(-1, both.shape[-1]))
        return scores if alone is None else scores + alone.weighted(strata)


def _without_last(sample: ReportSample) -> ReportSample:
    """Return the same reports with only the strata's scores."""
    d = sample.shape[-1]
    order = None if sample.order is None else sample.order[::d] // d
    places = sample.places[:, :-1]
    return ReportSample(sample.shape[:-1], sample.phi[:-1], sample.chances[:-1], places, sample.counts, order)


# Factors --------------------------------------------------------------------------------------------------------------


def _design(sizes: Sequence[int]) -> Values:
    """Return a row for each combination, with a 1 in its category of each question, (combinations, categories)."""
    places = np.indices(sizes).reshape(len(sizes), -1)
    return np.hstack([np.eye(size)[own] for size, own in zip(sizes, places, strict=True)])


def _factors(strata: Values, design: Values, known: Values) -> Values:
    """Return the factors by iterative proportional fitting, (combinations,). NotRaked if a category is estimated at 0
    or less, or fitting does not converge, because cells may be below 0."""
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


def _require_certain(reports: StrataReports, n: int, design: Values, factors: Values, curvature: Values) -> None:
    """Raise NotRaked if the logarithm of the factor of any combination with people is too uncertain."""
    logarithms = (factors[:, None] * (design @ curvature @ design.T))[:, factors > 0]
    both = np.zeros((len(factors), reports.d, logarithms.shape[1]))
    largest = max(law.variance for law in reports.laws(both, logarithms)) * SUBGROUP_ERRORS_MIN**2
    if not largest < n:
        raise NotRaked(rounded_up(math.floor(largest) + 1))


def _moments(sample: Sample, scores: Values) -> tuple[Values, Values]:
    """Return the means and variances, (m,) each, of reports' scores, (v, m)."""
    means = sample.counts @ scores / total(sample)
    return means, sample.counts @ (scores - means) ** 2 / total(sample)


def _every_report(sample: Sample) -> Sample:
    """Return one report for each combination of received values; the received reports if these are too many."""
    if not isinstance(sample, ReportSample) or math.prod(len(phi) for phi in sample.phi) > REPORTS_MAX:
        return sample
    places = np.indices([len(phi) for phi in sample.phi]).reshape(len(sample.phi), -1).T
    return dataclasses.replace(sample, places=places, counts=np.ones(len(places), dtype=np.int64))
