"""The joint shares of two questions, each with the interval of the unseen respondent (M17, M30).

With phi = (score - b)/(a - b) of each question the mean of phi1_j phi2_k is unbiased for the joint share. The products
take few values, whose counts are known; the interval is that of M30 with the largest and the least product for the
unseen respondent. Held against simulation it covers as promised also where noise is rare, where the score interval of
M17 does not (.705 instead of .95 for sparse tables at alpha 8).
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp.inference import intervals, unseen
from ldp.inference.unseen import Unseen
from ldp.mechanisms import of
from ldp.microdata import Table
from ldp.scores import ChannelMoments

Question = dict[str, Any]
Values = npt.NDArray[np.float64]


class Side(NamedTuple):
    """What one of the questions says of each option: by an inverted channel `phi` (outputs, options), or by a 0/1 score
    that has the `ends` for phi."""

    options: list[str]
    phi: Values | None
    ends: tuple[float, float]

    def indicators(self, table: Table) -> Values:
        """Reports as columns of 0 and 1: a one, and then for each output or option whether it was sent."""
        sent = table >= 1 if table.shape[1] > 1 else table == np.arange(len(self.options))
        return np.column_stack((np.ones(len(table)), sent))

    def atoms(self, option: int, counts: Values) -> tuple[Values, Values]:
        """The values of the option's phi, and from counts by column, shape (1 + columns, ...), how often each came."""
        if self.phi is not None:
            return self.phi[:, option], counts[1:]
        return np.array(self.ends), np.stack((counts[0] - counts[1 + option], counts[1 + option]))


def side(question: Question) -> Side:
    """ValueError for what cannot be crossed by single reports."""
    randomizer = of(question)
    _, moments = randomizer.default()
    if question["kind"] in ("mean", "multiple_choice", "grid"):
        raise ValueError(f"{question['key']} has no option for each report and cannot be crossed")
    if isinstance(moments, ChannelMoments):
        return Side(question["options"], np.array(moments.phi()), (0.0, 0.0))
    if not moments.binary:
        raise ValueError(f"{question['key']} has scores without bounds that help: it cannot be crossed")
    a, b = float(moments.a), float(moments.b)
    return Side(question["options"], None, (-b / (a - b), (1 - b) / (a - b)))


def cross(
    questions: tuple[Question, Question], parts: Iterable[tuple[Table, Table]], confidence: float
) -> list[dict[str, Any]]:
    """Estimates and intervals for a population, alone and for all cells at once. `parts` are the columns of some
    reports at a time, of both questions."""
    sides = side(questions[0]), side(questions[1])
    counts = sum(sides[0].indicators(one).T @ sides[1].indicators(other) for one, other in parts)
    together = len(sides[0].options) * len(sides[1].options)
    levels = confidence, intervals.bonferroni(confidence, together)
    rows = []
    for j, option in enumerate(sides[0].options):
        for k, other in enumerate(sides[1].options):
            left, by_left = sides[0].atoms(j, np.asarray(counts))
            right, by_both = sides[1].atoms(k, by_left.T)
            named = {"first": questions[0]["key"], "second": questions[1]["key"], "option": option, "other": other}
            rows.append(named | _cell(np.multiply.outer(right, left).ravel(), by_both.ravel(), levels))
    return rows


def _cell(values: Values, counts: Values, levels: tuple[float, float]) -> dict[str, float]:
    n = counts.sum()
    estimate = float(values @ counts / n)
    variance = max(float(values**2 @ counts / n) - estimate**2, 0.0)
    cell = {"estimate": estimate, "standard_error": math.sqrt(variance / n)}
    low, high = Unseen.at(values.min()), Unseen.at(values.max())
    for name, level in zip(("interval", "simultaneous"), levels, strict=True):
        ends = intervals.cut(*unseen.interval(values, counts, low, high, level))
        cell |= {f"{name}_low": ends.low, f"{name}_high": ends.high}
    return cell
