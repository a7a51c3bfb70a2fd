"""The kinds of question: one module each for all that differs between them, from the draft to the
download. They are entered in ldp.mechanisms alone."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import kinds
from surveys.survey.kinds.protocol import Fact, Kind

__all__ = [
    "FIELDS",
    "KINDS",
    "LISTS",
    "Fact",
    "Kind",
    "entered",
    "in_draft",
    "lines",
    "of",
    "own_fields",
    "texts",
    "typed",
]

KINDS: dict[str, Kind] = {name: import_module(f"surveys.survey.kinds.{name}").KIND for name in kinds.KINDS}
# The fields of a definition that not every kind has; and those of a draft that are lists of texts, with the most lines.
FIELDS = frozenset().union(*(kind.fields for kind in KINDS.values()))
LISTS = {name: most for kind in KINDS.values() for name, most in kind.lists.items()}


def of(question: Mapping[str, Any]) -> Kind:
    """The kind of a definition's question, or of a result."""
    return KINDS[question["kind"]]


def own_fields(question: Mapping[str, Any]) -> frozenset[str]:
    """The fields of its kind that a definition's question has."""
    kind = of(question)
    return kind.fields | (kind.more | kind.voluntary) & question.keys()


def texts(question: Mapping[str, Any]) -> frozenset[str]:
    """The fields of its kind of which each language has its own, of a draft's question or a definition's."""
    kind = of(question)
    return kind.texts | kind.more & question.keys()


def in_draft(question: Mapping[str, Any]) -> Kind | None:
    """The kind of a draft's question, or a definition's; None where that is none."""
    name = question.get("kind")
    return KINDS.get(name) if isinstance(name, str) else None


def lines(question: Mapping[str, Any]) -> Any:
    """What people choose from or put in order, as it stands in a draft's question or a definition's, also in one whose
    kind is not chosen yet; empty where there is nothing."""
    kind = in_draft(question)
    fields = [kind.listed] if kind else dict.fromkeys(each.listed for each in KINDS.values())
    return next((question[name] for name in fields if name in question), [])


def entered(question: Mapping[str, Any]) -> str:
    """What is entered, "number" or "date", also in a draft; empty where people choose, as of a scale's steps."""
    kind = in_draft(question)
    return kind.entered if kind and not kind.more & question.keys() else ""


def typed(question: Mapping[str, Any]) -> bool:
    """Whether it is answered by typing a number, of a draft's question or a definition's."""
    return entered(question) == "number"
