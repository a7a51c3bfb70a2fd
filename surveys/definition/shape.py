"""The shape of a definition: everything that the page and the server read, and no field that nobody reads.

The rules are those of the page (shape.js), where they are what makes every answer that can be given one that can be
reported. A test holds both to the same verdict on thousands of altered definitions. Every rule here is a function that
raises Misshapen, or a Python error of its own where it meets data of a wrong type.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

from ldp.exact import RESOLUTION, parse_alpha, parse_delta
from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.definition.limits import (
    CATEGORIES_MAX,
    ITEMS_MAX,
    OPTION_MAX,
    QUESTIONS_MAX,
    TABLES_MAX,
    TEXT_MAX,
    TITLE_MAX,
    UNIT_MAX,
)
from surveys.definition.texts import decimal, is_number, is_text

FORMAT = 1
KEY = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
SHARED = {"key", "kind", "text", "note", "prefer_not_to_say", "alpha", "mechanism", "table"}
DIGITS_MAX = 50

Question = dict[str, Any]


class Misshapen(ValueError):
    """The definition is none that a page may ask."""


def must(condition: object) -> None:
    if not condition:
        raise Misshapen("The definition breaks a rule.")


def definition(data: Any) -> None:
    must(isinstance(data, dict) and type(data["format"]) is int and data["format"] == FORMAT)
    _exactly(data, {"format", "title", "introduction", "questions"})
    must(is_text(data["title"], TITLE_MAX) and is_text(data["introduction"], TEXT_MAX, empty=True))
    questions = data["questions"]
    must(isinstance(questions, list) and 1 <= len(questions) <= QUESTIONS_MAX)
    for each in questions:
        question(each)
    must(len({each["key"] for each in questions}) == len(questions))
    must(sum(integers(each["table"]) for each in questions) <= TABLES_MAX)


def question(data: Any) -> None:
    kind, mechanism = _KINDS[data["kind"]], data["mechanism"]
    must(isinstance(mechanism, str) and mechanism in FITTING[data["kind"]])
    _exactly(data, SHARED | kind.own | ({"delta"} if mechanism in WITH_DELTA else set()))
    must(isinstance(data["key"], str) and KEY.fullmatch(data["key"]))
    must(is_text(data["text"], TEXT_MAX) and is_text(data["note"], TEXT_MAX, empty=True))
    must(type(data["prefer_not_to_say"]) is bool)
    must(parse_alpha(data["alpha"]) and data["alpha"] == decimal(Decimal(data["alpha"])))
    if mechanism in WITH_DELTA:
        must(parse_delta(data["delta"]) and data["delta"] == decimal(Decimal(data["delta"])))
    kind.rule(data)
    _exactly(data["table"], set(_TABLES[mechanism]))
    for name, fits in _TABLES[mechanism].items():
        fits(data["table"][name], data)


def integers(table: Any) -> int:
    """How many integers a table holds."""
    if isinstance(table, dict):
        return sum(map(integers, table.values()))
    return sum(map(integers, table)) if isinstance(table, list) else 1


# What the kinds add ---------------------------------------------------------------------------------------------------


def _asked(data: Question) -> int:
    """How many options there are beside the last one where that says "Prefer not to say"."""
    _different_texts(data["options"], CATEGORIES_MAX)
    count = len(data["options"]) - data["prefer_not_to_say"]
    must(count >= 2)
    return count


def _yes_no(data: Question) -> None:
    must(_asked(data) == 2)


def _grid(data: Question) -> None:
    _asked(data)
    _different_texts(data["items"], ITEMS_MAX)


def _histogram(data: Question) -> None:
    _increasing(data["edges"])
    must(is_text(data["unit"], UNIT_MAX, empty=True) and _asked(data) == len(data["edges"]) - 1)


def _mean(data: Question) -> None:
    _increasing([data["low"], data["high"]])
    must(is_text(data["unit"], UNIT_MAX, empty=True) and not data["prefer_not_to_say"])


def _different_texts(texts: Any, most: int) -> None:
    must(isinstance(texts, list) and 2 <= len(texts) <= most)
    must(all(is_text(each, OPTION_MAX) for each in texts) and len(set(texts)) == len(texts))


def _increasing(numbers: Any) -> None:
    must(isinstance(numbers, list) and 2 <= len(numbers) <= CATEGORIES_MAX + 1 and all(map(is_number, numbers)))
    must(all(Decimal(low) < Decimal(high) for low, high in pairwise(numbers)))


class _Kind(NamedTuple):
    own: set[str]
    rule: Callable[[Question], object]


_KINDS = {
    "yes_no": _Kind({"options"}, _yes_no),
    "single_choice": _Kind({"options"}, _asked),
    "ordered": _Kind({"options"}, _asked),
    "multiple_choice": _Kind({"options"}, _asked),
    "grid": _Kind({"items", "options"}, _grid),
    "histogram": _Kind({"edges", "options", "unit"}, _histogram),
    "mean": _Kind({"low", "high", "unit"}, _mean),
}


# Tables ---------------------------------------------------------------------------------------------------------------


def _threshold(t: Any, _: Question) -> None:
    must(type(t) is int and 1 <= t < RESOLUTION)


def _digits(magnitude: Any, data: Question) -> None:
    must(isinstance(magnitude, list) and 1 <= len(magnitude) <= DIGITS_MAX)
    for t in magnitude:
        _threshold(t, data)


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


def _square(rows: Any, data: Question) -> None:
    must(len(data["options"]) == len(rows) == _length(rows) + 1)


def _beyond_both_ends(rows: Any, _: Question) -> None:
    beyond = _length(rows) + 1 - len(rows)
    must(beyond >= 0 and beyond % 2 == 0)


def _whole(low: int, high: Callable[[Question], int]) -> Callable[[Any, Question], None]:
    def rule(number: Any, data: Question) -> None:
        must(type(number) is int and low <= number <= high(data))

    return rule


_TABLES: dict[str, dict[str, Callable[[Any, Question], None]]] = {
    "randomized_response": {"other": _threshold},
    "bitwise": {"flip": _threshold},
    "subset": {"m": _whole(1, lambda data: len(data["options"]) - 1), "in": _threshold},
    "laplace": {"flip": _threshold, "magnitude": _digits},
    "osgt": {"noise": _noise},
    "gaussian": {"noise": _noise},
    "exponential": {"rows": _square},
    "one_bit": {"other": _threshold},
    "laplace_mean": {"rows": _beyond_both_ends},
    "multiple": {"sample": _whole(1, lambda data: len(data["options"])), "other": _threshold},
    "grid": {"sample": _whole(1, lambda data: len(data["items"])), "other": _threshold},
}


def _exactly(data: Any, names: set[str]) -> None:
    must(isinstance(data, dict) and data.keys() == names)
