"""Rules for entries of a table that several mechanisms share. The page has the same rules (mechanisms.js)."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ldp.exact import RESOLUTION
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms.protocol import Rule


def threshold(t: Any, _: Sequence[Unchecked]) -> None:
    must(type(t) is int and 1 <= t < RESOLUTION)


def cumulative(thresholds: Any) -> int:
    """Return the number of thresholds in a row. Raise Misshapen unless they strictly increase between 0 and 2^53; then
    every weight is positive."""
    must(isinstance(thresholds, list) and thresholds and all(type(t) is int for t in thresholds))
    must(all(low < high for low, high in pairwise([0, *thresholds, RESOLUTION])))
    return len(thresholds)


def length(rows: Any) -> int:
    """Return the number of thresholds in each row. Raise Misshapen unless there are at least two rows of equal
    length."""
    must(isinstance(rows, list) and len(rows) >= 2)
    lengths = {cumulative(row) for row in rows}
    must(len(lengths) == 1)
    return lengths.pop()


def integer(low: int, high: Callable[[Unchecked], int]) -> Rule:
    """Return the rule that an entry is a whole number from `low` to the only question's `high`."""

    def rule(number: Any, questions: Sequence[Unchecked]) -> None:
        [question] = questions
        must(type(number) is int and low <= number <= high(question))

    return rule
