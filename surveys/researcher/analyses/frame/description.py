"""How an analysis stands in the description of the API."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Description(NamedTuple):
    """A summary and a text for each operation, but one of what all ask alike. `example` is a specification as JSON."""

    tag: str
    listing: tuple[str, str]
    document: tuple[str, str]
    asking: str
    table: tuple[str, str]
    answer: str
    specification: str
    example: Mapping[str, Any]
    parameter: str = ""
    absent: str = "Nobody has asked for this of this release."
    moved: str = ""
    """Where another order of its fields leads."""
