"""One known margin: a question's shares, weighted by the known shares of another question's answers (M41)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.forms.crossed import Crossed
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.summaries import effective_n
from ldp.weighting import scores
from ldp.weighting.scores import Law

Laws = Callable[[Values], tuple[Law, ...]]

# Known shares are printed with few decimals, so they add up to 1 within this tolerance.
ROUNDING = 0.001


class TooFewStrata(ValueError):
    """Strata with a share in the population that are too small among the people who answered. `needed` has, for each,
    about the number of reports about both questions that would be enough at the present shares."""

    def __init__(self, needed: dict[str, int]) -> None:
        each = ", ".join(f"{option} (about {reports:,} would be enough)" for option, reports in needed.items())
        super().__init__(f"too few reports are about these answers to weight by them: {each}")
        self.needed = needed


@dataclass(frozen=True)
class Weighted:
    """A question's weighted and unweighted shares, in the order of its categories, with standard errors for a
    population. `sums` gets columns, (d, m), and returns for each the law of a report's score of the sum of weighted
    shares; `plain` does so for unweighted shares. `n` is the number of reports about all questions."""

    n: int
    estimates: Values
    unweighted: Values
    unweighted_errors: Values
    sums: Laws
    plain: Laws

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """The laws of the shares' scores."""
        return self.sums(np.eye(len(self.estimates)))

    @property
    def standard_errors(self) -> Values:
        return np.sqrt([law.variance / self.n for law in self.laws])

    @property
    def design_effects(self) -> list[float]:
        """The variance of each weighted share over that of the unweighted one."""
        pairs = zip(self.standard_errors, self.unweighted_errors, strict=True)
        return [float(own / other) ** 2 if other else 1.0 for own, other in pairs]

    @property
    def effective_n(self) -> list[float]:
        """The number of answers from a random part of the population, without privacy, with each share's error."""
        pairs = zip(self.estimates.tolist(), self.standard_errors.tolist(), strict=True)
        return [effective_n(share, error) if error else 0.0 for share, error in pairs]

    def intervals(self, confidence: float) -> Values:
        """Return the interval of each weighted share alone, (d, 2). All hold at once at
        intervals.bonferroni(confidence, d)."""
        each = zip(self.laws, self.estimates.tolist(), strict=True)
        return np.array([law.share_interval(share, self.n, confidence) for law, share in each])


def weighted(crossing: Crossed, shares: Sequence[float], n: int | None = None) -> Weighted:
    """Return the shares of the second variable, weighted by the known shares of the first one's categories (M41). An
    expected crossing (ldp/planning/expectation.py) has the errors of `n` reports. ValueError if the known shares are
    not shares; TooFewStrata if a stratum is too small (M31)."""
    known, n = checked(shares, crossing.shape[0]), crossing.n if n is None else n
    require_strata(crossing, known, n)
    # A stratum that is empty in the population has no weight, and may be too small to divide by.
    strata = np.where(known > 0, crossing.margins[0][0], np.inf)
    made = by_factors(crossing, known / strata, crossing.joint / strata[:, None])
    return replace(made, n=n, unweighted_errors=made.unweighted_errors * math.sqrt(crossing.n / n))


def by_factors(crossing: Crossed, factors: Values, fitted: Values) -> Weighted:
    """Return the shares with a factor for each of the first variable's categories, (d1,), and the fitted shares in it,
    (d1, d2)."""
    unweighted, errors = crossing.margins[1]

    def laws(factors: Values, fitted: Values) -> Laws:
        return lambda sums: scores.laws(crossing, sums, factors, fitted)

    own, plain = laws(factors, fitted), laws(np.ones_like(factors), np.zeros_like(fitted))
    return Weighted(crossing.n, unweighted + (factors - 1) @ crossing.joint, unweighted, errors, own, plain)


def checked(shares: Sequence[float], d: int) -> Values:
    """Return known shares of d categories, (d,), scaled to add up to exactly 1. They must add up to 1 within ROUNDING.
    ValueError names the rule."""
    known = np.asarray(shares, dtype=np.float64)
    if known.shape != (d,):
        raise ValueError(f"known shares must be {d}, one for each answer")
    if not (np.isfinite(known) & (known >= 0)).all():
        raise ValueError("known shares must not be negative")
    total = math.fsum(known)
    if abs(total - 1) > ROUNDING:
        raise ValueError("known shares must add up to 1")
    return known / total


def require_strata(crossing: Crossed, known: Values, n: int) -> None:
    """Raise TooFewStrata if a category of the first variable with a known share is small for n reports."""
    strata, errors = crossing.margins[0]
    errors = errors * math.sqrt(crossing.n / n)
    small = (strata <= SUBGROUP_ERRORS_MIN * errors) & (known > 0)
    if small.any():
        names = crossing.first.options
        raise TooFewStrata({names[s]: needed(strata[s], errors[s], n) for s in np.flatnonzero(small)})


def needed(share: float, error: float, n: int) -> int:
    """Return about how many reports would show a stratum, in two digits, rounded up. A share below its standard error
    counts as equal to it."""
    ratio = SUBGROUP_ERRORS_MIN * (error / share if share > error else 1)
    return rounded_up(math.floor(n * ratio**2) + 1)


def rounded_up(reports: int) -> int:
    """Return a number rounded up to two digits."""
    unit = int(10 ** max(0, len(str(reports)) - 2))
    return math.ceil(reports / unit) * unit
