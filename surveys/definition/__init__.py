"""From a designer's draft to the definition that is frozen when the survey opens.

A definition is plain JSON data: the texts, the questions in order and for each the alpha, the mechanism and the
integer table of its channel. Its canonical bytes (sorted keys, no spaces, UTF-8) have one SHA-256, the digest, which
every report carries.
"""

import hashlib
import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

from surveys.definition import questions
from surveys.definition.questions import TEXT_MAX
from surveys.definition.refusals import DraftRefused, decimal, fields, text

__all__ = ["TITLE_MAX", "DraftRefused", "alpha_total", "build", "canonical", "digest", "warnings"]

FORMAT = 1
QUESTIONS_MAX = 200
TITLE_MAX = 200
# About 400 kB: every respondent's browser loads the tables and proves what they keep.
TABLES_MAX = 24_000
ALPHA_WARNING, TOTAL_WARNING = Fraction(4), Fraction(8)


def build(draft: object) -> dict[str, Any]:
    """The definition of a draft. DraftRefused names the first field that breaks a rule."""
    draft = fields(draft, "draft", required={"title", "questions"}, allowed={"title", "introduction", "questions"})
    asked = draft["questions"]
    if not isinstance(asked, list) or not 1 <= len(asked) <= QUESTIONS_MAX:
        raise DraftRefused("questions", f"must be a list of 1 to {QUESTIONS_MAX} questions")
    return {
        "format": FORMAT,
        "title": text(draft["title"], "title", TITLE_MAX),
        "introduction": text(draft.get("introduction", ""), "introduction", TEXT_MAX, empty=True),
        "questions": _questions(asked),
    }


def canonical(definition: dict[str, Any]) -> bytes:
    return json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(definition: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(definition)).hexdigest()


def alpha_total(definition: dict[str, Any]) -> str:
    """The survey's privacy parameter, the sum over its questions (M11), as a decimal string."""
    return decimal(sum(Decimal(question["alpha"]) for question in definition["questions"]))


def warnings(definition: dict[str, Any]) -> list[str]:
    """What a designer should think about before opening."""
    weak = [q["key"] for q in definition["questions"] if Fraction(q["alpha"]) > ALPHA_WARNING]
    found = [f"{key}: an alpha above {ALPHA_WARNING} protects an answer only weakly" for key in weak]
    if Fraction(alpha_total(definition)) > TOTAL_WARNING:
        found.append(f"the survey's total alpha is {alpha_total(definition)}; above {TOTAL_WARNING} protects weakly")
    return found


def _questions(asked: list[object]) -> list[dict[str, Any]]:
    built: list[dict[str, Any]] = []
    integers = 0
    for i, question in enumerate(asked):
        built.append(questions.build(question, f"questions[{i}]"))
        integers += _integers(built[-1]["table"])
        if integers > TABLES_MAX:
            rule = f"needs a table that brings the survey's beyond {TABLES_MAX} integers; ask fewer such questions"
            raise DraftRefused(f"questions[{i}]", rule)
        if built[-1]["key"] in [other["key"] for other in built[:-1]]:
            raise DraftRefused(f"questions[{i}].key", "must differ from the keys of the other questions")
    return built


def _integers(table: Any) -> int:
    if isinstance(table, dict):
        return sum(_integers(value) for value in table.values())
    return sum(_integers(value) for value in table) if isinstance(table, list) else 1
