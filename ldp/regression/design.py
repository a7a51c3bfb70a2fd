"""The columns of the covariates over all combinations of answers.

A combination names one option of the outcome and of each covariate, in this order. There are K combinations; the last
covariate's option changes fastest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from ldp.arrays import Indices, Values
from ldp.regression.specification import Covariate, Specification

TermLevel = tuple[str, int | None]  # a covariate's key, with an option or None for its scores


class _Column(NamedTuple):
    levels: tuple[TermLevel, ...]
    values: Values  # (K,)


@dataclass(frozen=True)
class Design:
    """`shape` has the numbers of options of the outcome and of each covariate."""

    specification: Specification
    shape: tuple[int, ...]

    @cached_property
    def options(self) -> Indices:
        """The options that each combination names, (K, variables)."""
        return np.indices(self.shape).reshape(len(self.shape), -1).T

    @cached_property
    def _columns(self) -> list[_Column]:
        own = {each.key: self._of(place, each) for place, each in enumerate(self.specification.covariates, 1)}
        columns = [_Column((), np.ones(len(self.options)))]
        columns += [column for each in own.values() for column in each]
        for first, second in self.specification.interactions:
            columns += [_Column(a.levels + b.levels, a.values * b.values) for a, b in product(own[first], own[second])]
        return columns

    def _of(self, place: int, covariate: Covariate) -> list[_Column]:
        given = self.options[:, place]
        if covariate.scores is not None:
            return [_Column(((covariate.key, None),), np.array(covariate.scores, dtype=np.float64)[given])]
        others = (option for option in range(self.shape[place]) if option != covariate.reference)
        return [_Column(((covariate.key, option),), (given == option).astype(np.float64)) for option in others]

    @property
    def terms(self) -> list[tuple[TermLevel, ...]]:
        """The levels of each column: none for the intercept, two for an interaction."""
        return [column.levels for column in self._columns]

    @cached_property
    def x(self) -> Values:
        """The columns, (K, p), the intercept first."""
        return np.stack([column.values for column in self._columns], axis=1)

    def with_option(self, place: int, option: int) -> Indices:
        """Return, for each combination, the number of the combination that has this option at this place, (K,)."""
        changed = self.options.copy()
        changed[:, place] = option
        return np.asarray(np.ravel_multi_index(tuple(changed.T), self.shape))


def steps(d: int) -> Sequence[float]:
    """Return the scores 0, 1, 2 and so on."""
    return tuple(float(step) for step in range(d))
