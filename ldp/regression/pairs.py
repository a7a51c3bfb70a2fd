"""Least squares from pairs: a linear model of questions that nobody was asked all at once (M47).

Least squares needs the means of its columns and of their products two by two, no more. A draw that asks two questions
tells the mean product of a column of each, so overlapping draws, each of other people, tell all of them. A column is a
number for each option of a question, less their plain mean over the options; of a covariate with steps it is one, else
one indicator for each option but the reference. With w of `product_subsets` and lambda of the draw

    v'w/lambda                   has the mean of a column v
    (v o u - m)'w/lambda + m     of the product of two columns of one question, m the plain mean of v o u
    (v'w)(u'w')/lambda           of the product of columns of two questions.

Each mean is pooled over the draws that tell it, with weights from the tables. The coefficients' errors are linear in
those of the means (delta method), so their covariance is that of one report's scores, taken at the unbiased joint
shares of each draw and added over the draws, whose reports are independent. Nothing but that is taken for granted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp.arrays import Integers, Values
from ldp.inference.product_subsets import Listing, shift
from ldp.regression.specification import Covariate, Specification

# How many of its standard errors the columns' covariance must be above 0 in each direction.
ERRORS_MIN = 5.0


class TooFewPairs(ValueError):
    """The columns' covariance may be singular; `needed` is the number of reports that would do."""

    def __init__(self, n: int, needed: int) -> None:
        super().__init__(f"{n} reports are too few for this model: about {needed} would be enough")
        self.n, self.needed = n, needed


class PairsMissing(ValueError):
    """No draw asks these `pairs` of keys together."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(f"nobody was asked both: {', '.join(' and '.join(pair) for pair in pairs)}")
        self.pairs = tuple(pairs)


@dataclass(frozen=True, eq=False)
class DrawTally:
    """What a draw told of some of its questions, by `keys`. `keep` is lambda; `counts` (d_1, ..., d_s) how many of at
    least one report list each combination of their options. Of one person's draws there is one tally only."""

    keys: tuple[str, ...]
    keep: Fraction
    listings: tuple[Listing, ...]
    counts: Integers

    @property
    def n(self) -> int:
        return int(self.counts.sum()) // math.prod(listing.a for listing in self.listings)

    def of(self, keys: Sequence[str]) -> "DrawTally":
        """What it has of those of its questions that are among these keys."""
        kept = [place for place, key in enumerate(self.keys) if key in keys]
        others = tuple(place for place in range(len(self.keys)) if place not in kept)
        ways = math.prod(self.listings[place].a for place in others)
        counts = np.asarray(self.counts.sum(axis=others) // ways)
        pick = tuple(self.keys[place] for place in kept), tuple(self.listings[place] for place in kept)
        return DrawTally(pick[0], self.keep, pick[1], counts)

    @cached_property
    def joint(self) -> Values:
        """The unbiased joint shares of all its questions, shaped as the counts."""
        products = self.counts / self.n
        for place, listing in enumerate(self.listings):
            # A list has a options, so that 1 is the sum of its symbols over a.
            by_symbols = listing.weights[:, 1:] + listing.weights[:, :1] / listing.a
            products = np.moveaxis(np.tensordot(by_symbols, products, (1, place)), 0, place)
        return np.asarray(products / float(self.keep) - shift(self.keep, products.size))


@dataclass(frozen=True, eq=False)
class _Column:
    """`values` of the options less their plain mean, which is `middle`. The first column is 1, and has no key."""

    key: str | None
    option: int | None
    values: Values
    middle: float


class Pairs:
    """The pooled means of products of columns: 1, the covariates', and the outcome's last."""

    def __init__(self, specification: Specification, tallies: Sequence[DrawTally]) -> None:
        restricted = (tally.of(specification.keys) for tally in tallies)
        self.tallies = [tally for tally in restricted if tally.keys]
        options = {key: each.d for tally in self.tallies for key, each in zip(tally.keys, tally.listings, strict=True)}
        self.columns = _columns(specification, options)
        self._check(specification.keys)

    def _check(self, keys: tuple[str, ...]) -> None:
        together = {frozenset(pair) for tally in self.tallies for pair in _pairs(tally.keys)}
        if missing := [pair for pair in _pairs(keys) if frozenset(pair) not in together]:
            raise PairsMissing(missing)

    @property
    def n(self) -> int:
        return sum(tally.n for tally in self.tallies)

    def _weight(self, tally: DrawTally, a: _Column, b: _Column) -> float:
        """The information of a report of this draw about a mean product at equal shares, but for a factor that all
        draws have in common; 0 where it tells nothing of it."""
        keys = {key for key in (a.key, b.key) if key is not None}
        if not keys <= set(tally.keys):
            return 0.0
        each = [tally.listings[tally.keys.index(key)].variance for key in sorted(keys)]
        return float(tally.keep**2 / math.prod(each, start=Fraction(1)))

    @cached_property
    def weights(self) -> Values:
        """The weight of one report of each draw for each mean product, (draws, P, P): with those of all reports they
        add up to 1."""
        each = [[[self._weight(tally, a, b) for b in self.columns] for a in self.columns] for tally in self.tallies]
        weights, numbers = np.array(each), np.array([tally.n for tally in self.tallies], dtype=np.float64)
        return np.asarray(weights / np.tensordot(numbers, weights, 1))

    @cached_property
    def products(self) -> Values:
        """The mean products, (P, P)."""
        sums = np.zeros((len(self.columns), len(self.columns)))
        for weights, tally in zip(self.weights, self.tallies, strict=True):
            for (a, one), (b, other) in ((x, y) for x in enumerate(self.columns) for y in enumerate(self.columns)):
                if weights[a, b] > 0:
                    sums[a, b] += weights[a, b] * tally.n * _mean(tally, one, other)
        return sums

    def covariance(self, linear: Values) -> Values:
        """That of sums of the mean products with these weights, (q, P, P): (q, q)."""
        return np.asarray(
            sum(
                tally.n * _report_covariance(tally, self.columns, linear * weights)
                for weights, tally in zip(self.weights, self.tallies, strict=True)
            )
        )


def _pairs(keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(keys) for other in keys[place + 1 :]]


def _columns(specification: Specification, options: dict[str, int]) -> list[_Column]:
    outcome = specification.outcome
    scores = specification.scores or tuple(map(float, range(options.get(outcome, 0))))
    covariates = [column for each in specification.covariates for column in _of(each, options.get(each.key, 0))]
    return [_Column(None, None, np.zeros(0), 1.0), *covariates, _column(outcome, None, np.array(scores))]


def _of(covariate: Covariate, d: int) -> list[_Column]:
    if covariate.scores is not None:
        return [_column(covariate.key, None, np.array(covariate.scores))]
    return [_column(covariate.key, k, np.eye(d)[k]) for k in range(d) if k != covariate.reference]


def _column(key: str, option: int | None, values: Values) -> _Column:
    middle = float(values.mean()) if len(values) else 0.0
    return _Column(key, option, values - middle, middle)


def _mean(tally: DrawTally, one: _Column, other: _Column) -> float:
    """The mean product of two columns by this draw."""
    values = {key: np.ones(listing.d) for key, listing in zip(tally.keys, tally.listings, strict=True)}
    for column in (one, other):
        if column.key is not None:
            values[column.key] = values[column.key] * column.values
    sums = tally.joint
    for key in tally.keys:
        sums = np.tensordot(values[key], sums, 1)
    return float(sums)


def _report_covariance(tally: DrawTally, columns: Sequence[_Column], linear: Values) -> Values:
    """The covariance of the scores of one report, each a sum over products of columns with these weights, (q, P, P).

    A score is linear in (1, w) of each question. Given that the lists were made to contain the answers, and given that
    they were not, those of different questions are independent, so the mean of the square of a score is a sum over the
    joint shares of products of second moments.
    """
    lam = float(tally.keep)
    bases = [_basis(listing) for listing in tally.listings]
    scores = _in_bases(tally, columns, linear)
    kept, random = tally.joint, np.ones(())
    for listing, basis in zip(tally.listings, bases, strict=True):
        moments = basis @ listing.containing @ basis.T
        kept = np.tensordot(kept, moments, (0, 0))
        random = np.multiply.outer(random, basis @ listing.random @ basis.T)
    # Axes: first and second factor of each question in turn.
    s = len(bases)
    order = [*range(0, 2 * s, 2), *range(1, 2 * s, 2)]
    whole = (lam * kept + (1 - lam) * random).transpose(order).reshape(scores.shape[1], scores.shape[1])
    mean = scores @ whole[:, 0]
    return np.asarray(scores @ whole @ scores.T - np.outer(mean, mean))


def _basis(listing: Listing) -> Values:
    """1 and w_1 to w_(d-1) by 1 and the symbols: the last w is what makes their sum 1."""
    return np.vstack((np.eye(1, 1 + listing.d), listing.weights[:-1]))


def _in_bases(tally: DrawTally, columns: Sequence[_Column], linear: Values) -> Values:
    """The scores as coefficients of products of the bases of all questions, (q, product of d)."""
    lam, counts = float(tally.keep), [listing.d for listing in tally.listings]
    sums = np.zeros((len(linear), *counts))
    for a, b in np.argwhere(np.abs(linear).max(axis=0) > 0):
        one, other = columns[a], columns[b]
        factors = {}
        if one.key == other.key and one.key is not None:
            product = one.values * other.values
            factors[one.key] = _coefficients(product - product.mean())
            constant = float(product.mean())
        else:
            constant = 0.0
            factors |= {column.key: _coefficients(column.values) for column in (one, other) if column.key is not None}
        if not factors:
            continue
        term = np.ones(()) / lam
        for key, d in zip(tally.keys, counts, strict=True):
            term = np.multiply.outer(term, factors.get(key, np.eye(d)[0]))
        term[(0,) * len(counts)] += constant
        sums += np.multiply.outer(linear[:, a, b], term)
    return sums.reshape(len(linear), -1)


def _coefficients(values: Values) -> Values:
    """The coefficients of v'w in the basis."""
    return np.append(values[-1], values[:-1] - values[-1])


# The model ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairsFit:
    """`parameters` are the intercept and the coefficients of the covariates' columns, in the order of `terms`: key and
    option, None of one with scores. `covariance` is theirs for a population."""

    terms: list[tuple[str, int | None] | None]
    parameters: Values
    covariance: Values
    n: int

    @property
    def standard_errors(self) -> Values:
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def fit(specification: Specification, tallies: Sequence[DrawTally]) -> PairsFit:
    """The linear model of a specification without interactions. PairsMissing where a pair of its questions was asked of
    nobody, TooFewPairs where its columns may depend on each other."""
    if specification.model != "linear" or specification.interactions:
        raise ValueError("pairs tell linear models without interactions")
    pairs = Pairs(specification, tallies)
    check(pairs)
    columns, products = pairs.columns, pairs.products
    inverse = np.linalg.inv(products[:-1, :-1])
    slopes = inverse @ products[:-1, -1]
    p = len(columns) - 1
    # Of the equations' errors, E[x (y - x'b)].
    linear = np.zeros((p, p + 1, p + 1))
    linear[np.arange(p), np.arange(p), -1] = 1.0
    linear[np.arange(p), np.arange(p), :-1] = -slopes
    # The intercept of columns whose middles were not taken off.
    turn = np.eye(p)
    turn[0, 1:] = [-column.middle for column in columns[1:-1]]
    parameters = turn @ slopes
    parameters[0] += columns[-1].middle
    covariance = pairs.covariance(np.tensordot(turn @ inverse, linear, 1))
    terms = [None if column.key is None else (column.key, column.option) for column in columns[:-1]]
    return PairsFit(terms, parameters, covariance, pairs.n)


def check(pairs: Pairs) -> None:
    """TooFewPairs where in some direction the covariance of the covariates' columns is not surely above 0."""
    products = pairs.products[:-1, :-1]
    means = products[0, 1:]
    covariance = products[1:, 1:] - np.outer(means, means)
    _surely_positive(pairs, np.eye(len(means)), covariance)
    scale = np.sqrt(np.diag(covariance))
    _, turned = np.linalg.eigh(covariance / np.outer(scale, scale))
    _surely_positive(pairs, (turned / scale[:, None]).T, covariance)


def _surely_positive(pairs: Pairs, directions: Values, covariance: Values) -> None:
    """`directions` (q, columns)."""
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
    """Two figures, upward."""
    step = 10 ** max(math.floor(math.log10(needed)) - 1, 0)
    return int(math.ceil(needed / step) * step)
