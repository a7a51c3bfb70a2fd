"""Which form a question stands in: moving it, and setting a form's alpha, weight and way.

A form keeps its alpha when questions come or go: those with draws of their own share it in their proportions. What is
asked of everybody comes on top of every form's. A question stands in the form of the one that decides whether it is
asked, unless that one is for everybody: whoever moves one of them moves the other along.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ldp.exact import ALPHA_MAX
from ldp.forms.definition import arms_of
from ldp.planning import budget
from surveys.drafts import forms
from surveys.drafts.errors import Changed
from surveys.drafts.forms import FEWEST
from surveys.drafts.outline import deciding, question_of
from surveys.rules.draft import Draft, Form, Question
from surveys.rules.texts import decimal, integer
from surveys.survey.definition.forms import is_joint

EVERYBODY, NEW = "everybody", "new"


class UnfitAssignment(ValueError):
    """A change that no survey can have; its text says why, as a code: "fewest", "joint", "arms" or "alpha". The draft,
    which may be half changed, is not stored."""


class FormDesign(NamedTuple):
    """`alphas`: of a joint form one for all its questions, else one for each."""

    keys: Sequence[str]
    alphas: Sequence[Fraction]
    joint: bool = False
    weight: int = 1


def assign(draft: Draft, designs: Sequence[FormDesign], own: dict[str, Fraction]) -> None:
    """Give the draft these forms, and the questions for everybody these alphas; all others have none yet, so that the
    total is that of the designs. A single form is everybody."""
    draft.pop("forms", None)
    given = dict(own)
    for design in designs:
        if not design.joint:
            given |= dict(zip(design.keys, design.alphas, strict=True))
    for question in draft["questions"]:
        question.pop("alpha", None)
        if question["key"] in given:
            question["alpha"] = decimal(given[question["key"]])
    if len(designs) >= FEWEST:
        draft["forms"] = [_form(design) for design in designs]


def _form(design: FormDesign) -> Form:
    form: Form = {"weight": design.weight, "questions": list(design.keys)}
    return form | {"alpha": decimal(design.alphas[0])} if design.joint else form


# Moving ---------------------------------------------------------------------------------------------------------------


def move(draft: Draft, key: str, to: str) -> list[Question]:
    """Put a question into the form of this place, into a new one, or ask everybody: what was moved, with those that it
    depends on. UnfitAssignment where fewer than two forms would be left, or a form cannot take it; Changed where there
    is no such question or form."""
    target = _target(draft, question_of(draft, key), to)
    moved = _for_all(draft, key) if to == EVERYBODY else _for_form(draft, key)
    keys = _keys(moved)
    sources = [form for form in forms.forms_of(draft) if form is not target and keys & set(form["questions"])]
    if to not in (EVERYBODY, NEW) and target is None:
        raise Changed
    left = [form for form in forms.forms_of(draft) if form["questions"] and set(form["questions"]) - keys]
    if len(left) + (to == NEW or (target is not None and target not in left)) < FEWEST:
        raise UnfitAssignment("fewest")
    if _splits_a_question(draft, [*moved, *(forms.members(draft, target) if target else ())], to):
        raise UnfitAssignment("arms")
    if target is not None and is_joint(target) and not all(map(forms.may_join, moved)):
        raise UnfitAssignment("joint")
    alphas = {id(form): forms.alpha_of(draft, form) for form in forms.forms_of(draft)}
    parts = _parts_of_joint(draft, moved)
    for source in sources:
        forms.take(source, [name for name in source["questions"] if name not in keys])
        _shared(draft, source, alphas[id(source)])
    _settled(draft, moved, to, target, alphas, parts)
    return moved


def _settled(
    draft: Draft,
    moved: Sequence[Question],
    to: str,
    target: Form | None,
    alphas: dict[int, Fraction | None],
    parts: Mapping[str, object],
) -> None:
    """What was moved gets its place and its alphas."""
    if to == EVERYBODY:
        for question in moved:
            question |= {"alpha": parts[question["key"]]} if question["key"] in parts else {}
        return
    if target is None:
        target = {"weight": forms.usual_weight(draft), "questions": []}
        draft["forms"].append(target)
        alphas[id(target)] = max(filter(None, alphas.values()), default=None)
    others, total = forms.members(draft, target), alphas[id(target)]
    forms.take(target, [*target["questions"], *(question["key"] for question in moved)])
    if is_joint(target):
        for question in moved:
            forms.leave_to_form(question)
    elif total is not None:
        _spread(total, [*others, *moved], [*(forms.parsed(each["alpha"]) for each in others), *[None] * len(moved)])


def _splits_a_question(draft: Draft, questions: Sequence[Question], to: str) -> bool:
    """Whether there are two versions of one question among those that would be in one form, or asked of everybody."""
    known = [arms_of(draft["questions"], question["key"]) for question in questions]
    return any(first and (to == EVERYBODY or known.count(first) > 1) for first in known)


def _target(draft: Draft, question: Question, to: str) -> Form | None:
    """The form of a place; None for everybody and a new form."""
    listed = forms.forms_of(draft)
    if to in (EVERYBODY, NEW):
        return None
    place = integer(to, 9)
    if place is None or place >= len(listed):
        raise Changed
    return listed[place]


def _keys(questions: Iterable[Question]) -> set[str]:
    return {question["key"] for question in questions}


def _for_all(draft: Draft, key: str) -> list[Question]:
    """The question with those in forms that decide whether it is asked."""
    chain = {key}
    for question in reversed(draft["questions"]):
        if question["key"] in chain:
            chain |= _in_forms(draft, question)
    return [question for question in draft["questions"] if question["key"] in chain]


def _for_form(draft: Draft, key: str) -> list[Question]:
    """The question with all that depend on it, and with those in forms that it depends on."""
    joined, before = {key}, set[str]()
    while joined != before:
        before = set(joined)
        for question in draft["questions"]:
            if joined & set(deciding(question)):
                joined.add(question["key"])
            if question["key"] in joined:
                joined |= _in_forms(draft, question)
    return [question for question in draft["questions"] if question["key"] in joined]


def _in_forms(draft: Draft, question: Question) -> set[str]:
    """The keys of those in forms that decide whether the question is asked."""
    return {key for key in deciding(question) if forms.form_of(draft, key) is not None}


# Alphas of a form -----------------------------------------------------------------------------------------------------


def _parts_of_joint(draft: Draft, moved: Sequence[Question]) -> dict[str, object]:
    """Equal parts of their form's alpha for those that leave a joint one."""
    parts: dict[str, object] = {}
    for question in moved:
        form = forms.form_of(draft, question["key"])
        if form is not None and is_joint(form):
            alpha = forms.parsed(form["alpha"])
            equal = budget.equal(alpha, len(form["questions"])) if alpha else ()
            parts[question["key"]] = decimal(equal[-1]) if equal else form["alpha"]
    return parts


def _shared(draft: Draft, form: Form, total: Fraction | None) -> None:
    """What is left of a form keeps its alpha."""
    left = forms.members(draft, form)
    if left and total is not None and not is_joint(form):
        _spread(total, left, [forms.parsed(question["alpha"]) for question in left])


def _spread(total: Fraction, questions: Sequence[Question], alphas: Sequence[Fraction | None]) -> None:
    """Share a total in the proportions of these alphas; who has none gets an equal part."""
    known = [alpha for alpha in alphas if alpha is not None]
    usual = sum(known, Fraction(0)) / len(known) if known else Fraction(1)
    try:
        split = budget.proportional(total, [alpha if alpha is not None else usual for alpha in alphas])
    except ValueError:
        raise UnfitAssignment("alpha") from None
    for question, alpha in zip(questions, split, strict=True):
        question["alpha"] = decimal(alpha)


# A form itself --------------------------------------------------------------------------------------------------------


def arrange(draft: Draft, place: int, weight: int, alpha: Fraction, joint: bool) -> None:
    """Set how often a form is drawn, its alpha, and whether its questions are randomized together. UnfitAssignment
    where they cannot be; Changed where there is no such form."""
    listed = forms.forms_of(draft)
    if not 0 <= place < len(listed):
        raise Changed
    form = listed[place]
    own = forms.members(draft, form)
    if joint and (len(own) < FEWEST or not all(map(forms.may_join, own))):
        raise UnfitAssignment("joint")
    if joint and alpha > ALPHA_MAX:
        raise UnfitAssignment("alpha")
    form["weight"] = weight
    if joint:
        form["alpha"] = decimal(alpha)
        for question in own:
            forms.leave_to_form(question)
        return
    form.pop("alpha", None)
    form.pop("sizes", None)
    _spread(alpha, own, [forms.parsed(question.get("alpha")) for question in own])
