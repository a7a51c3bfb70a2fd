"""From a designer's draft to the definition that is frozen when the survey opens.

A definition is plain JSON data: the texts, the questions in order and for each the alpha, the mechanism and the
integer table of its channel. Its canonical bytes (sorted keys, no spaces, UTF-8) have one SHA-256, the digest, which
every report carries.
"""

import hashlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

from surveys.definition import questions
from surveys.definition.certificate import NotCertified, canonical, certified
from surveys.definition.limits import QUESTIONS_MAX, TABLES_MAX, TEXT_MAX, TITLE_MAX
from surveys.definition.refusals import DraftRefused, fields, text
from surveys.definition.shape import FORMAT, integers
from surveys.definition.texts import decimal

__all__ = [
    "TITLE_MAX",
    "DraftRefused",
    "NotCertified",
    "alpha_total",
    "build",
    "canonical",
    "certified",
    "digest",
    "warnings",
]

ALPHA_WARNING, TOTAL_WARNING = Fraction(4), Fraction(8)


def build(draft: object) -> dict[str, Any]:
    """The definition of a draft. DraftRefused names the first field that breaks a rule; NotCertified where a page would
    refuse what was built, which then cannot be opened either."""
    draft = fields(draft, "draft", required={"title", "questions"}, allowed={"title", "introduction", "questions"})
    asked = draft["questions"]
    if not isinstance(asked, list) or not 1 <= len(asked) <= QUESTIONS_MAX:
        raise DraftRefused("questions", f"must be a list of 1 to {QUESTIONS_MAX} questions")
    definition = {
        "format": FORMAT,
        "title": text(draft["title"], "title", TITLE_MAX),
        "introduction": text(draft.get("introduction", ""), "introduction", TEXT_MAX, empty=True),
        "questions": _questions(asked),
    }
    if not certified(canonical(definition)):
        raise NotCertified("The definition that was built is not certified.")
    return definition


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
    total = 0
    for i, question in enumerate(asked):
        built.append(questions.build(question, f"questions[{i}]"))
        total += integers(built[-1]["table"])
        if total > TABLES_MAX:
            rule = f"needs a table that brings the survey's beyond {TABLES_MAX} integers; ask fewer such questions"
            raise DraftRefused(f"questions[{i}]", rule)
        if built[-1]["key"] in [other["key"] for other in built[:-1]]:
            raise DraftRefused(f"questions[{i}].key", "must differ from the keys of the other questions")
    return built
