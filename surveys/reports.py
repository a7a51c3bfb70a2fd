"""The report: what is accepted, and how it is packed to its information content.

A packed report is the concatenation of its questions' bits in the order of the definition, most significant first,
filled with zeros to whole bytes. Packing is one to one, so equal bytes mean equal reports.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import ldp.mechanisms

_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_FIELDS = {"report_id", "digest", "answers"}


class ReportRefused(ValueError):
    """A report breaks a rule. `field` and `rule` never repeat a value that was sent."""

    def __init__(self, field: str, rule: str):
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


class Envelope(NamedTuple):
    report_id: str
    digest: str
    answers: dict[str, Any]


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
            mechanism, d, table = ldp.mechanisms.of(question)
            field = Field(question["key"], start, mechanism.width(d, table))
            self._encoders[field.key] = mechanism.encoder(d, table)
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


def parse(body: bytes) -> Envelope:
    """The envelope of a body: an object with exactly a version 4 UUID, a digest and an object of answers."""
    try:
        # Of bytes json would guess the encoding; of a text it refuses a byte order mark.
        data = json.loads(body.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError):
        raise ReportRefused("body", "must be JSON in UTF-8, without repeated names, fractions or NaN") from None
    if not isinstance(data, dict) or data.keys() != _FIELDS:
        raise ReportRefused("body", "must be an object with report_id, digest and answers, and nothing else")
    if not isinstance(data["report_id"], str) or not _UUID4.fullmatch(data["report_id"]):
        raise ReportRefused("report_id", "must be a random (version 4) UUID in lower case")
    if not isinstance(data["digest"], str) or not _DIGEST.fullmatch(data["digest"]):
        raise ReportRefused("digest", "must be 64 hexadecimal digits in lower case")
    if not isinstance(data["answers"], dict):
        raise ReportRefused("answers", "must be an object")
    return Envelope(**data)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is repeated")
    return found


def _refuse(text: str) -> None:
    raise ValueError("only whole numbers are used")
