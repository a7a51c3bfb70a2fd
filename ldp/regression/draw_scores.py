"""Means of products of columns, from the published totals of one draw (M47).

With w of `product_subsets` and lambda of the draw

    v'w/lambda                   has the mean of a column v,
    (v o u - m)'w/lambda + m     of the product of two columns of one question, m the plain mean of v o u,
    (v'w)(u'w')/lambda           of the product of columns of two questions.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.forms.marginals import JointTally
from ldp.inference.product_subsets import shift
from ldp.regression.columns import Column


@dataclass(frozen=True, eq=False)
class DrawScores:
    """A draw's tally of at least one report, about the draw's questions. There is one for each form."""

    tally: JointTally

    @property
    def keys(self) -> tuple[str, ...]:
        return self.tally.keys

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def options(self) -> dict[str, int]:
        """The number of options of each question."""
        return dict(zip(self.keys, self.tally.shape, strict=True))

    @cached_property
    def joint(self) -> Values:
        """The unbiased joint shares of all questions, in the shape of the counts."""
        products = self.tally.cube / self.n
        for place, listing in enumerate(self.tally.listings):
            # A list has a options, so 1 is the sum of its symbols over a.
            by_symbols = listing.weights[:, 1:] + listing.weights[:, :1] / listing.a
            products = np.moveaxis(np.tensordot(by_symbols, products, (1, place)), 0, place)
        return np.asarray(products / float(self.tally.lam) - shift(self.tally.lam, products.size))

    def information(self, keys: Collection[str]) -> float:
        """Return a report's information about the mean product of columns of these questions, at equal shares."""
        each = [self.tally.listings[self.keys.index(key)].variance for key in sorted(keys)]
        return float(self.tally.lam**2 / math.prod(each, start=Fraction(1)))

    def mean(self, one: Column, other: Column) -> float:
        """Return the mean product of two columns."""
        values = {key: np.ones(d) for key, d in self.options.items()}
        for column in (one, other):
            if column.key is not None:
                values[column.key] = values[column.key] * column.values
        sums = self.joint
        for key in self.keys:
            sums = np.tensordot(values[key], sums, 1)
        return float(sums)

    def covariance(self, columns: Sequence[Column], linear: Values, pooled: Values | None = None) -> Values:
        """Return the covariance of the scores of one report (pairs.Source), about their own mean.

        A score is linear in each question's (1, w). Given that answers were kept, and given that they were not, lists
        of different questions are independent. So the mean of a score's square is a sum over joint shares of products
        of second moments.
        """
        lam = float(self.tally.lam)
        scores = _in_bases(self.tally, columns, linear)
        kept, random = self.joint, np.ones(())
        for listing in self.tally.listings:
            # 1 and all w except the last, from 1 and the symbols. The sum of all w is 1.
            basis = np.vstack((np.eye(1, 1 + listing.d), listing.weights[:-1]))
            moments = basis @ listing.containing @ basis.T
            kept = np.tensordot(kept, moments, (0, 0))
            random = np.multiply.outer(random, basis @ listing.random @ basis.T)
        # Axes: first each question's first factor, then each question's second factor.
        s = len(self.keys)
        order = [*range(0, 2 * s, 2), *range(1, 2 * s, 2)]
        whole = (lam * kept + (1 - lam) * random).transpose(order).reshape(scores.shape[1], scores.shape[1])
        mean = scores @ whole[:, 0]
        return np.asarray(scores @ whole @ scores.T - np.outer(mean, mean))


def _in_bases(tally: JointTally, columns: Sequence[Column], linear: Values) -> Values:
    """Return the scores as coefficients of products of all questions' bases, (q, product of d). A basis is 1 and all w
    except the last."""
    lam, counts = float(tally.lam), tally.shape
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
    """Return the coefficients of v'w in the basis."""
    return np.append(values[-1], values[:-1] - values[-1])
