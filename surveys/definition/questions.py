"""One question of a draft becomes one of the definition: what each kind asks for, and its channel."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ldp.exact import parse_alpha, parse_delta
from ldp.kinds import best
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA
from surveys.definition.limits import CATEGORIES_MAX, ITEMS_MAX, OPTION_MAX, TEXT_MAX, UNIT_MAX
from surveys.definition.refusals import (
    Refusal,
    Refusals,
    as_text,
    different_texts,
    known_fields,
    number,
    refuse,
    text,
)
from surveys.definition.shape import KEY
from surveys.definition.texts import decimal

PREFER_NOT_TO_SAY = "Prefer not to say"

_SHARED = {"key", "kind", "text", "note", "alpha", "mechanism", "prefer_not_to_say"}
_REQUIRED: dict[str, set[str]] = {
    "yes_no": set(),
    "single_choice": {"options"},
    "ordered": {"options"},
    "histogram": {"edges"},
    "mean": {"low", "high"},
    "multiple_choice": {"options"},
    "grid": {"items", "options"},
}
_OPTIONAL: dict[str, set[str]] = {
    "histogram": {"unit", "delta"},
    "mean": {"unit"},
    "multiple_choice": {"sample"},
    "grid": {"sample"},
}


def build(question: object, where: str) -> dict[str, Any]:
    """The question as the definition holds it. DraftRefused names its fields, beginning with `where`."""
    if not isinstance(question, dict):
        raise refuse(where, "must be an object")
    kind, refusals = question.get("kind"), Refusals()
    if "kind" in question and (not isinstance(kind, str) or kind not in FITTING):
        raise refuse(f"{where}.kind", f"must be one of {', '.join(FITTING)}")
    own = _REQUIRED.get(str(kind), set())
    # Which fields there are depends on the kind.
    allowed = _SHARED | own | _OPTIONAL.get(str(kind), set()) if kind else set(map(str, question))
    refusals.attempt(known_fields, question, where, {"key", "kind", "text", "alpha"} | own, allowed)
    shared = _shared(question, where, refusals)
    asked = refusals.attempt(_KINDS[kind], question, where) if kind and own <= question.keys() else None
    if asked and "options" in asked and question.get("prefer_not_to_say") is True:
        asked["options"] = [*asked["options"], PREFER_NOT_TO_SAY]
    if asked and len(asked.get("options", ())) > CATEGORIES_MAX:
        refusals.found.append(Refusal(where, f"must have at most {CATEGORIES_MAX} options or bins"))
    channel = _channel(question, asked, where, refusals) if kind else {}
    refusals.check()
    return shared | (asked or {}) | channel


def _shared(question: dict[str, Any], where: str, refusals: Refusals) -> dict[str, Any]:
    """What questions of every kind have."""
    if "key" in question:
        refusals.attempt(_is_key, question["key"], f"{where}.key")
    asked = refusals.attempt(text, question["text"], f"{where}.text", TEXT_MAX) if "text" in question else None
    return {
        "key": question.get("key"),
        "kind": question.get("kind"),
        "text": asked,
        "note": refusals.attempt(text, question.get("note", ""), f"{where}.note", TEXT_MAX, empty=True),
        "prefer_not_to_say": refusals.attempt(_refusing, question, where),
    }


def _is_key(key: object, where: str) -> None:
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise refuse(where, "must be 1 to 40 of a-z, 0-9 and _, beginning with a letter")


def _refusing(question: dict[str, Any], where: str) -> bool:
    refusing = question.get("prefer_not_to_say", False)
    if type(refusing) is not bool:
        raise refuse(f"{where}.prefer_not_to_say", "must be true or false")
    if refusing and question.get("kind") == "mean":
        rule = "does not exist for a mean, where every answer is a number; a histogram can have it"
        raise refuse(f"{where}.prefer_not_to_say", rule)
    return refusing


# What each kind asks for --------------------------------------------------------------------------------------------


def _yes_no(question: dict[str, Any], where: str) -> dict[str, Any]:
    return {"options": ["Yes", "No"]}


def _choice(question: dict[str, Any], where: str) -> dict[str, Any]:
    options = different_texts(question["options"], f"{where}.options", OPTION_MAX, CATEGORIES_MAX)
    if PREFER_NOT_TO_SAY in options:
        rule = f"must differ from “{PREFER_NOT_TO_SAY}”, which prefer_not_to_say adds"
        raise refuse(f"{where}.options", rule)
    return {"options": options}


def _histogram(question: dict[str, Any], where: str) -> dict[str, Any]:
    refusals = Refusals()
    edges = refusals.attempt(_edges, question["edges"], f"{where}.edges")
    unit = refusals.attempt(_unit, question, where)
    refusals.check()
    return {"options": _bin_labels([decimal(Decimal(edge)) for edge in edges or ()]), "edges": edges, "unit": unit}


def _edges(edges: object, where: str) -> list[str]:
    if not isinstance(edges, list) or not 3 <= len(edges) <= CATEGORIES_MAX + 1:
        raise refuse(where, f"must be a list of 3 to {CATEGORIES_MAX + 1} numbers")
    refusals = Refusals()
    read = [refusals.attempt(number, edge, f"{where}[{i}]") for i, edge in enumerate(edges)]
    refusals.check()
    numbers = [edge for edge in read if edge is not None]
    if any(Decimal(low) >= Decimal(high) for low, high in pairwise(numbers)):
        raise refuse(where, "must increase from each to the next")
    return numbers


def _bin_labels(edges: list[str]) -> list[str]:
    """Numbers beyond the outer edges count in the outer bins, and their labels say so."""
    inner = [f"{low} to under {high}" for low, high in pairwise(edges[1:-1])]
    return [f"under {edges[1]}", *inner, f"{edges[-2]} or more"]


def _mean(question: dict[str, Any], where: str) -> dict[str, Any]:
    refusals = Refusals()
    low, high = (refusals.attempt(number, question[end], f"{where}.{end}") for end in ("low", "high"))
    unit = refusals.attempt(_unit, question, where)
    if low is not None and high is not None and Decimal(low) >= Decimal(high):
        refusals.found.append(Refusal(f"{where}.high", "must be greater than low"))
    refusals.check()
    return {"low": decimal(Decimal(low or 0)), "high": decimal(Decimal(high or 0)), "unit": unit}


def _grid(question: dict[str, Any], where: str) -> dict[str, Any]:
    refusals = Refusals()
    items = refusals.attempt(different_texts, question["items"], f"{where}.items", OPTION_MAX, ITEMS_MAX)
    choice = refusals.attempt(_choice, question, where)
    refusals.check()
    return {"items": items} | (choice or {})


def _unit(question: dict[str, Any], where: str) -> str:
    return text(question.get("unit", ""), f"{where}.unit", UNIT_MAX, empty=True)


_KINDS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {
    "yes_no": _yes_no,
    "single_choice": _choice,
    "ordered": _choice,
    "histogram": _histogram,
    "mean": _mean,
    "multiple_choice": _choice,
    "grid": _grid,
}


# The channel ----------------------------------------------------------------------------------------------------------


def _channel(question: dict[str, Any], asked: dict[str, Any] | None, where: str, refusals: Refusals) -> dict[str, Any]:
    """Alpha, mechanism and table; what it can check without what is asked is checked anyway."""
    kind = question["kind"]
    given = as_text(question.get("alpha"))
    alpha = refusals.attempt(_by_rule, parse_alpha, given, f"{where}.alpha") if "alpha" in question else None
    if question.get("mechanism", FITTING[kind][0]) not in FITTING[kind]:
        rule = f"must be one of {', '.join(FITTING[kind])} for this kind"
        refusals.found.append(Refusal(f"{where}.mechanism", rule))
    if refusals.found or asked is None or alpha is None:
        return {}
    d = len(asked.get("options", ()))
    mechanism = question.get("mechanism") or best(kind, alpha, d)
    delta = refusals.attempt(_delta, question, mechanism, where)
    extra: dict[str, Any] = {"delta": Fraction(delta)} if delta else {}
    if kind in ("multiple_choice", "grid"):
        extra["sample"] = refusals.attempt(_sample, question, len(asked.get("items", asked["options"])), where)
    refusals.check()
    table = _table(mechanism, alpha, d, extra, where)
    stated = {"alpha": decimal(Decimal(str(given))), "mechanism": mechanism, "table": table}
    return stated | ({"delta": delta} if delta else {})


def _table(mechanism: str, alpha: Fraction, d: int, extra: dict[str, Any], where: str) -> Any:
    try:
        return MECHANISMS[mechanism].table(alpha, d, **extra)
    except ValueError as rule:
        raise refuse(f"{where}.mechanism", f"{mechanism} {rule}") from None


def _by_rule(parse: Callable[[Any], Fraction], value: object, where: str) -> Fraction:
    try:
        return parse(value)
    except ValueError as rule:
        raise refuse(where, str(rule)) from None


def _delta(question: dict[str, Any], mechanism: str, where: str) -> str:
    """The delta as the definition holds it, empty where the mechanism has none."""
    if mechanism not in WITH_DELTA:
        if "delta" in question:
            raise refuse(f"{where}.delta", f"belongs to the mechanisms {' and '.join(WITH_DELTA)} only")
        return ""
    if "delta" not in question:
        raise refuse(f"{where}.delta", f'is missing; {mechanism} needs one, such as "0.000001"')
    given = as_text(question["delta"])
    _by_rule(parse_delta, given, f"{where}.delta")
    return decimal(Decimal(str(given)))


def _sample(question: dict[str, Any], items: int, where: str) -> int:
    """How many of the items one report is about."""
    sample = question.get("sample", 1)
    if type(sample) is not int or not 1 <= sample <= items:
        raise refuse(f"{where}.sample", f"must be a whole number from 1 to {items}, the number of items")
    return sample
