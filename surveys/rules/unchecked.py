"""Types of data that no rule has checked: drafts, their parts and definitions, as typed or read from a file; and parts
of a definition that is still being built."""

from collections.abc import Mapping
from typing import Any

Unchecked = Mapping[str, Any]
Built = dict[str, Any]


def as_list(value: object) -> list[Any]:
    """Return the value where it is a list; else an empty one."""
    return value if isinstance(value, list) else []


def as_object(value: object) -> Built:
    """Return the value where it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def words_of(value: object) -> str:
    """Return a text without the spaces at its ends; empty where the value is none."""
    return value.strip() if isinstance(value, str) else ""
