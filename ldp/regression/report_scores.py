"""Means of products of columns from the reports of one form, for any draws (M47).

A report's unbiased score of a product is the product's mean over combinations of answers, weighted by the report's
weights (M40). So the covariance of scores follows from the reports.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.inference.product_subsets import keep
from ldp.inference.variables import Variable
from ldp.regression.columns import Column
from ldp.regression.expectation import share_variance
from ldp.regression.factors import draws
from ldp.regression.sample import Sample, total


@dataclass(frozen=True, eq=False)
class ReportScores:
    """The variables as the form asks them, and the sample of its reports about all of them; `some`: other reports of
    the form drew other items."""

    variables: tuple[Variable, ...]
    sample: Sample
    some: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(each.key for each in self.variables)

    @property
    def n(self) -> int:
        return total(self.sample)

    @property
    def options(self) -> Mapping[str, int]:
        return {each.key: len(each.options) for each in self.variables}

    def information(self, keys: Collection[str]) -> float:
        """Return a report's information about the mean product of columns of these questions, at equal shares.
        Variables of one draw are randomized once."""
        own = [each for each in self.variables if each.key in keys]
        alone = math.prod(1 / share_variance(each) for each in own)
        joint = [places for places in draws(own) if len(places) > 1]
        again = math.prod(float(keep(own[places[0]])) ** (2 * len(places) - 2) for places in joint)
        return alone / again

    @cached_property
    def _answers(self) -> Mapping[str, Values]:
        """The option that each combination names, by variable."""
        places = np.indices(self.sample.shape).reshape(len(self.variables), -1)
        return dict(zip(self.keys, places, strict=True))

    def _values(self, column: Column) -> Values:
        """Return a column over all combinations, (K,)."""
        if column.key is None:
            return np.ones(len(self.sample.shares))
        return np.asarray(column.values[self._answers[column.key]])

    def mean(self, one: Column, other: Column) -> float:
        return float(self.sample.shares @ (self._values(one) * self._values(other)))

    def covariance(self, columns: Sequence[Column], linear: Values, pooled: Values | None = None) -> Values:
        """Return the covariance of the scores of one report (pairs.Source). Deviations are from the scores' own mean
        or, if only some reports are about these items, from the pooled mean: few reports are too near to their own."""
        own = [place for place, column in enumerate(columns) if column.key is None or column.key in self.keys]
        values = np.stack([self._values(columns[place]) for place in own])
        products = np.einsum("qab,ak,bk->kq", linear[:, own][:, :, own], values, values, optimize=True)
        scores, counts = self.sample.weighted(products), self.sample.counts / self.n
        mean = counts @ scores
        if pooled is not None and self.some:
            mean = np.einsum("qab,ab->q", linear, pooled)
        return np.asarray((scores - mean).T @ ((scores - mean) * counts[:, None]))
