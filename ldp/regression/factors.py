"""Factors: variables that share a draw, and so its noise. Scores of their combinations replace products of scores.

A factor is one variable with a separate draw, or several of one draw. Its symbols are those of all its variables, its
options their combinations (M44).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp.arrays import Indices, Values
from ldp.inference.product_subsets import Listing, keep, shift
from ldp.inference.variables import NotCrossed, Symbols, Variable
from ldp.microdata import MicrodataTable
from ldp.scores import independent


class Factor(NamedTuple):
    """`places` are the variables' positions among all variables."""

    variables: tuple[Variable, ...]
    places: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of options of the factor's variables."""
        return tuple(len(variable.options) for variable in self.variables)

    @property
    def width(self) -> int:
        """The number of the factor's symbols."""
        return sum(variable.width for variable in self.variables)

    def _pairs(self, tables: Sequence[MicrodataTable]) -> list[tuple[Variable, MicrodataTable]]:
        return [(variable, tables[place]) for variable, place in zip(self.variables, self.places, strict=True)]

    def about(self, tables: Sequence[MicrodataTable]) -> Symbols:
        """Return which reports are about all of its variables, from the columns of all variables' questions."""
        return np.asarray(np.logical_and.reduce([variable.about(table) for variable, table in self._pairs(tables)]))

    def symbols(self, tables: Sequence[MicrodataTable], about: Symbols) -> Symbols:
        """Return the symbols of these reports, (n, width)."""
        return np.hstack([variable.symbols(table[about]) for variable, table in self._pairs(tables)])

    def scores(self, sent: Symbols) -> Values:
        """Return phi of each combination, (n, combinations), from reports' symbols."""
        if len(self.variables) == 1:
            return scores(self.variables[0], sent)
        lam = keep(self.variables[0])
        each = [_with_constant(own) @ Listing(len(one.options), one.listed).weights.T for one, own in self._split(sent)]
        return np.asarray(_products(each) / float(lam) - shift(lam, math.prod(self.sizes)))

    def likelihoods(self, sent: Symbols) -> Values:
        """Return the chance of reports' symbols for each combination, (n, combinations), up to a factor per report."""
        if len(self.variables) == 1:
            return likelihoods(self.variables[0], sent)
        lam = keep(self.variables[0])
        rarity = math.prod(Fraction(len(one.options), one.listed) for one in self.variables)
        listed = _products([own.astype(np.float64) for _, own in self._split(sent)])
        return np.asarray(1 + float(lam / (1 - lam) * rarity) * listed)

    def _split(self, sent: Symbols) -> list[tuple[Variable, Symbols]]:
        ends = np.cumsum([variable.width for variable in self.variables])
        return list(zip(self.variables, np.split(sent, ends[:-1], axis=1), strict=True))


def factors(variables: Sequence[Variable]) -> list[Factor]:
    """Return the factors in the order of their first variables. NotCrossed if a variable has several channels."""
    if any(variable.has_channels for variable in variables):
        raise NotCrossed("channels")
    return [Factor(tuple(variables[place] for place in places), places) for places in draws(variables)]


def draws(variables: Sequence[Variable]) -> list[tuple[int, ...]]:
    """Return the places of each draw's variables, in the order of the first variables."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for place, variable in enumerate(variables):
        rows.setdefault(variable.draw, []).append(place)
    return [tuple(places) for places in rows.values()]


def arranged(each: Sequence[Factor]) -> tuple[tuple[int, ...], Indices | None]:
    """Return the variables' numbers of options, and, for each combination in the variables' order, its index in the
    factors' order; None if the orders agree."""
    places = [place for factor in each for place in factor.places]
    sizes = [size for factor in each for size in factor.sizes]
    back = np.argsort(places)
    shape = tuple(sizes[k] for k in back)
    if places == sorted(places):
        return shape, None
    return shape, np.arange(math.prod(sizes)).reshape(sizes).transpose(back).ravel()


def _with_constant(sent: Symbols) -> Values:
    return np.hstack((np.ones((len(sent), 1)), sent))


def _products(each: Sequence[Values]) -> Values:
    """Return, for each report, the products of one number per variable's options; the last changes fastest."""
    product = np.ones((len(each[0]), 1))
    for own in each:
        product = (product[:, :, None] * own[:, None, :]).reshape(len(product), -1)
    return product


# One variable ---------------------------------------------------------------------------------------------------------


def scores(variable: Variable, sent: Symbols) -> Values:
    """Return phi of each option, (n, d), from reports' symbols, (n, k)."""
    if variable.phi is not None:
        return np.asarray(sent @ variable.phi)
    return np.asarray((sent - float(variable.moments.b)) / float(variable.moments.gap))


def likelihoods(variable: Variable, sent: Symbols) -> Values:
    """Return the chance of reports' symbols, (n, k), for each option, (n, d), up to a factor per report."""
    if variable.phi is not None:
        rows = np.array(variable.moments.weights, dtype=np.float64)  # type: ignore[attr-defined]
        return np.asarray(sent @ (rows / rows.sum(axis=1, keepdims=True)).T)
    a, b = variable.moments.a, variable.moments.b
    if variable.pair == independent(variable.moments):
        one, none = a / b, (1 - a) / (1 - b)
        return np.where(sent, float(one), float(none))
    size = int(sent[0].sum())  # the number of options that every report lists
    one, none = a / Fraction(size), (1 - a) / Fraction(sent.shape[1] - size)
    return np.where(sent, float(one), float(none))
