"""Rules for the shape of a definition's fields. They raise Misshapen, or another Python error for data of a wrong
type."""

from collections.abc import Set
from decimal import Decimal
from itertools import pairwise
from typing import Any

from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX
from surveys.rules.texts import is_number, is_text
from surveys.rules.unchecked import Unchecked


class Misshapen(ValueError):
    """No page may ask with this definition."""


def must(condition: object) -> None:
    if not condition:
        raise Misshapen("The definition breaks a rule.")


def exactly(data: Any, names: Set[str]) -> None:
    must(isinstance(data, dict) and data.keys() == names)


def different_texts(texts: Any, most: int) -> None:
    must(isinstance(texts, list) and 2 <= len(texts) <= most)
    must(all(is_text(each, OPTION_MAX) for each in texts) and len(set(texts)) == len(texts))


def increasing(numbers: Any) -> None:
    must(isinstance(numbers, list) and 2 <= len(numbers) <= CATEGORIES_MAX + 1 and all(map(is_number, numbers)))
    must(all(Decimal(low) < Decimal(high) for low, high in pairwise(numbers)))


def option_count(question: Unchecked) -> int:
    """Return the number of options without a last "Prefer not to say"."""
    different_texts(question["options"], CATEGORIES_MAX)
    count: int = len(question["options"]) - question["prefer_not_to_say"]
    must(count >= 2)
    return count
