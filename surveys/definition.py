"""From a designer's draft to the definition that is frozen when the survey opens.

A definition is plain JSON data: the texts, the questions in order and for each the alpha, the mechanism and the
integer table of its channel. Its canonical bytes (sorted keys, no spaces, UTF-8) have one SHA-256, the digest, which
every report carries.
"""

import hashlib
import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ldp.exact import parse_alpha
from ldp.mechanisms import FITTING, MECHANISMS, best

FORMAT = 1
QUESTIONS_MAX = 200
CATEGORIES_MAX = 256
TITLE_MAX = 200
TEXT_MAX = 2000
OPTION_MAX = 200
PREFER_NOT_TO_SAY = "Prefer not to say"
ALPHA_WARNING, TOTAL_WARNING = Fraction(4), Fraction(8)

_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
_EDGE = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?", re.ASCII)
_SURVEY_FIELDS = {"title", "introduction", "questions"}
_QUESTION_FIELDS = {"key", "kind", "text", "note", "alpha", "mechanism", "prefer_not_to_say"}
_KIND_FIELDS: dict[str, set[str]] = {"yes_no": set(), "single_choice": {"options"}, "histogram": {"edges", "unit"}}


class DraftRefused(ValueError):
    """The designer's draft breaks a rule. `field` says where, `rule` what is needed."""

    def __init__(self, field: str, rule: str):
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


def build(draft: object) -> dict[str, Any]:
    """The definition of a draft. DraftRefused names the first field that breaks a rule."""
    draft = _object(draft, "draft", required={"title", "questions"}, allowed=_SURVEY_FIELDS)
    questions = draft["questions"]
    if not isinstance(questions, list) or not 1 <= len(questions) <= QUESTIONS_MAX:
        raise DraftRefused("questions", f"must be a list of 1 to {QUESTIONS_MAX} questions")
    built = [_question(question, f"questions[{i}]") for i, question in enumerate(questions)]
    keys = [question["key"] for question in built]
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise DraftRefused(f"questions[{i}].key", "must differ from the keys of the other questions")
    return {
        "format": FORMAT,
        "title": _text(draft["title"], "title", TITLE_MAX),
        "introduction": _text(draft.get("introduction", ""), "introduction", TEXT_MAX, empty=True),
        "questions": built,
    }


def canonical(definition: dict[str, Any]) -> bytes:
    return json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(definition: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(definition)).hexdigest()


def alpha_total(definition: dict[str, Any]) -> str:
    """The survey's privacy parameter, the sum over its questions (M11), as a decimal string."""
    return _decimal(sum(Decimal(question["alpha"]) for question in definition["questions"]))


def warnings(definition: dict[str, Any]) -> list[str]:
    """What a designer should think about before opening."""
    weak = [q["key"] for q in definition["questions"] if Fraction(q["alpha"]) > ALPHA_WARNING]
    found = [f"{key}: an alpha above {ALPHA_WARNING} protects an answer only weakly" for key in weak]
    if Fraction(alpha_total(definition)) > TOTAL_WARNING:
        found.append(f"the survey's total alpha is {alpha_total(definition)}; above {TOTAL_WARNING} protects weakly")
    return found


def _question(question: object, where: str) -> dict[str, Any]:
    kind = question.get("kind") if isinstance(question, dict) else None
    if kind is not None and (not isinstance(kind, str) or kind not in FITTING):
        raise DraftRefused(f"{where}.kind", f"must be one of {', '.join(FITTING)}")
    own = _KIND_FIELDS.get(kind, set()) if isinstance(kind, str) else set()
    required = {"key", "kind", "text", "alpha"} | own - {"unit"}
    question = _object(question, where, required=required, allowed=_QUESTION_FIELDS | own)
    if not isinstance(question["key"], str) or not _KEY.fullmatch(question["key"]):
        raise DraftRefused(f"{where}.key", "must be 1 to 40 of a-z, 0-9 and _, beginning with a letter")
    refusing = question.get("prefer_not_to_say", False)
    if type(refusing) is not bool:
        raise DraftRefused(f"{where}.prefer_not_to_say", "must be true or false")
    shared = {
        "key": question["key"],
        "kind": kind,
        "text": _text(question["text"], f"{where}.text", TEXT_MAX),
        "note": _text(question.get("note", ""), f"{where}.note", TEXT_MAX, empty=True),
        "prefer_not_to_say": refusing,
    }
    categories = _CATEGORIES[str(kind)](question, where)
    categories["options"] = categories["options"] + [PREFER_NOT_TO_SAY] * refusing
    if len(categories["options"]) > CATEGORIES_MAX:
        raise DraftRefused(where, f"must have at most {CATEGORIES_MAX} options or bins")
    return shared | categories | _channel(question, str(kind), len(categories["options"]), where)


def _channel(question: dict[str, Any], kind: str, d: int, where: str) -> dict[str, Any]:
    try:
        alpha = parse_alpha(question["alpha"])
    except ValueError as refusal:
        raise DraftRefused(f"{where}.alpha", str(refusal)) from None
    mechanism = question.get("mechanism", best(kind, alpha, d))
    if not isinstance(mechanism, str) or mechanism not in FITTING[kind]:
        raise DraftRefused(f"{where}.mechanism", f"must be one of {', '.join(FITTING[kind])} for this kind")
    table = MECHANISMS[mechanism].table(alpha, d)
    return {"alpha": _decimal(Decimal(question["alpha"])), "mechanism": mechanism, "table": table}


def _yes_no(question: dict[str, Any], where: str) -> dict[str, Any]:
    return {"options": ["Yes", "No"]}


def _single_choice(question: dict[str, Any], where: str) -> dict[str, Any]:
    options = question["options"]
    if not isinstance(options, list) or not 2 <= len(options) <= CATEGORIES_MAX:
        raise DraftRefused(f"{where}.options", f"must be a list of 2 to {CATEGORIES_MAX} texts")
    texts = [_text(option, f"{where}.options[{i}]", OPTION_MAX) for i, option in enumerate(options)]
    if len(set(texts) | {PREFER_NOT_TO_SAY}) != len(texts) + 1:
        raise DraftRefused(f"{where}.options", f"must differ from each other and from “{PREFER_NOT_TO_SAY}”")
    return {"options": texts}


def _histogram(question: dict[str, Any], where: str) -> dict[str, Any]:
    edges, unit = question["edges"], _text(question.get("unit", ""), f"{where}.unit", 40, empty=True)
    if not isinstance(edges, list) or not 3 <= len(edges) <= CATEGORIES_MAX + 1:
        raise DraftRefused(f"{where}.edges", f"must be a list of 3 to {CATEGORIES_MAX + 1} decimal strings")
    for i, edge in enumerate(edges):
        if not isinstance(edge, str) or not _EDGE.fullmatch(edge):
            raise DraftRefused(f"{where}.edges[{i}]", 'must be a decimal string, such as "17.5"')
    numbers = [Decimal(edge) for edge in edges]
    if any(low >= high for low, high in pairwise(numbers)):
        raise DraftRefused(f"{where}.edges", "must increase from each to the next")
    return {"options": _bin_labels([_decimal(number) for number in numbers]), "edges": edges, "unit": unit}


_CATEGORIES = {"yes_no": _yes_no, "single_choice": _single_choice, "histogram": _histogram}


def _bin_labels(edges: list[str]) -> list[str]:
    """Numbers beyond the outer edges count in the outer bins, and their labels say so."""
    inner = [f"{low} to under {high}" for low, high in pairwise(edges[1:-1])]
    return [f"under {edges[1]}", *inner, f"{edges[-2]} or more"]


def _object(value: object, where: str, required: set[str], allowed: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DraftRefused(where, "must be an object")
    for field in sorted(required - value.keys()):
        raise DraftRefused(f"{where}.{field}", "is missing")
    for field in sorted(value.keys() - allowed):
        raise DraftRefused(f"{where}.{field}", f"is not known here; known are {', '.join(sorted(allowed))}")
    return value


def _text(value: object, where: str, limit: int, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > limit or not (empty or value.strip()):
        raise DraftRefused(where, f"must be a text of {0 if empty else 1} to {limit} characters")
    if any((ord(c) < 32 and c != "\n") or 0xD800 <= ord(c) < 0xE000 for c in value):
        raise DraftRefused(where, "must not hold control characters")
    return value.strip()


def _decimal(number: Decimal | int) -> str:
    """The shortest decimal notation: 1.50 is 1.5, and never an exponent."""
    text = f"{Decimal(number) + 0:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
