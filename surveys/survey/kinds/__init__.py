"""The kinds of question. Each has a module for everything that differs between kinds, from the draft to the download.
Only ldp.mechanisms lists them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import kinds
from surveys.survey.kinds.protocol import Fact, Kind

KINDS: dict[str, Kind] = {name: import_module(f"surveys.survey.kinds.{name}").KIND for name in kinds.KINDS}
# The fields of a definition that only some kinds have. Below, the fields of a draft that are lists of texts, with their
# maximal length.
FIELDS = frozenset().union(*(kind.fields for kind in KINDS.values()))
LISTS = {name: most for kind in KINDS.values() for name, most in kind.lists.items()}


def of(question: Mapping[str, Any]) -> Kind:
    """Return the kind of a definition's question, or of a result."""
    return KINDS[question["kind"]]


def own_fields(question: Mapping[str, Any]) -> frozenset[str]:
    """Return the kind's fields that a definition's question has."""
    kind = of(question)
    return kind.fields | (kind.more | kind.voluntary) & question.keys()


def texts(question: Mapping[str, Any]) -> frozenset[str]:
    """Return the kind's translated fields, for a question of a draft or a definition."""
    kind = of(question)
    return kind.texts | kind.more & question.keys()


def in_draft(question: Mapping[str, Any]) -> Kind | None:
    """Return the kind of a question of a draft or a definition; None for an unknown kind."""
    name = question.get("kind")
    return KINDS.get(name) if isinstance(name, str) else None


def lines(question: Mapping[str, Any]) -> Any:
    """Return the options, items or similar list of a question of a draft or a definition, unchecked. For an unknown
    kind return the first such list; [] if there is none."""
    kind = in_draft(question)
    fields = [kind.listed] if kind else dict.fromkeys(each.listed for each in KINDS.values())
    return next((question[name] for name in fields if name in question), [])


def entered(question: Mapping[str, Any]) -> str:
    """Return what people enter, "number" or "date", for a question of a draft or a definition; "" if they choose, for
    example a scale's step."""
    kind = in_draft(question)
    return kind.entered if kind and not kind.more & question.keys() else ""


def typed(question: Mapping[str, Any]) -> bool:
    """Return whether a question of a draft or a definition is answered by typing a number."""
    return entered(question) == "number"
