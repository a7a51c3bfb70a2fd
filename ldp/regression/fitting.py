"""The solution of sum_c t_c grad l_c(b) = 0 and its variance (M40).

t_c are the unbiased shares of the combinations of answers; some may be below 0. So the equations may have no solution,
or a far one. A fit is rejected if in some direction the curvature is less than ERRORS_MIN standard errors above 0. The
variance is robust: it assumes only independent reports, neither the model nor the noise.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldp.arrays import Integers, Values
from ldp.inference.estimates import onto_simplex
from ldp.regression import models, sample, truncation
from ldp.regression.design import Design
from ldp.regression.models import CERTAIN, Model, Term
from ldp.regression.sample import Sample
from ldp.regression.specification import Specification
from ldp.regression.truncation import INFORMATION_MIN, Borders, Squares, reach_of

# Below this, in simulations (benchmarks/relations.py), the coefficients' intervals no longer keep their level.
ERRORS_MIN = 6.0
# The planned mean number of standard errors, at which nearly all samples exceed ERRORS_MIN.
ERRORS_PLANNED = 7.3
# A chance that counts as impossible in the model, and the largest share of people with impossible answers at which
# covariates still determine the outcome.
IMPOSSIBLE, DETERMINED = 0.01, 1e-3
# The largest standard error of a logit. Its interval spans odds of a factor of e^8.
LOGIT_ERROR_MAX = 2.0
ROUNDS_MAX = 60
# Shares that agree to this many decimals are equally rare.
TIED = 9
_CLOSE = 1e-10


class TooFewToFit(ValueError):
    """Too few reports for a solution. `needed` is the number that would be enough, None if unknown."""

    def __init__(self, n: int, needed: int | None) -> None:
        enough = "the number that would be enough is unknown" if needed is None else f"about {needed} would be enough"
        super().__init__(f"{n} reports are too few for this model: {enough}")
        self.n, self.needed = n, needed


class Separated(ValueError):
    """The covariates surely determine the outcome, except for at most the share DETERMINED of people, so no finite
    coefficient is the best."""

    def __init__(self) -> None:
        super().__init__("some answers determine the outcome: the coefficients have no finite value")


@dataclass(frozen=True)
class Fit:
    """A solution. `parameters`, (m,), are in the order of `terms`. The design `judged` decides whether the fit is
    shown."""

    design: Design
    model: Model
    sample: Sample
    parameters: Values
    judged: Design

    @property
    def n(self) -> int:
        return sample.total(self.sample)

    @property
    def terms(self) -> list[Term]:
        return self.model.terms

    @cached_property
    def _inverse(self) -> Values:
        curvature = np.tensordot(self.sample.shares, self.model.curvature(self.parameters), 1)
        return np.asarray(np.linalg.inv(curvature))

    @cached_property
    def influence(self) -> Values:
        """Each different report's part of n times the error of the parameters, (v, m)."""
        return np.asarray(self.sample.weighted(self.model.gradient(self.parameters)) @ self._inverse)

    @cached_property
    def covariance(self) -> Values:
        """The parameters' covariance matrix for a population, (m, m)."""
        return spread(self.sample.counts, self.influence, len(self.parameters))

    @property
    def standard_errors(self) -> Values:
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    @cached_property
    def ways(self) -> Values:
        """Rows by which independent standard normals move the parameters like their errors, (m, m)."""
        scale = self.standard_errors
        values, vectors = np.linalg.eigh(self.covariance / np.outer(scale, scale))
        return np.asarray((scale[:, None] * vectors * np.sqrt(np.maximum(values, 0))).T)

    @cached_property
    def squares(self) -> Squares:
        return truncation.squares(self.design, self.judged, self.model, self.sample, self.parameters)

    def borders(self, weights: Values) -> Borders:
        """Return the borders that decide whether a sum of parameters with these weights is shown."""
        if self.design.specification.model == "linear":
            return Borders(np.empty(0), np.empty(0))
        errors, differing, counts = self.squares.errors, self.squares.differing, self.sample.counts
        own = self.influence @ weights
        own = own - counts @ own / counts.sum()
        size = np.sqrt((counts @ own**2) * (counts @ differing**2))
        known = np.isfinite(errors) & (size > 0)
        return Borders(errors[known], (own * counts @ differing)[known] / size[known])

    def widening(self, confidence: float) -> Values:
        """Return by how much each parameter's limits are farther out than a normal interval's, (m, 2), because only
        some fits are shown."""
        each = [self.borders(weights).widening(reach_of(confidence)) for weights in np.eye(len(self.parameters))]
        return np.array(each) * self.standard_errors[:, None] * (-1, 1)

    def intervals(self, confidence: float) -> Values:
        """Return intervals of the parameters one by one, (m, 2). An end without a limit is infinite."""
        return around(self.parameters, self.standard_errors, confidence) + self.widening(confidence)


def spread(counts: Integers, influence: Values, m: int) -> Values:
    """Return the covariance, (q, q), of means of influences, (v, q), over the reports. The number of reports is lowered
    by m parameters."""
    n = int(counts.sum())
    centered = influence - counts @ influence / n
    return np.asarray((centered.T * counts) @ centered / n / max(n - m, 1))


def around(estimates: Values, errors: Values, confidence: float) -> Values:
    """Return intervals of normal estimates, (m, 2)."""
    reach = reach_of(confidence) * errors
    return np.stack([estimates - reach, estimates + reach], axis=-1)


def fit(specification: Specification, sample: Sample) -> Fit:
    """Return the fit of a checked specification (M40). TooFewToFit or Separated if there is none; this does not depend
    on the references."""
    start = _start(_strictest(specification, sample), sample)
    check_curvature(start.model, sample, start.parameters)
    judged = _solved(start)
    check_curvature(judged.model, sample, judged.parameters)
    check_information(judged)
    check_errors(judged)
    if judged.design.specification == specification:
        return judged
    return replace(_solved(_start(specification, sample)), judged=judged.design)


def _start(specification: Specification, sample: Sample) -> Fit:
    """Return the start of the search: the fit without effects of covariates."""
    design = Design(specification, sample.shape)
    model, outcome = models.of(design), sample.shares.reshape(sample.shape[0], -1).sum(axis=1)
    return Fit(design, model, sample, model.start(onto_simplex(outcome)), design)


def _strictest(specification: Specification, sample: Sample) -> Specification:
    """Return the model with the rarest answers as references. If these are very rare, the curvature is nearly singular,
    and no other direction shows it."""
    cube = sample.shares.reshape(sample.shape)
    others = [tuple(axis for axis in range(cube.ndim) if axis != place) for place in range(cube.ndim)]
    rarest = [int(cube.sum(axis=each).round(TIED).argmin()) for each in others]
    each = tuple(
        one if one.scores is not None else replace(one, reference=rarest[place])
        for place, one in enumerate(specification.covariates, 1)
    )
    return replace(specification, covariates=each)


def _solved(start: Fit) -> Fit:
    """Return the solution by Newton's steps. A step is halved until the equations are nearer to 0, measured by the
    first curvature. TooFewToFit or Separated if there is none."""
    model, sample, parameters = start.model, start.sample, start.parameters
    measure = np.linalg.inv(_curvature(model, sample, parameters))
    for _ in range(ROUNDS_MAX):
        equations = sample.shares @ model.gradient(parameters)
        step = np.linalg.lstsq(_curvature(model, sample, parameters), equations)[0]
        if np.abs(step).max() <= _CLOSE * (1 + np.abs(parameters).max()):
            return replace(start, parameters=parameters)
        far = equations @ measure @ equations
        for _ in range(ROUNDS_MAX):
            closer = sample.shares @ model.gradient(parameters + step)
            if closer @ measure @ closer < far or np.abs(step).max() <= _CLOSE:
                break
            step = step / 2
        parameters = parameters + step
        if model.certain(parameters):
            break
    raise (
        Separated
        if _separates(replace(start, parameters=parameters))
        else TooFewToFit(start.n, _informed(start.n, 0.0))
    )


def _separates(stopped: Fit) -> bool:
    """Return whether the search stopped because covariates determine the outcome, not because of noise: surely at most
    the share DETERMINED of people give an impossible answer."""
    chances, came = stopped.model.means(stopped.parameters), stopped.design.options[:, 0]
    if stopped.design.specification.model == "linear" or not chances.min() < CERTAIN:
        return False
    impossible = (chances[np.arange(len(came)), came] < IMPOSSIBLE).astype(np.float64)[:, None]
    error = math.sqrt(spread(stopped.sample.counts, stopped.sample.weighted(impossible), 0)[0, 0])
    return float(stopped.sample.shares @ impossible[:, 0]) + INFORMATION_MIN * error <= DETERMINED


def _curvature(model: Model, sample: Sample, parameters: Values) -> Values:
    return np.tensordot(sample.shares, model.curvature(parameters), 1)


def check_curvature(model: Model, data: Sample, parameters: Values) -> None:
    """Raise TooFewToFit if some direction's curvature is not surely above 0."""
    n, (errors, planned) = sample.total(data), curvature_errors(model, data, parameters)
    few = ~(errors >= ERRORS_MIN)
    if few.any():
        raise TooFewToFit(n, _needed(n, np.minimum(planned, ERRORS_MIN)[few].min()))
    if n <= len(parameters):
        raise TooFewToFit(n, _needed(n, 1.0))


def check_information(solution: Fit) -> None:
    """Raise TooFewToFit if some answer may be so rare in a group that its chance is only noise."""
    if solution.design.specification.model == "linear":
        return
    least = float(solution.squares.errors.min())
    if not least >= INFORMATION_MIN:
        raise TooFewToFit(solution.n, _informed(solution.n, least))


def _informed(n: int, errors: float) -> int | None:
    """Return `_needed` for a square, which counts as at least its standard error."""
    return _needed(n, ERRORS_MIN * max(errors, 1.0) / INFORMATION_MIN)


def check_errors(solution: Fit) -> None:
    """Raise TooFewToFit if a logit has too large a standard error for a statement about odds: over the span of a
    column, or for an intercept at the mean of the people's columns."""
    design, m = solution.design, len(solution.parameters)
    if design.specification.model == "linear":
        return
    average, span = onto_simplex(solution.sample.shares) @ design.x, np.ptp(design.x, axis=0)
    spans, logits = dict(zip(design.terms, span.tolist(), strict=True)), np.eye(m)
    for j, (_, levels) in enumerate(solution.terms):
        if levels:
            logits[j] *= spans[levels]
        elif design.specification.model == "ordered":
            logits[j, : len(average) - 1] = -average[1:]
        else:
            logits[j, j : j + len(average)] = average
    largest = float(np.sqrt(np.einsum("ji,ik,jk->j", logits, solution.covariance, logits).max()))
    if not largest <= LOGIT_ERROR_MAX:
        raise TooFewToFit(solution.n, _needed(solution.n, ERRORS_MIN * LOGIT_ERROR_MAX / largest))


def curvature_errors(model: Model, data: Sample, parameters: Values) -> tuple[Values, Values]:
    """Return the curvature in each direction over its standard error, (m,), as estimated and at the nearest possible
    shares. TooFewToFit if no one can be in some direction."""
    each, likely = model.curvature(parameters), onto_simplex(data.shares)
    scale = np.sqrt(np.diag(np.tensordot(likely, each, 1)))
    if not (scale > 0).all():
        raise TooFewToFit(sample.total(data), None)
    _, turned = np.linalg.eigh(np.tensordot(data.shares, each, 1) / np.outer(scale, scale))
    directions = turned / scale[:, None]
    along = np.einsum("kij,ia,ja->ka", each, directions, directions, optimize=True)
    error = np.sqrt(np.diag(spread(data.counts, data.weighted(along), 0)))
    # If every combination has the same curvature, it is known, as for the intercept of a line. If all reports are
    # equal, nothing reveals their variation, and the curvature counts as one standard error above 0.
    same = error <= 1e-12 * np.abs(likely @ along)
    known = same & (np.ptp(along, axis=0) <= 1e-9 * np.abs(along).max(axis=0))
    errors, planned = (
        np.where(known, np.inf, np.where(same, 1.0, shares @ along / np.where(same, 1, error)))
        for shares in (data.shares, likely)
    )
    return errors, planned


def _needed(n: int, errors: float) -> int | None:
    """Return the number of reports, in two digits, at which this many standard errors become ERRORS_PLANNED."""
    if errors <= 0.01:
        return None
    needed = n * (ERRORS_PLANNED / errors) ** 2
    step = 10 ** (math.floor(math.log10(needed)) - 1)
    return int(math.ceil(needed / step) * step)
