"""Least squares from pairs: a linear model of questions that no one was asked all at once (M47).

Least squares needs only the means of its columns and of their products two by two. Mean products of a form's questions
follow from its reports, so overlapping forms of different people have all of them. A column is a number for each option
of a question, minus the plain mean over the options. A covariate with steps has one column, any other one indicator for
each option but the reference. A form's `Source` is the tally of its draw (draw_scores.py), or its reports
(report_scores.py).

Each mean is pooled over its sources, with weights from the tables. The errors of the coefficients and of predictions
are linear in the means' errors (delta method). So their covariance is that of one report's scores, added over the
independent reports of all sources. Nothing else is assumed.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ldp.arrays import Values
from ldp.regression.columns import Column, columns_of
from ldp.regression.effects import Curve, Effect
from ldp.regression.specification import Covariate, Specification

# The columns' covariance must be this many standard errors above 0 in each direction.
ERRORS_MIN = 5.0


class TooFewPairs(ValueError):
    """The columns' covariance may be singular. `needed` is the number of reports that would be enough."""

    def __init__(self, n: int, needed: int) -> None:
        super().__init__(f"{n} reports are too few for this model: about {needed} would be enough")
        self.n, self.needed = n, needed


class PairsMissing(ValueError):
    """No report is about both keys of any of these `pairs`."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(f"no one was asked both: {', '.join(' and '.join(pair) for pair in pairs)}")
        self.pairs = tuple(pairs)


class Source(Protocol):
    """At least one report of a form about the questions `keys`. No report is in two sources."""

    @property
    def keys(self) -> tuple[str, ...]: ...
    @property
    def n(self) -> int: ...
    @property
    def options(self) -> Mapping[str, int]:
        """The number of options of each question."""

    def information(self, keys: Collection[str]) -> float:
        """Return a report's information about the mean product of columns of these questions, at equal shares."""

    def mean(self, one: Column, other: Column) -> float:
        """Return the mean product of two columns of the source's questions."""

    def covariance(self, columns: Sequence[Column], linear: Values, pooled: Values) -> Values:
        """Return the covariance of the scores of one report, each a sum over products of columns with these weights,
        (q, P, P): (q, q). `pooled` are the mean products over all sources, (P, P)."""


class Pairs:
    """The pooled means of products of columns: 1, the covariates' columns, and last the outcome's."""

    def __init__(self, specification: Specification, sources: Sequence[Source]) -> None:
        check_pairs(specification.keys, [source.keys for source in sources])
        self.sources = sources
        self.columns = columns_of(specification, {key: d for source in sources for key, d in source.options.items()})

    @property
    def n(self) -> int:
        return n_about(self.sources)

    def _information(self, source: Source) -> Values:
        """Return a report's information from this source about each mean product, (P, P): 0 where it has none."""
        keys = [column.key for column in self.columns]
        known: dict[frozenset[str], float] = {}
        information = np.zeros((len(keys), len(keys)))
        for a, b in np.ndindex(*information.shape):
            both = frozenset(key for key in (keys[a], keys[b]) if key is not None)
            if both <= set(source.keys):
                known[both] = known[both] if both in known else source.information(both)
                information[a, b] = known[both]
        return information

    @cached_property
    def weights(self) -> Values:
        """The weight of one report of each source for each mean product, (sources, P, P). All reports' weights add up
        to 1."""
        each = np.array([self._information(source) for source in self.sources])
        numbers = np.array([source.n for source in self.sources], dtype=np.float64)
        return np.asarray(each / np.tensordot(numbers, each, 1))

    @cached_property
    def products(self) -> Values:
        """The mean products, (P, P)."""
        sums = np.zeros((len(self.columns), len(self.columns)))
        for weights, source in zip(self.weights, self.sources, strict=True):
            for a, b in np.argwhere(np.triu(weights) > 0):
                sums[a, b] += weights[a, b] * source.n * source.mean(self.columns[a], self.columns[b])
        return np.asarray(sums + np.triu(sums, 1).T)

    def covariance(self, linear: Values) -> Values:
        """Return the covariance, (q, q), of sums of the mean products with weights `linear`, (q, P, P)."""
        return np.asarray(
            sum(
                source.n * source.covariance(self.columns, linear * weights, self.products)
                for weights, source in zip(self.weights, self.sources, strict=True)
            )
        )


def n_about(sources: Sequence[Source]) -> int:
    """Return the number of reports about two or more questions."""
    return sum(source.n for source in sources if len(source.keys) > 1)


def pairs_of(keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(keys) for other in keys[place + 1 :]]


def check_pairs(keys: Sequence[str], together: Sequence[Sequence[str]]) -> None:
    """Raise PairsMissing if some pair of the keys is in none of these lists."""
    known = {frozenset(pair) for each in together for pair in pairs_of(each)}
    if missing := [pair for pair in pairs_of(keys) if frozenset(pair) not in known]:
        raise PairsMissing(missing)


def n_pair(keys: Sequence[str], sources: Sequence[Source]) -> int:
    """Return the least number of reports about two of the keys."""
    return min(sum(source.n for source in sources if {*pair} <= {*source.keys}) for pair in pairs_of(keys))


# The model ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairsFit:
    """`parameters` are the intercept and the coefficients of the covariates' columns, in the order of `terms`: key and
    option, None for a covariate with scores. `moves`, (p, P, P), are the changes of the parameters by errors of the
    mean products."""

    specification: Specification
    pairs: Pairs
    parameters: Values
    moves: Values

    @property
    def n(self) -> int:
        return self.pairs.n

    @property
    def terms(self) -> list[tuple[str, int | None] | None]:
        return [None if column.key is None else (column.key, column.option) for column in self.pairs.columns[:-1]]

    @cached_property
    def covariance(self) -> Values:
        """The parameters' covariance matrix for a population, (p, p)."""
        return self.pairs.covariance(self.moves)

    @property
    def standard_errors(self) -> Values:
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def predicted(self, covariate: Covariate) -> list[Effect]:
        """Return the mean score at every option of the covariate, other answers unchanged: the sum of the outcome's
        mean and the coefficients times (the option's columns - their means)."""
        outcome, (means, levels) = self.pairs.columns[-1], self._levels(covariate)
        moves, estimates = [], []
        for level in levels:
            apart = np.zeros(len(self.parameters))
            apart[self._places(covariate)] = level - means
            moved = np.tensordot(apart, self.moves, 1)
            moved[0, -1] += 1.0
            moved[0, self._places(covariate)] -= self.parameters[self._places(covariate)]
            moves.append(moved)
            estimates.append(outcome.middle + self.pairs.products[0, -1] + apart @ self.parameters)
        errors = np.sqrt(np.diag(self.pairs.covariance(np.array(moves))))
        each = enumerate(zip(estimates, errors, strict=True))
        return [_effect(covariate.key, option, None, *number) for option, number in each]

    def marginal(self, covariate: Covariate) -> list[Effect]:
        """Return the differences of the mean score at each option of the covariate from that at its reference."""
        _, levels = self._levels(covariate)
        made = []
        for option, level in enumerate(levels):
            weights = np.zeros(len(self.parameters))
            weights[self._places(covariate)] = level - levels[covariate.reference]
            error = math.sqrt(max(float(weights @ self.covariance @ weights), 0.0))
            made.append(_effect(covariate.key, option, covariate.reference, float(weights @ self.parameters), error))
        return [effect for effect in made if effect.option != covariate.reference]

    def _places(self, covariate: Covariate) -> list[int]:
        """Return the places of the covariate's columns."""
        return [place for place, column in enumerate(self.pairs.columns[:-1]) if column.key == covariate.key]

    def _levels(self, covariate: Covariate) -> tuple[Values, Values]:
        """Return the means of the covariate's columns, (columns,), and their values at each option, (d, columns), less
        their middles."""
        places = self._places(covariate)
        values = np.stack([self.pairs.columns[place].values for place in places], axis=1)
        return self.pairs.products[0, places], values


def _effect(key: str, option: int, reference: int | None, estimate: float, error: float) -> Effect:
    curve = Curve(np.array([error]), np.zeros(1))
    return Effect(key, option, reference, None, float(estimate), curve)


def fit(specification: Specification, sources: Sequence[Source]) -> PairsFit:
    """Return the fit of a linear model without interactions (M47). PairsMissing if no report is about some pair of its
    questions, TooFewPairs if its columns may depend on each other."""
    if specification.model != "linear" or specification.interactions:
        raise ValueError("only linear models without interactions can be computed from pairs")
    pairs = Pairs(specification, sources)
    check(pairs)
    columns, products = pairs.columns, pairs.products
    inverse = np.linalg.inv(products[:-1, :-1])
    slopes = inverse @ products[:-1, -1]
    p = len(columns) - 1
    # The errors of the equations E[x (y - x'b)] = 0.
    linear = np.zeros((p, p + 1, p + 1))
    linear[np.arange(p), np.arange(p), -1] = 1.0
    linear[np.arange(p), np.arange(p), :-1] = -slopes
    # The intercept for columns with their middles.
    turn = np.eye(p)
    turn[0, 1:] = [-column.middle for column in columns[1:-1]]
    parameters = turn @ slopes
    parameters[0] += columns[-1].middle
    return PairsFit(specification, pairs, parameters, np.tensordot(turn @ inverse, linear, 1))


def check(pairs: Pairs) -> None:
    """Raise TooFewPairs if in some direction the covariance of the covariates' columns is not surely above 0."""
    products = pairs.products[:-1, :-1]
    means = products[0, 1:]
    covariance = products[1:, 1:] - np.outer(means, means)
    _surely_positive(pairs, np.eye(len(means)), covariance)
    scale = np.sqrt(np.diag(covariance))
    _, turned = np.linalg.eigh(covariance / np.outer(scale, scale))
    _surely_positive(pairs, (turned / scale[:, None]).T, covariance)


def _surely_positive(pairs: Pairs, directions: Values, covariance: Values) -> None:
    """Raise TooFewPairs if the covariance is not surely above 0 in one of these directions, (q, columns)."""
    p, means = len(pairs.columns), pairs.products[0, 1:-1]
    linear = np.zeros((len(directions), p, p))
    linear[:, 1:-1, 1:-1] = directions[:, :, None] * directions[:, None, :]
    linear[:, 0, 1:-1] = -2 * (directions @ means)[:, None] * directions
    values = np.einsum("qa,ab,qb->q", directions, covariance, directions)
    errors = np.sqrt(np.diag(pairs.covariance(linear)))
    least = float((values / errors).min())
    if least < ERRORS_MIN:
        raise TooFewPairs(pairs.n, _rounded(pairs.n * (ERRORS_MIN / max(least, 1.0)) ** 2))


def _rounded(needed: float) -> int:
    """Return a number rounded up to two digits."""
    step = 10 ** max(math.floor(math.log10(needed)) - 1, 0)
    return int(math.ceil(needed / step) * step)
