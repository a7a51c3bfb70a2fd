"""A reader's selection within a document, and JSON in URLs."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.http import Http404, QueryDict

from ldp.confidences import PERCENTS

# The most characters of JSON in a URL: no valid specification is longer.
LONGEST = 10_000

Named = TypeVar("Named")


class AnalysisSelection(NamedTuple):
    """`shares` names the kind of shares, if a document has several."""

    confidence: int = 95
    shares: str = ""

    @classmethod
    def read(cls, query: QueryDict, shares: Sequence[str] = ()) -> "AnalysisSelection":
        """Return the selection in a page's query, with defaults for invalid values."""
        confidence, kind = query.get("confidence", ""), query.get("shares", "")
        usual = shares[0] if shares else ""
        return cls(int(confidence) if confidence in map(str, PERCENTS) else 95, kind if kind in shares else usual)

    @property
    def fraction(self) -> float:
        return self.confidence / 100


def canonical(data: Any) -> str:
    """Return canonical JSON: equal data have equal text."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(data: Any) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def parsed(typed: str, from_json: Callable[[Any], Named]) -> Named:
    """Return the object that the JSON describes. The ValueError for a wrong text says what is wrong."""
    if len(typed) > LONGEST:
        raise ValueError(f"at most {LONGEST} characters are taken")
    try:
        return from_json(json.loads(typed))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def from_query(query: QueryDict, name: str, from_json: Callable[[Any], Named]) -> Named:
    """Return the object that a field of the query describes. Raise Http404 if it is invalid."""
    try:
        return parsed(query.get(name, ""), from_json)
    except ValueError:
        raise Http404 from None
