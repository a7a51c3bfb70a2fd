"""Means of products of columns from the published totals of one draw (M47).

With w of `product_subsets` and lambda of the draw

    v'w/lambda                   has the mean of a column v
    (v o u - m)'w/lambda + m     of the product of two columns of one question, m the plain mean of v o u
    (v'w)(u'w')/lambda           of the product of columns of two questions.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp.arrays import Integers, Values
from ldp.inference.product_subsets import Listing, shift
from ldp.regression.columns import Column


@dataclass(frozen=True, eq=False)
class DrawTally:
    """The totals of a draw about some of its questions, by `keys`. `keep` is lambda; `counts` (d_1, ..., d_s) are the
    numbers of reports, at least one, that list each combination of their options. Each form's draw has one tally."""

    keys: tuple[str, ...]
    keep: Fraction
    listings: tuple[Listing, ...]
    counts: Integers

    @property
    def n(self) -> int:
        return int(self.counts.sum()) // math.prod(listing.a for listing in self.listings)

    @cached_property
    def joint(self) -> Values:
        """The unbiased joint shares of all its questions, shaped as the counts."""
        products = self.counts / self.n
        for place, listing in enumerate(self.listings):
            # A list has a options, so that 1 is the sum of its symbols over a.
            by_symbols = listing.weights[:, 1:] + listing.weights[:, :1] / listing.a
            products = np.moveaxis(np.tensordot(by_symbols, products, (1, place)), 0, place)
        return np.asarray(products / float(self.keep) - shift(self.keep, products.size))

    @property
    def options(self) -> dict[str, int]:
        """How many options each question has."""
        return {key: listing.d for key, listing in zip(self.keys, self.listings, strict=True)}

    def information(self, keys: Collection[str]) -> float:
        """A report's information about a mean product of columns of these questions, at equal shares."""
        each = [self.listings[self.keys.index(key)].variance for key in sorted(keys)]
        return float(self.keep**2 / math.prod(each, start=Fraction(1)))

    def mean(self, one: Column, other: Column) -> float:
        """The mean product of two columns."""
        values = {key: np.ones(listing.d) for key, listing in zip(self.keys, self.listings, strict=True)}
        for column in (one, other):
            if column.key is not None:
                values[column.key] = values[column.key] * column.values
        sums = self.joint
        for key in self.keys:
            sums = np.tensordot(values[key], sums, 1)
        return float(sums)

    def covariance(self, columns: Sequence[Column], linear: Values) -> Values:
        """The covariance of the scores of one report (pairs.Source).

        A score is linear in (1, w) of each question. Given that the lists were made to contain the answers, and given
        that they were not, lists of different questions are independent, so the mean of a score's square is a sum over
        the joint shares of products of second moments.
        """
        lam = float(self.keep)
        scores = _in_bases(self, columns, linear)
        kept, random = self.joint, np.ones(())
        for listing in self.listings:
            # 1 and w but for the last w, by 1 and the symbols: the sum of all w is 1.
            basis = np.vstack((np.eye(1, 1 + listing.d), listing.weights[:-1]))
            moments = basis @ listing.containing @ basis.T
            kept = np.tensordot(kept, moments, (0, 0))
            random = np.multiply.outer(random, basis @ listing.random @ basis.T)
        # Axes: each question's first and second factor in turn.
        s = len(self.listings)
        order = [*range(0, 2 * s, 2), *range(1, 2 * s, 2)]
        whole = (lam * kept + (1 - lam) * random).transpose(order).reshape(scores.shape[1], scores.shape[1])
        mean = scores @ whole[:, 0]
        return np.asarray(scores @ whole @ scores.T - np.outer(mean, mean))


def _in_bases(tally: DrawTally, columns: Sequence[Column], linear: Values) -> Values:
    """The scores as coefficients of products of the bases of all questions, (q, product of d): a basis is 1
    and w but for the last."""
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
