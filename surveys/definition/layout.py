"""The layout of a report: which answers are accepted, and how they are packed to their information content.

A packed report is the concatenation of its questions' bits in the order of the definition, most significant first,
filled with zeros to whole bytes. Packing is one to one, so equal bytes mean equal reports.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import ldp.mechanisms


class ReportRefused(ValueError):
    """A report breaks a rule. `field` and `rule` never repeat a value that was sent."""

    def __init__(self, field: str, rule: str):
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


class Field(NamedTuple):
    """A question's place in a packed report: `width` bits from bit `start` on."""

    key: str
    start: int
    width: int


class Layout:
    """A definition's fields, compiled once: validation and packing of one report."""

    def __init__(self, definition: dict[str, Any]):
        self.fields: list[Field] = []
        self._encoders: dict[str, Callable[[object], int]] = {}
        start = 0
        for question in definition["questions"]:
            packing = ldp.mechanisms.of(question).packing()
            field = Field(question["key"], start, packing.width)
            self._encoders[field.key] = packing.encode
            self.fields.append(field)
            start += field.width
        self.bits = start
        self.bytes = (start + 7) // 8

    def pack(self, answers: dict[str, Any]) -> bytes:
        """The bytes of a report's answers. ReportRefused names the question and the rule."""
        if answers.keys() != self._encoders.keys():
            raise ReportRefused("answers", "must hold every question of the definition, and nothing else")
        packed = 0
        for field in self.fields:
            try:
                code = self._encoders[field.key](answers[field.key])
            except ValueError as refusal:
                raise ReportRefused(f"answers.{field.key}", str(refusal)) from None
            packed = packed << field.width | code
        return (packed << (8 * self.bytes - self.bits)).to_bytes(self.bytes, "big")


def body_limit(layout: Layout) -> int:
    """More than any report of this layout needs in JSON: a bit costs at most a character and a comma, plus keys."""
    return 1024 + 3 * layout.bits + 64 * len(layout.fields)
