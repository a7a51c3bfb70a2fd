"""The shape of each mechanism's table, and what a question says beside it; the page has the same rules
(mechanisms.js)."""

from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any

from ldp.exact import RESOLUTION, parse_delta
from ldp.mechanisms import WITH_DELTA
from surveys.rules.shapes import Question, exactly, must
from surveys.rules.texts import decimal

DIGITS_MAX = 50

Rule = Callable[[Any, Question], None]


def fields(mechanism: str) -> set[str]:
    """What a question of this mechanism has beside its table."""
    return {"delta"} if mechanism in WITH_DELTA else set()


def check(question: Question) -> None:
    """Misshapen, or a Python error, where the table or the delta is none of the question's mechanism."""
    mechanism, table = question["mechanism"], question["table"]
    if mechanism in WITH_DELTA:
        must(parse_delta(question["delta"]) and question["delta"] == decimal(Decimal(question["delta"])))
    exactly(table, set(SHAPES[mechanism]))
    for name, rule in SHAPES[mechanism].items():
        rule(table[name], question)


def integers(table: Any) -> int:
    """How many integers a table holds."""
    if isinstance(table, dict):
        return sum(map(integers, table.values()))
    return sum(map(integers, table)) if isinstance(table, list) else 1


def _threshold(t: Any, _: Question) -> None:
    must(type(t) is int and 1 <= t < RESOLUTION)


def _digits(magnitude: Any, question: Question) -> None:
    must(isinstance(magnitude, list) and 1 <= len(magnitude) <= DIGITS_MAX)
    for t in magnitude:
        _threshold(t, question)


def _cumulative(thresholds: Any) -> int:
    """The number of thresholds between the positive weights of a row."""
    must(isinstance(thresholds, list) and thresholds and all(type(t) is int for t in thresholds))
    must(all(low < high for low, high in pairwise([0, *thresholds, RESOLUTION])))
    return len(thresholds)


def _noise(thresholds: Any, _: Question) -> None:
    must(_cumulative(thresholds) % 2 == 0)


def _length(rows: Any) -> int:
    must(isinstance(rows, list) and len(rows) >= 2)
    lengths = {_cumulative(row) for row in rows}
    must(len(lengths) == 1)
    return lengths.pop()


def _square(rows: Any, question: Question) -> None:
    must(len(question["options"]) == len(rows) == _length(rows) + 1)


def _beyond_both_ends(rows: Any, _: Question) -> None:
    beyond = _length(rows) + 1 - len(rows)
    must(beyond >= 0 and beyond % 2 == 0)


def _whole(low: int, high: Callable[[Question], int]) -> Rule:
    def rule(number: Any, question: Question) -> None:
        must(type(number) is int and low <= number <= high(question))

    return rule


SHAPES: dict[str, dict[str, Rule]] = {
    "randomized_response": {"other": _threshold},
    "bitwise": {"flip": _threshold},
    "subset": {"m": _whole(1, lambda question: len(question["options"]) - 1), "in": _threshold},
    "laplace": {"flip": _threshold, "magnitude": _digits},
    "osgt": {"noise": _noise},
    "gaussian": {"noise": _noise},
    "exponential": {"rows": _square},
    "one_bit": {"other": _threshold},
    "laplace_mean": {"rows": _beyond_both_ends},
    "multiple": {"sample": _whole(1, lambda question: len(question["options"])), "other": _threshold},
    "grid": {"sample": _whole(1, lambda question: len(question["items"])), "other": _threshold},
}
