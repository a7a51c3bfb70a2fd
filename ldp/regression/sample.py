"""Reports as unbiased weights of combinations of answers (M40).

The mean of phi_c(z) is 1 if c is the truth of the respondent who sent z, otherwise 0. So the mean of w(z) = sum_c
phi_c(z) v_c over all reports is an unbiased estimate of the mean of any value v of the truth. For questions with
separate draws phi_c is the product of their phi; for one draw it is the score of combinations (M44).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ldp.arrays import Indices, Integers, Values
from ldp.forms.marginals import JointTally
from ldp.forms.results import FormTally, tallied_together
from ldp.forms.schema import Definition
from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.regression.factors import Factor, arranged

# The number of numbers held at once.
AT_ONCE = 1 << 22


class Sample(Protocol):
    """v different reports and their counts, and K combinations in the order of a Design of the same `shape`."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def counts(self) -> Integers:
        """The number of times that each report came, (v,)."""

    @property
    def shares(self) -> Values:
        """Unbiased shares of the combinations, (K,)."""

    def weighted(self, values: Values) -> Values:
        """Return sum_c phi_c(z) v_c for each report, (v, m), from values, (K, m)."""

    def likelihoods(self, shares: Values) -> Values:
        """Return each report's chance if the combinations have these shares, (v,), up to a factor independent of the
        shares."""

    def likelihood_sums(self, factors: Values) -> Values:
        """Return, for each combination, the sum over reports of its likelihood times the report's factor, (K,)."""


def total(sample: Sample) -> int:
    """Return the number of reports."""
    return int(sample.counts.sum())


@dataclass(frozen=True)
class JointSample:
    """Counts of a draw that lists one option of each variable, summed over the draw's other questions. `places` are the
    variables' places in the draw."""

    tally: JointTally
    places: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tally.shape[place] for place in self.places)

    @cached_property
    def counts(self) -> Integers:
        order = sorted(self.places)
        cube = np.array(self.tally.totals(order)).reshape([self.tally.shape[place] for place in order])
        return cube.transpose([order.index(place) for place in self.places]).ravel()

    @cached_property
    def _chances(self) -> tuple[float, float]:
        """The chance that a combination is sent if it is the truth, and if another is."""
        other = (1 - self.tally.lam) / math.prod(self.shape)
        return float(self.tally.lam + other), float(other)

    @cached_property
    def shares(self) -> Values:
        a, b = self._chances
        return np.asarray((self.counts / self.counts.sum() - b) / (a - b))

    def weighted(self, values: Values) -> Values:
        a, b = self._chances
        return np.asarray((values - b * values.sum(axis=0)) / (a - b))

    def likelihoods(self, shares: Values) -> Values:
        a, b = self._chances
        return np.asarray((a - b) * shares + b * shares.sum())

    def likelihood_sums(self, factors: Values) -> Values:
        return self.likelihoods(factors)


@dataclass(frozen=True)
class ReportSample:
    """Single reports. Each factor, of one or more variables, has the scores phi and the likelihoods of its different
    values, each (values, options). `places`, (v, factors), has the position of each report's values. `order` has each
    combination's position in the factors' order, None if the orders agree."""

    shape: tuple[int, ...]
    phi: tuple[Values, ...]
    chances: tuple[Values, ...]
    places: Indices
    counts: Integers
    order: Indices | None = None

    @cached_property
    def shares(self) -> Values:
        return np.asarray(self._columns_summed(self.phi, self.counts) / self.counts.sum())

    def weighted(self, values: Values) -> Values:
        return self._rows_summed(self.phi, values)

    def likelihoods(self, shares: Values) -> Values:
        return self._rows_summed(self.chances, shares[:, None])[:, 0]

    def likelihood_sums(self, factors: Values) -> Values:
        return self._columns_summed(self.chances, factors)

    def _rows_summed(self, each: tuple[Values, ...], values: Values) -> Values:
        return np.concatenate([self._products(each, rows) @ values for rows in self._pieces()])

    def _columns_summed(self, each: tuple[Values, ...], factors: npt.NDArray[Any]) -> Values:
        sums = np.zeros(math.prod(self.shape))
        for rows in self._pieces():
            sums += factors[rows] @ self._products(each, rows)
        return sums

    def _pieces(self) -> Iterable[slice]:
        step = max(1, AT_ONCE // math.prod(self.shape))
        return (slice(start, start + step) for start in range(0, len(self.places), step))

    def _products(self, each: tuple[Values, ...], rows: slice) -> Values:
        """Return, for each report, the products of one number for each factor's options, (v, K)."""
        product = np.ones((len(self.places[rows]), 1))
        for numbers, own in zip(each, self.places[rows].T, strict=True):
            product = (product[:, :, None] * numbers[own][:, None]).reshape(len(product), -1)
        return product if self.order is None else product[:, self.order]


# From single reports --------------------------------------------------------------------------------------------------


class Tabulation:
    """The counts of different reports, added in pieces."""

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._factors = factors
        self._codes: npt.NDArray[np.uint8] | None = None
        self._counts = np.zeros(0, dtype=np.int64)

    @property
    def n(self) -> int:
        """The number of reports about all variables."""
        return int(self._counts.sum())

    def add(self, tables: Sequence[MicrodataTable]) -> None:
        """Add reports. `tables` are the columns, (n, size), of each variable's question."""
        about = np.logical_and.reduce([factor.about(tables) for factor in self._factors])
        codes = np.hstack([np.packbits(factor.symbols(tables, about), axis=1) for factor in self._factors])
        counts = np.ones(len(codes), dtype=np.int64)
        if self._codes is not None:
            codes, counts = np.vstack([self._codes, codes]), np.concatenate([self._counts, counts])
        self._codes, inverse = np.unique(codes, axis=0, return_inverse=True)
        self._counts = np.bincount(inverse.ravel(), counts, len(self._codes)).astype(np.int64)

    def sample(self) -> ReportSample:
        """Return the sample. ValueError if no report is about all variables."""
        if self._codes is None or not len(self._codes):
            raise ValueError("no report is about all of these")
        ends = np.cumsum([(factor.width + 7) // 8 for factor in self._factors])
        phi, chances, places = list[Values](), list[Values](), []
        for factor, codes in zip(self._factors, np.split(self._codes, ends[:-1], axis=1), strict=True):
            different, place = np.unique(codes, axis=0, return_inverse=True)
            sent = np.unpackbits(different, axis=1, count=factor.width).astype(np.bool_)
            phi.append(factor.scores(sent))
            chances.append(factor.likelihoods(sent))
            places.append(place.ravel())
        shape, order = arranged(self._factors)
        return ReportSample(shape, tuple(phi), tuple(chances), np.stack(places, axis=1), self._counts, order)


# From a release's tallies alone, if one draw lists one option of each variable (M34b) ---------------------------------


def joint_sample(
    definition: Definition, tallies: Sequence[FormTally], variables: Sequence[Variable]
) -> JointSample | None:
    """Return the counts, over all forms, of draws of all these variables (`variables.of_all`) that list one option of
    each; None without a report. A draw that lists more options needs single reports, so it gives None too."""
    first, keys = variables[0], [each.key for each in variables]
    if not set(keys) <= set(first.draw) or any(each.listed > 1 for each in variables):
        return None
    joint = tallied_together(definition, tallies, keys)
    if not joint:
        return None
    whole = reduce(JointTally.__add__, joint)
    return JointSample(whole, tuple(whole.keys.index(key) for key in keys))
