"""The kinds of question: one module each for all that differs between them, from the draft to the
download. They are entered in ldp.mechanisms alone."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import kinds
from surveys.kinds.protocol import Fact, Kind

__all__ = ["KINDS", "Fact", "Kind", "of", "own_fields", "texts", "typed"]

KINDS: dict[str, Kind] = {name: import_module(f"surveys.kinds.{name}").KIND for name in kinds.KINDS}


def of(question: Mapping[str, Any]) -> Kind:
    """The kind of a definition's question, or of a result."""
    return KINDS[question["kind"]]


def own_fields(question: Mapping[str, Any]) -> frozenset[str]:
    """The fields of its kind that a definition's question has."""
    kind = of(question)
    return kind.fields | kind.more & question.keys()


def texts(question: Mapping[str, Any]) -> frozenset[str]:
    """The fields of its kind of which each language has its own, of a draft's question or a definition's."""
    kind = of(question)
    return kind.texts | kind.more & question.keys()


def typed(question: Mapping[str, Any]) -> bool:
    """Whether it is answered by typing a number, of a draft's question or a definition's."""
    return question.get("kind") in ("histogram", "mean") and "steps" not in question
