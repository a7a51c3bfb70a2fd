"""What was asked for where it is more than keys: as JSON in the address."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import Http404, QueryDict

from ldp.confidences import PERCENTS

# Of JSON in an address: what is longer would be refused anyway.
LONGEST = 10_000

Named = TypeVar("Named")


def text(given: Any) -> str:
    """Canonical JSON: what is the same has one text."""
    return json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(given: Any) -> str:
    return hashlib.sha256(text(given).encode()).hexdigest()


def parsed(typed: str, from_json: Callable[[Any], Named]) -> Named:
    """ValueError says what is wrong with it."""
    if len(typed) > LONGEST:
        raise ValueError(f"at most {LONGEST} characters are taken")
    try:
        return from_json(json.loads(typed))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def read(query: QueryDict, name: str, from_json: Callable[[Any], Named]) -> Named:
    """What a field of the address names. Http404 where that is nothing."""
    try:
        return parsed(query.get(name, ""), from_json)
    except ValueError:
        raise Http404 from None


def confidence(query: QueryDict) -> int:
    """In percent; 95 where the address names none that there is."""
    given = query.get("confidence", "")
    return int(given) if given in map(str, PERCENTS) else 95
