"""The envelope of a report. A body is checked here before its answers are read."""

import json
import re
from typing import Any, NamedTuple

from ldp.question import Answers
from surveys.survey.definition.layout import ReportRefused

_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_FIELDS = {"report_id", "digest", "answers"}
_ALLOWED = _FIELDS | {"form", "group", "signature"}


class Envelope(NamedTuple):
    report_id: str
    digest: str
    answers: Answers
    form: Any = None  # missing from the body
    signature: Any = None  # missing, too
    group: Any = None  # missing, too


def parse(body: bytes) -> Envelope:
    """Return the envelope of a body: an object of a version 4 UUID, a digest, and an object of answers. It may have
    form, signature and group, but nothing else. Raise ReportRefused, which names the field and the rule."""
    try:
        data = _DECODER.decode(body.decode())  # it refuses a byte order mark
    except (ValueError, RecursionError):
        raise ReportRefused("body", "must be JSON in UTF-8, without repeated names, fractions or NaN") from None
    if not isinstance(data, dict) or not _FIELDS <= data.keys() <= _ALLOWED:
        rule = (
            "must be an object with report_id, digest and answers, with form where there are forms, with signature "
            "where the survey is by invitation, with group where it has groups, and nothing else"
        )
        raise ReportRefused("body", rule)
    if not isinstance(data["report_id"], str) or not _UUID4.fullmatch(data["report_id"]):
        raise ReportRefused("report_id", "must be a random (version 4) UUID in lower case")
    if not isinstance(data["digest"], str) or not _DIGEST.fullmatch(data["digest"]):
        raise ReportRefused("digest", "must be 64 hexadecimal digits in lower case")
    if not isinstance(data["answers"], dict):
        raise ReportRefused("answers", "must be an object")
    for name in ("form", "group"):
        if data.get(name, 0) is None:
            raise ReportRefused(name, f"must be a whole number, or left out where the survey has no {name}s")
    return Envelope(**data)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) != len(pairs):
        raise ValueError("a name is repeated")
    return named


def _refuse(text: str) -> None:
    raise ValueError("only whole numbers are used")


_DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_constant=_refuse, parse_float=_refuse)
