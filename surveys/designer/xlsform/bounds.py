"""Bounds of a form's numbers, and bins between them."""

import re
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import NamedTuple

from surveys.designer.xlsform.rows import XlsformRow
from surveys.rules.texts import decimal, is_number

_NUMBER = r"(-?[0-9]{1,12}(?:\.[0-9]{1,6})?)"
_ABOVE = re.compile(rf"(?:\.\s*(>=|>)\s*{_NUMBER}|{_NUMBER}\s*(<=|<)\s*\.)", re.ASCII)
_BELOW = re.compile(rf"(?:\.\s*(<=|<)\s*{_NUMBER}|{_NUMBER}\s*(>=|>)\s*\.)", re.ASCII)

# Types of old forms that imply bounds.
OF_TYPES = {
    "percentage": ("0", "100"),
    "number of days in last month": ("0", "31"),
    "number of days in last six months": ("0", "183"),
    "number of days in last year": ("0", "365"),
}
BINS_MAX = 12


class Bounds(NamedTuple):
    """The smallest and the largest allowed number; None if the form sets none."""

    low: Decimal | None = None
    high: Decimal | None = None

    @property
    def known(self) -> bool:
        return self.low is not None and self.high is not None and self.low < self.high


def of(question: XlsformRow, kind: str) -> tuple[Bounds, bool]:
    """Return the bounds of a form's number, and whether they express its whole constraint."""
    if kind == "range":
        given = {"start": "1", "end": "10"} | question.get("parameters", {})
        return _in_order(_number(given["start"]), _number(given["end"])), "constraint" not in question.get("bind", {})
    if kind in OF_TYPES:
        return Bounds(*map(Decimal, OF_TYPES[kind])), "constraint" not in question.get("bind", {})
    return of_constraint(question.get("bind", {}).get("constraint", ""), whole=kind == "integer")


def step(question: XlsformRow, kind: str) -> Decimal | None:
    """Return the step between the numbers that the form accepts; None if it accepts any number."""
    if kind == "decimal":
        return None
    given = _number(question.get("parameters", {}).get("step", "1")) if kind == "range" else Decimal(1)
    return abs(given) if given else None


def of_constraint(constraint: str, whole: bool) -> tuple[Bounds, bool]:
    """Read comparisons joined by `and`, such as `. >= 0 and . <= 120`. Return the bounds, and whether they express the
    whole constraint. Strict bounds become inclusive; only whole numbers move to the next one."""
    low = high = None
    complete = whole or not re.search(r"[<>](?!\s*=)", constraint)
    for part in re.split(r"\band\b", constraint.strip().replace("(", " ").replace(")", " "), flags=re.IGNORECASE):
        text = part.strip()
        if match := _ABOVE.fullmatch(text):
            low = max(each for each in (low, _end(match, whole, 1)) if each is not None)
        elif match := _BELOW.fullmatch(text):
            high = min(each for each in (high, _end(match, whole, -1)) if each is not None)
        elif text:
            complete = False
    # A comparison joined by `or` bounds nothing.
    return (Bounds(low, high), complete) if not re.search(r"\bor\b|\bnot\b", constraint) else (Bounds(), False)


def _end(match: "re.Match[str]", whole: bool, inwards: int) -> Decimal:
    """Return the end of a range. For whole numbers both `> 0` and `> 0.5` give 1."""
    first, after, before, last = match.groups()
    end = Decimal(after or before)
    if not whole:
        return end
    is_strict = (first or last) in ("<", ">")
    nearest = end.to_integral_value(ROUND_CEILING if inwards > 0 else ROUND_FLOOR)
    return nearest + inwards if is_strict and nearest == end else nearest


def _number(text: object) -> Decimal | None:
    with suppress(ArithmeticError):
        number = Decimal(text) if isinstance(text, str) else None
        return number if number is not None and number.is_finite() and is_number(decimal(number)) else None
    return None


def _in_order(one: Decimal | None, other: Decimal | None) -> Bounds:
    if one is not None and other is not None and one > other:
        return Bounds(other, one)
    return Bounds(one, other)


def are_integers(bounds: Bounds, step: Decimal | None) -> bool:
    """Return whether only whole numbers are accepted, judged by step and bounds."""
    return step == 1 and all(end is None or end == end.to_integral_value() for end in bounds)


def bins(bounds: Bounds, step: Decimal | None, whole: bool) -> list[str]:
    """Return the edges of at most twelve bins between known bounds, at round numbers. Few numbers get a bin each. For
    whole numbers the last edge is beyond the highest number."""
    assert bounds.low is not None and bounds.high is not None
    if step and step < bounds.high - bounds.low < BINS_MAX * step:
        return [decimal(bounds.low + i * step) for i in range(int((bounds.high - bounds.low) / step) + 2)]
    width = _round_width((bounds.high - bounds.low) / BINS_MAX)
    first = (bounds.low // width) * width
    edges = [first + i * width for i in range(BINS_MAX + 3)]
    inner = [edge for edge in edges if bounds.low + width / 2 <= edge <= bounds.high - width / 2]
    return [decimal(edge) for edge in (bounds.low, *inner, bounds.high + whole)]


def _round_width(least: Decimal) -> Decimal:
    """Return the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`."""
    power = Decimal(10) ** least.adjusted()
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def increasing(edges: list[str]) -> bool:
    return all(Decimal(low) < Decimal(high) for low, high in pairwise(edges))
