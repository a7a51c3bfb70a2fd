"""The kinds of question: one module each for all that differs between them, from the draft to the
download. They are entered in ldp.mechanisms alone."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import kinds
from surveys.kinds.protocol import Fact, Kind

__all__ = ["KINDS", "Fact", "Kind", "of"]

KINDS: dict[str, Kind] = {name: import_module(f"surveys.kinds.{name}").KIND for name in kinds.KINDS}


def of(question: Mapping[str, Any]) -> Kind:
    """The kind of a definition's question, or of a result."""
    return KINDS[question["kind"]]
