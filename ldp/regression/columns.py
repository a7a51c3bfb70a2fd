"""The columns of a linear model without interactions: each has a number for every option of one question (M47)."""

from dataclasses import dataclass

import numpy as np

from ldp.arrays import Values
from ldp.regression.specification import Covariate, Specification


@dataclass(frozen=True, eq=False)
class Column:
    """`values` are the options' numbers minus their plain mean, `middle`. The first column is 1 and has no key."""

    key: str | None
    option: int | None
    values: Values
    middle: float


def columns_of(specification: Specification, options: dict[str, int]) -> list[Column]:
    """Return the column of 1, the covariates' columns, and the outcome's. `options` are the numbers of options by
    key."""
    outcome = specification.outcome
    scores = specification.scores or tuple(map(float, range(options.get(outcome, 0))))
    covariates = [column for each in specification.covariates for column in _of(each, options.get(each.key, 0))]
    return [Column(None, None, np.zeros(0), 1.0), *covariates, _column(outcome, None, np.array(scores))]


def _of(covariate: Covariate, d: int) -> list[Column]:
    if covariate.scores is not None:
        return [_column(covariate.key, None, np.array(covariate.scores))]
    return [_column(covariate.key, k, np.eye(d)[k]) for k in range(d) if k != covariate.reference]


def _column(key: str, option: int | None, values: Values) -> Column:
    middle = float(values.mean()) if len(values) else 0.0
    return Column(key, option, values - middle, middle)
