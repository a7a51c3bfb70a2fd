"""Types of unchecked data: drafts, their parts and definitions, typed or read from a file; and parts of an unfinished
definition."""

from collections.abc import Mapping
from typing import Any

Unchecked = Mapping[str, Any]
Built = dict[str, Any]


def as_list(value: object) -> list[Any]:
    """Return the value if it is a list, else []."""
    return value if isinstance(value, list) else []


def as_object(value: object) -> Built:
    """Return the value if it is an object, else {}."""
    return value if isinstance(value, dict) else {}


def words_of(value: object) -> str:
    """Return a text without spaces at its ends, "" for any other value."""
    return value.strip() if isinstance(value, str) else ""
