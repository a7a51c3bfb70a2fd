"""From a designer's draft to the definition that is frozen when the survey opens.

A definition is plain JSON: the texts, the sections, the questions in order, and the draws that randomize them, with
their alphas, mechanisms and integer tables. The digest is the SHA-256 of its canonical bytes (sorted keys, no spaces,
UTF-8). Every report carries the digest.
"""

import hashlib
from fractions import Fraction
from typing import Any, cast

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ldp.exact import ALPHA_WEAK
from ldp.forms import report
from ldp.forms.definition import questionnaire
from ldp.question import Question, channels
from ldp.strength import TOTAL_WEAK
from surveys.figures import numerals
from surveys.rules.limits import QUESTIONS_MAX, TITLE_MAX
from surveys.rules.personal_names import look_like_people
from surveys.rules.refusals import TOLD_MAX, DraftDecoder, DraftRefused, Refusals, RuleBreach, broken, place, refuse
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey import kinds
from surveys.survey.definition import (
    arms,
    build_cache,
    cost,
    draws,
    forms,
    frame,
    invitations,
    markup,
    pictures,
    routing,
    translations,
)
from surveys.survey.definition.certificate import NotCertified, canonical, certified
from surveys.survey.definition.document import FORMAT, Definition
from surveys.survey.definition.languages import in_language, language_of, languages_of


def build(draft: object) -> Definition:
    """Return the definition of a draft. Raise DraftRefused with every broken rule, up to fifty, or NotCertified if a
    page would refuse the definition."""
    try:
        definition = _build(draft)
    except DraftRefused as refused:
        first = refused.refusals[:TOLD_MAX]
        placed = (refusal._replace(place=place(refusal.field, draft)) for refusal in first)
        raise DraftRefused(*placed) from None
    if not certified(canonical(definition)):
        raise NotCertified("The definition that was built is not certified.")
    return definition


def refusals(draft: object) -> tuple[RuleBreach, ...]:
    """Return every rule that a draft breaks, without `place`; () if it can open. Questions that were built before are
    cached."""
    try:
        _build(draft)
    except DraftRefused as refused:
        return refused.refusals
    return ()


def _build(draft: object) -> Definition:
    if not isinstance(draft, dict):
        raise refuse("draft", "not_an_object", _("must be an object"))
    refusals = Refusals()
    around = frame.build(draft, refusals)
    texts = translations.build(draft, refusals)
    marked = markup.build(draft, refusals)
    pictured = pictures.build(draft, languages_of(texts), refusals)
    built = refusals.attempt(_questionnaire, draft, language_of(texts)) if "questions" in draft else None
    refusals.check()
    parts = built or {}
    frozen = {"format": FORMAT} | around | texts | marked | pictured | parts
    return cast(Definition, frozen)


def digest(definition: Definition) -> str:
    return hashlib.sha256(canonical(definition)).hexdigest()


def alpha_total(definition: Definition) -> str:
    """Return the survey's privacy parameter as a decimal string: the largest alpha of any report (M11, M35)."""
    return decimal(questionnaire(definition).alpha)


def alphas_of_forms(definition: Definition) -> list[str]:
    """Return the alpha of each form's report, including everyone's questions."""
    whole = questionnaire(definition)
    return [decimal(whole.total(form)) for form in range(len(whole.forms))]


def warnings(definition: Definition) -> list[str]:
    """Return warnings for a designer before the survey opens."""
    weak = [
        question["key"]
        for question in report.alone(definition)
        if any(Fraction(each["alpha"]) > ALPHA_WEAK for each in channels(question))
    ]
    text = gettext("%(key)s: an alpha above %(weak)s protects an answer only weakly")
    cautions = [text % {"key": key, "weak": ALPHA_WEAK} for key in weak]
    if Fraction(alpha_total(definition)) > TOTAL_WEAK:
        text = gettext("the survey's total alpha is %(alpha)s; above %(weak)s protects weakly")
        cautions.append(text % {"alpha": numerals.localized(alpha_total(definition)), "weak": TOTAL_WEAK})
    language = language_of(definition)
    doubts = [(each["key"], kinds.of(each).doubt(each, language)) for each in report.alone(definition)]
    cautions += [f"{key}: {doubt}" for key, doubt in doubts if doubt]
    text = gettext(
        "%(key)s: only some languages have an option that is known as “None of these”; in the others the page adds one"
    )
    cautions += [text % {"key": key} for key in _nothing_in_some(definition)]
    text = gettext("%(key)s: its options look like names of people; an answer then says something about another person")
    texts = (
        (each["key"], each.get("ranked") or each.get("items") or each.get("options", []))
        for each in definition["questions"]
    )
    return cautions + [text % {"key": key} for key, options in texts if look_like_people(options)]


def _nothing_in_some(definition: Definition) -> list[str]:
    """Return the keys of questions for which the page recognizes different “None of these” options in different
    languages."""
    known: dict[str, set[tuple[int, ...]]] = {}
    for tag in languages_of(definition):
        for question in in_language(definition, tag)["questions"]:
            known.setdefault(question["key"], set()).add(tuple(kinds.of(question).nothing(question, tag)))
    return [key for key, places in known.items() if len(places) > 1]


def _questionnaire(draft: Unchecked, language: str) -> Built:
    """Return the definition's questions and draws, and its forms if it has any."""
    drafts = draft["questions"]
    if not isinstance(drafts, list) or not 1 <= len(drafts) <= QUESTIONS_MAX:
        raise refuse("questions", "question_count", _("must be a list of 1 to %(most)s questions"), most=QUESTIONS_MAX)
    refusals, budget = Refusals(), cost.Budget(invitations.count(draft))
    built: dict[int, Question] = {}
    drawn = forms.drawn_keys(draft)
    refusals.attempt(_different_keys, drafts)
    for i, one in enumerate(drafts):
        is_drawn = isinstance(one, dict) and str(one.get("key")) in drawn
        build_question = build_cache.build_content if is_drawn else build_cache.build
        question = refusals.attempt(build_question, one, f"questions[{i}]", language)
        if question is not None:
            built[i] = question
            if not is_drawn:  # otherwise its draws cost
                refusals.attempt(budget.spend, question, f"questions[{i}]")
        if budget.spent:  # the rest is not computed
            break
    refusals.attempt(routing.check_order, drafts, built)
    keys = [question["key"] for question in built.values()]
    built = {i: routing.in_order(question, keys) for i, question in built.items()}
    made = None if budget.spent else refusals.attempt(forms.build, draft, built, budget, language)
    if made is not None:
        refusals.attempt(arms.check_draft, list(built.values()), draws.form_keys(made))
    refusals.check()
    assert made is not None
    return made


def _different_keys(drafts: list[Any]) -> None:
    keys = [draft.get("key") if isinstance(draft, dict) else None for draft in drafts]
    twice = [i for i, key in enumerate(keys) if isinstance(key, str) and key in keys[:i]]
    rule = _("must differ from the keys of the other questions")
    if twice:
        raise DraftRefused(*(broken(f"questions[{i}].key", "repeated_key", rule) for i in twice))
