"""Reports as unbiased weights of combinations of answers (M40).

With phi_c(z) = 1 in the mean where c is the truth of the respondent who sent z, and 0 where it is not, the mean over
all reports of any value v of the truth is estimated without bias by that of w(z) = sum_c phi_c(z) v_c. Of questions
with draws of their own phi_c is the product of theirs; of a joint form it is that of its tuples (M34b).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ldp.arrays import Indices, Integers, Values
from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms.marginals import JointTally
from ldp.forms.report import Joint
from ldp.forms.results import FormTally, joint_tally
from ldp.forms.schema import Definition
from ldp.inference.variables import Symbols, Variable
from ldp.mechanisms import joint
from ldp.microdata import MicrodataTable
from ldp.regression.factors import Factor, arranged
from ldp.scores import independent

# Numbers held at once.
AT_ONCE = 1 << 22


class Sample(Protocol):
    """v different reports, with how often each came; K combinations, in the order of a Design of the same `shape`."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def counts(self) -> Integers:
        """How often each report came, (v,)."""

    @property
    def shares(self) -> Values:
        """Unbiased shares of the combinations, (K,)."""

    def weighted(self, values: Values) -> Values:
        """For each report sum_c phi_c(z) v_c, (v, m), of values (K, m)."""

    def likelihoods(self, shares: Values) -> Values:
        """For each report its chance where the combinations have these shares, (v,), but for a factor that is the
        same whatever the shares are."""

    def likelihood_sums(self, factors: Values) -> Values:
        """For each combination the sum over reports of its likelihood times the report's factor, (K,)."""


def total(sample: Sample) -> int:
    """How many reports there are."""
    return int(sample.counts.sum())


@dataclass(frozen=True)
class JointSample:
    """Counts of a joint form, whose other questions were summed over. `places` are those of the variables in it."""

    tally: JointTally
    places: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tally.sizes[place] for place in self.places)

    @cached_property
    def counts(self) -> Integers:
        order = sorted(self.places)
        cube = np.array(self.tally.totals(order)).reshape([self.tally.sizes[place] for place in order])
        return cube.transpose([order.index(place) for place in self.places]).ravel()

    @cached_property
    def _chances(self) -> tuple[float, float]:
        """The chance that a combination is sent where it is the truth, and where another is."""
        own = joint.marginal(self.tally.table, self.tally.sizes, self.places)
        moments = joint.moments(own, self.shape)["support"]
        return float(moments.a), float(moments.b)

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
    """Single reports. For each factor, of one or several variables, the scores phi and the likelihoods of each of its
    different values, (values, options), and for each report the place of its value, (v, factors). `order` gives for
    each combination its place where the factors follow each other, None where that is the same."""

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
        """For each report the products of a number of each factor's options, (v, K)."""
        product = np.ones((len(self.places[rows]), 1))
        for numbers, own in zip(each, self.places[rows].T, strict=True):
            product = (product[:, :, None] * numbers[own][:, None]).reshape(len(product), -1)
        return product if self.order is None else product[:, self.order]


# From single reports --------------------------------------------------------------------------------------------------


class Tabulation:
    """Which reports came how often, gathered from some at a time."""

    def __init__(self, factors: Sequence[Factor]) -> None:
        self._factors = factors
        self._codes: npt.NDArray[np.uint8] | None = None
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, tables: Sequence[MicrodataTable]) -> None:
        """`tables` are the columns (n, size) of each variable's question, of the same reports."""
        pairs = [(factor.variable, factor.table(tables)) for factor in self._factors]
        about = np.logical_and.reduce([variable.about(table) for variable, table in pairs])
        codes = np.hstack([np.packbits(variable.symbols(table[about]), axis=1) for variable, table in pairs])
        counts = np.ones(len(codes), dtype=np.int64)
        if self._codes is not None:
            codes, counts = np.vstack([self._codes, codes]), np.concatenate([self._counts, counts])
        self._codes, inverse = np.unique(codes, axis=0, return_inverse=True)
        self._counts = np.bincount(inverse.ravel(), counts, len(self._codes)).astype(np.int64)

    def sample(self) -> ReportSample:
        """ValueError where no report is about all variables."""
        if self._codes is None or not len(self._codes):
            raise ValueError("no report is about all of these")
        own = [factor.variable for factor in self._factors]
        ends = np.cumsum([(variable.width + 7) // 8 for variable in own])
        values, places = [], []
        for variable, codes in zip(own, np.split(self._codes, ends[:-1], axis=1), strict=True):
            different, place = np.unique(codes, axis=0, return_inverse=True)
            values.append(np.unpackbits(different, axis=1, count=variable.width).astype(np.bool_))
            places.append(place.ravel())
        pairs = list(zip(own, values, strict=True))
        phi, chances = (tuple(of(variable, value) for variable, value in pairs) for of in (scores, likelihoods))
        shape, order = arranged(self._factors)
        return ReportSample(shape, phi, chances, np.stack(places, axis=1), self._counts, order)


def scores(variable: Variable, sent: Symbols) -> Values:
    """phi of each option, (n, d), of reports' symbols (n, k)."""
    if variable.phi is not None:
        return np.asarray(sent @ variable.phi)
    return np.asarray((sent - float(variable.moments.b)) / float(variable.moments.gap))


def likelihoods(variable: Variable, sent: Symbols) -> Values:
    """The chance of reports' symbols (n, k) for each option, (n, d), but for a factor of each report."""
    if variable.phi is not None:
        weights = np.array(variable.moments.weights, dtype=np.float64)  # type: ignore[attr-defined]
        return np.asarray(sent @ (weights / weights.sum(axis=1, keepdims=True)).T)
    a, b = variable.moments.a, variable.moments.b
    if variable.pair == independent(variable.moments):
        one, none = a / b, (1 - a) / (1 - b)
        return np.where(sent, float(one), float(none))
    size = int(sent[0].sum())  # of all reports: a set's, or one option
    one, none = a / Fraction(size), (1 - a) / Fraction(sent.shape[1] - size)
    return np.where(sent, float(one), float(none))


# What a release's tallies alone say of variables: all of it, where they stand in one joint form (M34b) ----------------


def joint_parts(definition: Definition) -> dict[int, Joint]:
    """The joint part of each form that has one, by the form's number."""
    each = ((form, report.parts(definition, form)[-1]) for form in range(len(definitions.forms(definition))))
    return {form: part for form, part in each if isinstance(part, Joint)}


def joint_sample(
    definition: Definition, tallies: Sequence[FormTally], variables: Sequence[Variable]
) -> JointSample | None:
    """The counts of the joint form that has all of these questions and at least one report; None where none has."""
    form = variables[0].form
    if form is None or any(each.form != form or not each.question.get("joint") for each in variables):
        return None
    part = joint_parts(definition)[form]
    places = tuple(part.keys.index(each.key) for each in variables)
    return JointSample(joint_tally(part, tallies[form].totals[-1]), places) if tallies[form].n else None
