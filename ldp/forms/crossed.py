"""The crossing of two variables, from independent draws, from one draw, or from several forms."""

import math
from collections.abc import Iterable
from typing import Any

from ldp.arrays import Integers
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import OneChannel, PooledCells
from ldp.inference import intervals
from ldp.inference.crossed import Crossing, joint_counts
from ldp.inference.product_subsets import PairTally, keep
from ldp.inference.reached_cells import ReachedCells
from ldp.inference.variables import Variable, are_together
from ldp.microdata import MicrodataTable

Crossed = OneChannel | PooledCells


def of_reports(first: Variable, second: Variable, parts: Iterable[tuple[MicrodataTable, MicrodataTable]]) -> Crossed:
    """Return the crossing of reports. Each part has both questions' columns, each (n, size), of some reports.
    ValueError if no report is about both."""
    counts = joint_counts(first, second, parts)
    if not counts[0, 0]:
        raise ValueError("no report is about both of these: they cannot be crossed")
    return of_counts(first, second, counts)


def of_counts(first: Variable, second: Variable, counts: Integers) -> OneChannel:
    """Return the crossing from the counts of `joint_counts`, at least one report, for variables with one channel."""
    if not are_together(first, second):
        return Crossing(first, second, counts)
    return JointCrossing(first, second, PairTally(keep(first), (first.listed, second.listed), counts))


def cells(crossed: Crossed | ReachedCells, confidence: float) -> list[dict[str, Any]]:
    """Return a dictionary for each cell: estimate and population intervals, alone and for all cells at once."""
    alone = crossed.intervals(confidence)
    together = crossed.intervals(intervals.bonferroni(confidence, math.prod(crossed.shape)))
    errors = crossed.standard_errors[0]
    return [
        {
            "first": crossed.first.key,
            "second": crossed.second.key,
            "option": option,
            "other": against,
            "estimate": float(crossed.joint[j, k]),
            "standard_error": float(errors[j, k]),
            "interval_low": float(alone[j, k, 0]),
            "interval_high": float(alone[j, k, 1]),
            "simultaneous_low": float(together[j, k, 0]),
            "simultaneous_high": float(together[j, k, 1]),
        }
        for j, option in enumerate(crossed.options[0])
        for k, against in enumerate(crossed.options[1])
    ]
