"""One question of a draft becomes one of the definition: what each kind asks for, and its channel."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ldp.exact import parse_alpha, parse_delta
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA, best
from surveys.definition.limits import CATEGORIES_MAX, ITEMS_MAX, OPTION_MAX, TEXT_MAX, UNIT_MAX
from surveys.definition.refusals import DraftRefused, different_texts, fields, number, text
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
    """The question as the definition holds it. DraftRefused names the field, beginning with `where`."""
    kind = question.get("kind") if isinstance(question, dict) else None
    if kind is not None and (not isinstance(kind, str) or kind not in FITTING):
        raise DraftRefused(f"{where}.kind", f"must be one of {', '.join(FITTING)}")
    own = _REQUIRED.get(str(kind), set())
    allowed = _SHARED | own | _OPTIONAL.get(str(kind), set())
    question = fields(question, where, required={"key", "kind", "text", "alpha"} | own, allowed=allowed)
    if not isinstance(question["key"], str) or not KEY.fullmatch(question["key"]):
        raise DraftRefused(f"{where}.key", "must be 1 to 40 of a-z, 0-9 and _, beginning with a letter")
    shared = {
        "key": question["key"],
        "kind": kind,
        "text": text(question["text"], f"{where}.text", TEXT_MAX),
        "note": text(question.get("note", ""), f"{where}.note", TEXT_MAX, empty=True),
        "prefer_not_to_say": _refusing(question, where),
    }
    asked = _KINDS[str(kind)](question, where)
    if "options" in asked:
        asked["options"] = asked["options"] + [PREFER_NOT_TO_SAY] * shared["prefer_not_to_say"]
        if len(asked["options"]) > CATEGORIES_MAX:
            raise DraftRefused(where, f"must have at most {CATEGORIES_MAX} options or bins")
    return shared | asked | _channel(question, asked, where)


def _refusing(question: dict[str, Any], where: str) -> bool:
    refusing = question.get("prefer_not_to_say", False)
    if type(refusing) is not bool:
        raise DraftRefused(f"{where}.prefer_not_to_say", "must be true or false")
    if refusing and question["kind"] == "mean":
        rule = "does not exist for a mean, where every answer is a number; a histogram can have it"
        raise DraftRefused(f"{where}.prefer_not_to_say", rule)
    return refusing


# What each kind asks for --------------------------------------------------------------------------------------------


def _yes_no(question: dict[str, Any], where: str) -> dict[str, Any]:
    return {"options": ["Yes", "No"]}


def _choice(question: dict[str, Any], where: str) -> dict[str, Any]:
    options = different_texts(question["options"], f"{where}.options", OPTION_MAX, CATEGORIES_MAX)
    if PREFER_NOT_TO_SAY in options:
        rule = f"must differ from “{PREFER_NOT_TO_SAY}”, which prefer_not_to_say adds"
        raise DraftRefused(f"{where}.options", rule)
    return {"options": options}


def _histogram(question: dict[str, Any], where: str) -> dict[str, Any]:
    edges, unit = question["edges"], _unit(question, where)
    if not isinstance(edges, list) or not 3 <= len(edges) <= CATEGORIES_MAX + 1:
        raise DraftRefused(f"{where}.edges", f"must be a list of 3 to {CATEGORIES_MAX + 1} decimal strings")
    numbers = [Decimal(number(edge, f"{where}.edges[{i}]")) for i, edge in enumerate(edges)]
    if any(low >= high for low, high in pairwise(numbers)):
        raise DraftRefused(f"{where}.edges", "must increase from each to the next")
    return {"options": _bin_labels([decimal(number) for number in numbers]), "edges": edges, "unit": unit}


def _bin_labels(edges: list[str]) -> list[str]:
    """Numbers beyond the outer edges count in the outer bins, and their labels say so."""
    inner = [f"{low} to under {high}" for low, high in pairwise(edges[1:-1])]
    return [f"under {edges[1]}", *inner, f"{edges[-2]} or more"]


def _mean(question: dict[str, Any], where: str) -> dict[str, Any]:
    low, high = (decimal(Decimal(number(question[end], f"{where}.{end}"))) for end in ("low", "high"))
    if Decimal(low) >= Decimal(high):
        raise DraftRefused(f"{where}.high", "must be greater than low")
    return {"low": low, "high": high, "unit": _unit(question, where)}


def _grid(question: dict[str, Any], where: str) -> dict[str, Any]:
    items = different_texts(question["items"], f"{where}.items", OPTION_MAX, ITEMS_MAX)
    return {"items": items} | _choice(question, where)


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


def _channel(question: dict[str, Any], asked: dict[str, Any], where: str) -> dict[str, Any]:
    kind, d = question["kind"], len(asked.get("options", ()))
    try:
        alpha = parse_alpha(question["alpha"])
    except ValueError as refusal:
        raise DraftRefused(f"{where}.alpha", str(refusal)) from None
    mechanism = question["mechanism"] if "mechanism" in question else best(kind, alpha, d)
    if not isinstance(mechanism, str) or mechanism not in FITTING[kind]:
        raise DraftRefused(f"{where}.mechanism", f"must be one of {', '.join(FITTING[kind])} for this kind")
    delta = _delta(question, mechanism, where)
    extra: dict[str, Any] = {"delta": Fraction(delta)} if delta else {}
    if kind in ("multiple_choice", "grid"):
        extra["sample"] = _sample(question, len(asked.get("items", asked["options"])), where)
    try:
        table = MECHANISMS[mechanism].table(alpha, d, **extra)
    except ValueError as refusal:
        raise DraftRefused(f"{where}.mechanism", f"{mechanism} {refusal}") from None
    stated = {"alpha": decimal(Decimal(question["alpha"])), "mechanism": mechanism, "table": table}
    return stated | ({"delta": delta} if delta else {})


def _delta(question: dict[str, Any], mechanism: str, where: str) -> str:
    """The delta as the definition holds it, empty where the mechanism has none."""
    if mechanism not in WITH_DELTA:
        if "delta" in question:
            raise DraftRefused(f"{where}.delta", f"belongs to the mechanisms {' and '.join(WITH_DELTA)} only")
        return ""
    if "delta" not in question:
        raise DraftRefused(f"{where}.delta", f'is missing; {mechanism} needs one, such as "0.000001"')
    try:
        parse_delta(question["delta"])
    except ValueError as refusal:
        raise DraftRefused(f"{where}.delta", str(refusal)) from None
    return decimal(Decimal(question["delta"]))


def _sample(question: dict[str, Any], items: int, where: str) -> int:
    """How many of the items one report is about."""
    sample = question.get("sample", 1)
    if type(sample) is not int or not 1 <= sample <= items:
        raise DraftRefused(f"{where}.sample", f"must be a whole number from 1 to {items}, the number of items")
    return sample
