"""From a designer's draft to the definition that is frozen when the survey opens.

A definition is plain JSON data: the texts, the sections, the questions in order and for each the alpha, the mechanism
and the integer table of its channel. Its canonical bytes (sorted keys, no spaces, UTF-8) have one SHA-256, the digest,
which every report carries.
"""

import hashlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from ldp.exact import ALPHA_WEAK
from ldp.question import Question
from ldp.strength import TOTAL_WEAK
from surveys.definition import build_cache, cost, frame, routing, translations
from surveys.definition.certificate import NotCertified, canonical, certified
from surveys.definition.languages import language_of
from surveys.definition.shape import FORMAT
from surveys.rules.limits import QUESTIONS_MAX, TITLE_MAX
from surveys.rules.refusals import TOLD_MAX, DraftDecoder, DraftRefused, Refusal, Refusals, broken, place, refuse
from surveys.rules.texts import decimal

__all__ = [
    "TITLE_MAX",
    "DraftDecoder",
    "DraftRefused",
    "NotCertified",
    "alpha_total",
    "build",
    "canonical",
    "certified",
    "digest",
    "refusals",
    "warnings",
]


def build(draft: object) -> dict[str, Any]:
    """The definition of a draft. DraftRefused names every field that breaks a rule, or the first fifty; NotCertified
    where a page would refuse what was built, which then cannot be opened either."""
    try:
        definition = _build(draft)
    except DraftRefused as refused:
        first = refused.refusals[:TOLD_MAX]
        placed = (refusal._replace(place=place(refusal.field, draft)) for refusal in first)
        raise DraftRefused(*placed) from None
    if not certified(canonical(definition)):
        raise NotCertified("The definition that was built is not certified.")
    return definition


def refusals(draft: object) -> tuple[Refusal, ...]:
    """Every rule that a draft breaks, without `place`; none where it can be opened. Questions that have been built
    before cost next to nothing."""
    try:
        _build(draft)
    except DraftRefused as refused:
        return refused.refusals
    return ()


def _build(draft: object) -> dict[str, Any]:
    if not isinstance(draft, dict):
        raise refuse("draft", "not_an_object", _("must be an object"))
    refusals = Refusals()
    around = frame.build(draft, refusals)
    spoken = translations.build(draft, refusals)
    built = refusals.attempt(_questions, draft["questions"], language_of(spoken)) if "questions" in draft else None
    refusals.check()
    return {"format": FORMAT} | around | spoken | {"questions": built}


def digest(definition: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(definition)).hexdigest()


def alpha_total(definition: dict[str, Any]) -> str:
    """The survey's privacy parameter, the sum over its questions (M11), as a decimal string."""
    return decimal(sum(Decimal(question["alpha"]) for question in definition["questions"]))


def warnings(definition: dict[str, Any]) -> list[str]:
    """What a designer should think about before opening."""
    weak = [question["key"] for question in definition["questions"] if Fraction(question["alpha"]) > ALPHA_WEAK]
    cautions = [f"{key}: an alpha above {ALPHA_WEAK} protects an answer only weakly" for key in weak]
    if Fraction(alpha_total(definition)) > TOTAL_WEAK:
        cautions.append(f"the survey's total alpha is {alpha_total(definition)}; above {TOTAL_WEAK} protects weakly")
    return cautions


def _questions(drafts: object, language: str) -> list[Question]:
    if not isinstance(drafts, list) or not 1 <= len(drafts) <= QUESTIONS_MAX:
        raise refuse("questions", "question_count", _("must be a list of 1 to %(most)s questions"), most=QUESTIONS_MAX)
    refusals, budget = Refusals(), cost.Budget()
    built: dict[int, Question] = {}
    refusals.attempt(_different_keys, drafts)
    for i, draft in enumerate(drafts):
        one = refusals.attempt(build_cache.build, draft, f"questions[{i}]", language)
        if one is not None:
            built[i] = one
            refusals.attempt(budget.spend, one, f"questions[{i}]")
        if budget.spent:  # the rest is not even computed
            break
    refusals.attempt(routing.check_order, drafts, built)
    refusals.check()
    return list(built.values())


def _different_keys(drafts: list[Any]) -> None:
    keys = [draft.get("key") if isinstance(draft, dict) else None for draft in drafts]
    twice = [i for i, key in enumerate(keys) if isinstance(key, str) and key in keys[:i]]
    rule = _("must differ from the keys of the other questions")
    if twice:
        raise DraftRefused(*(broken(f"questions[{i}].key", "repeated_key", rule) for i in twice))
