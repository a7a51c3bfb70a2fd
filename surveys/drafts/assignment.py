"""The assignment of questions to forms and draws: move a question, ask it in more forms, join and split draws, set a
form's alpha and weight.

A form keeps its alpha when questions come or go; its draws share the alpha in proportion. Every form's alpha includes
the alpha of everyone's questions. A form's question depends only on questions of the same form or of everyone, so they
move together.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, cast

from ldp.exact import ALPHA_MAX
from ldp.forms.definition import arms_of
from ldp.mechanisms import FITTING, POOLED
from ldp.planning import budget
from ldp.planning.design import Design, DesignDraw
from surveys.drafts import forms
from surveys.drafts.errors import Changed
from surveys.drafts.forms import FEWEST
from surveys.drafts.outline import deciding, question_of
from surveys.rules.draft import Draft, Draw, Form, Question
from surveys.rules.texts import decimal, integer
from surveys.rules.unchecked import Unchecked

EVERYONE, NEW = "everyone", "new"


class UnfitAssignment(ValueError):
    """An impossible change. Its text is a code: "fewest", "joint", "arms", "pooled", "decides" or "alpha". The draft
    may be half changed and must not be stored."""


# A whole design -------------------------------------------------------------------------------------------------------


def assign(draft: Draft, design: Design) -> None:
    """Set the design's forms and draws in the draft. An empty field of a draw has a default: the present or most
    precise mechanism, the best sizes, the present sample. Questions outside the design lose their alpha, so that totals
    agree."""
    settings = {each["key"]: _named(draft, each) for each in draft["questions"]}
    for question in draft["questions"]:
        forms.release(question)
    draft.pop("draws", None)
    draft.pop("forms", None)
    shared = [_draw(each, settings) for each in design.everyone]
    for draw in shared:
        if not forms.is_joint(draw):
            forms.give_back(question_of(draft, draw["questions"][0]), draw)
    if together := [draw for draw in shared if forms.is_joint(draw)]:
        draft["draws"] = together
    if design.forms:
        draft["forms"] = [
            {"weight": form.weight, "draws": [_draw(each, settings) for each in form.draws]} for form in design.forms
        ]
    named = {key for draw in [*shared, *forms.all_draws(draft)] for key in draw["questions"]}
    for question in draft["questions"]:
        if question["key"] not in named:
            question.update(cast(Any, settings[question["key"]]))
    forms.settle(draft)


def _named(draft: Draft, question: Question) -> dict[str, Any]:
    """Return a question's settings without alpha, if it has a single draw of its own; else {}."""
    own = forms.settings_of(draft, question) or {}
    return {name: value for name, value in own.items() if name != "alpha"}


def _draw(design: DesignDraw, settings: dict[str, dict[str, Any]]) -> Draw:
    made: dict[str, Any] = {"questions": list(design.keys), "alpha": decimal(design.alpha)}
    listed = [size if isinstance(size, int) else list(size) for size in design.sizes]
    sizes: dict[str, Any] = {"sizes": listed} if listed else {}
    if len(made["questions"]) > 1:
        return cast(Draw, made | sizes)
    [key] = made["questions"]
    own = dict(settings[key])
    if design.mechanism and design.mechanism != own.get("mechanism"):
        for name in ("mechanism", "delta", "size"):
            own.pop(name, None)
        # The sizes imply the mechanism.
        own |= {} if design.sizes else {"mechanism": design.mechanism}
    own |= {"sample": design.sample} if design.sample is not None else {}
    return cast(Draw, forms.draw_of(key, own) | made | sizes)


# Moving ---------------------------------------------------------------------------------------------------------------


def move(draft: Draft, key: str, to: str, at: str = "") -> list[Question]:
    """Move a question from the form at `at` (default: the first that asks it) to the form at `to`, a new form, or
    everyone. Return the moved questions, including dependent ones. Raise UnfitAssignment if fewer than two forms would
    remain or versions of a question would meet, Changed if the question or form is gone."""
    source, target = _source(draft, question_of(draft, key), at), _form(draft, to)
    moved = _for_all(draft, key) if to == EVERYONE else _for_form(draft, key, source)
    leaving = {question["key"]: forms.homes(draft, question["key"]) for question in moved}
    if source is not None and to != EVERYONE:
        leaving = {name: [form for form in homes if form is source] for name, homes in leaving.items()}
    _check_move(draft, moved, leaving, target, to)
    settings = {question["key"]: _setting_alone(draft, question, source) for question in moved}
    alphas = {id(form): forms.alpha_of(form) for form in forms.forms_of(draft)}
    for question in moved:
        if forms.draw_in(draft, question["key"], None):
            forms.drop(draft, None, question["key"])
        for form in leaving[question["key"]]:
            if form is not target:
                forms.drop(draft, form, question["key"])
    for form in forms.forms_of(draft):
        if form is not target:
            _share(form, alphas[id(form)])
    if to == EVERYONE:
        for question in moved:
            forms.give_back(question, forms.draw_of(question["key"], settings[question["key"]]))
    else:
        _arrive(draft, target or _new(draft, alphas), moved, settings, alphas)
    return moved


def also(draft: Draft, key: str, to: str, at: str = "") -> list[Question]:
    """Ask a form's question in one more form, with the questions that it depends on. Return the added questions. Raise
    UnfitAssignment if estimates could not pool the forms."""
    source, target = _source(draft, question_of(draft, key), at), _form(draft, to)
    if source is None or to == EVERYONE:
        raise Changed
    known = forms.keys_of(target) if target else []
    added = [each for each in _for_all(draft, key) if each["key"] not in known]
    settings = {question["key"]: _setting_alone(draft, question, source) for question in added}
    if not all(may_pool(question, settings[question["key"]]) for question in added):
        raise UnfitAssignment("pooled")
    if _splits_a_question(draft, [*added, *(forms.members(draft, target) if target else ())], to):
        raise UnfitAssignment("arms")
    alphas = {id(form): forms.alpha_of(form) for form in forms.forms_of(draft)}
    _arrive(draft, target or _new(draft, alphas), added, settings, alphas)
    return added


def leave(draft: Draft, key: str, at: str) -> list[Question]:
    """Remove a question, with the form's questions that depend on it, from a form. Return the removed questions. Raise
    UnfitAssignment if one of them has no other form."""
    form = _source(draft, question_of(draft, key), at)
    if form is None:
        raise Changed
    left = [each for each in _depending(draft, {key}) if each["key"] in forms.keys_of(form)]
    if any(len(forms.homes(draft, question["key"])) < FEWEST for question in left):
        raise UnfitAssignment("decides")
    if not set(forms.keys_of(form)) - _keys(left) and len(forms.forms_of(draft)) == FEWEST:
        raise UnfitAssignment("fewest")
    alpha = forms.alpha_of(form)
    for question in left:
        forms.drop(draft, form, question["key"])
    _share(form, alpha)
    return left


def may_pool(question: Question, settings: Unchecked) -> bool:
    """Return whether forms may randomize the question differently, because estimates can pool their reports."""
    named = settings.get("mechanism")
    return named in POOLED if named else bool({*POOLED} & {*FITTING.get(str(question.get("kind")), ())})


def _check_move(
    draft: Draft, moved: Sequence[Question], leaving: dict[str, list[Form]], target: Form | None, to: str
) -> None:
    left = [
        form
        for form in forms.forms_of(draft)
        if form is target or any(not _is_in(form, leaving.get(key, ())) for key in forms.keys_of(form))
    ]
    if len(left) + (to == NEW) < FEWEST:
        raise UnfitAssignment("fewest")
    if _splits_a_question(draft, [*moved, *(forms.members(draft, target) if target else ())], to):
        raise UnfitAssignment("arms")


def _setting_alone(draft: Draft, question: Question, source: Form | None) -> dict[str, Any]:
    """Return the question's present settings; from a joint draw, with an equal part of the alpha."""
    homes = forms.homes(draft, question["key"])
    home = next((form for form in homes if form is source), next(iter(homes), None))
    draw = forms.draw_in(draft, question["key"], home)
    if draw is None:
        return dict(cast(Unchecked, forms.settings_of(draft, question)))
    if not forms.is_joint(draw):
        return dict(forms.draw_settings(draw))
    place = draw["questions"].index(question["key"])
    return dict(forms.draw_settings(forms.separate(draw)[place]))


def _new(draft: Draft, alphas: dict[int, Fraction | None]) -> Form:
    """Add a form with the largest alpha of all forms, and return it."""
    form: Form = {"weight": forms.usual_weight(draft), "draws": []}
    draft["forms"] = [*forms.forms_of(draft), form]
    alphas[id(form)] = max(filter(None, alphas.values()), default=None)
    return form


def _arrive(
    draft: Draft,
    target: Form,
    arriving: Sequence[Question],
    settings: dict[str, dict[str, Any]],
    alphas: dict[int, Fraction | None],
) -> None:
    """Put questions into a form, which keeps its alpha. A form with a single joint draw takes fitting questions into
    that draw. Every other question gets a draw of its own."""
    arriving = [question for question in arriving if question["key"] not in forms.keys_of(target)]
    total, joint = alphas[id(target)], target["draws"][0] if len(target["draws"]) == 1 else None
    for question in arriving:
        key = question["key"]
        forms.release(question)
        if joint and forms.is_joint(joint) and forms.may_join(question):
            forms.take(joint, [*joint["questions"], key])
            continue
        draw = forms.draw_of(key, settings[key])
        if total is not None and len(target["draws"]):
            draw.pop("alpha", None)
        target["draws"].append(draw)
    _share(target, total)


def _splits_a_question(draft: Draft, questions: Sequence[Question], to: str) -> bool:
    """Return whether a form, or everyone, would be asked two versions of a question."""
    different = {question["key"]: question for question in questions}
    known = [arms_of(draft["questions"], key) for key in different]
    return any(first and (to == EVERYONE or known.count(first) > 1) for first in known)


def _form(draft: Draft, to: str) -> Form | None:
    """Return the form at a place; None for everyone and for a new form."""
    if to in (EVERYONE, NEW):
        return None
    place, listed = integer(to, 9), forms.forms_of(draft)
    if place is None or place >= len(listed):
        raise Changed
    return listed[place]


def _source(draft: Draft, question: Question, at: str) -> Form | None:
    """Return the form at `at`, by default the first that asks the question; None if everyone is asked. Raise Changed if
    the form does not ask it."""
    homes = forms.homes(draft, question["key"])
    if not at:
        return next(iter(homes), None)
    form = _form(draft, at)
    if homes if form is None else not _is_in(form, homes):
        raise Changed
    return form


def _is_in(form: Form, forms: Iterable[Form]) -> bool:
    """Return whether the form is one of these objects."""
    return any(each is form for each in forms)


def _keys(questions: Iterable[Question]) -> set[str]:
    return {question["key"] for question in questions}


def _for_all(draft: Draft, key: str) -> list[Question]:
    """Return the question and all questions of forms that it depends on."""
    chain = {key}
    for question in reversed(draft["questions"]):
        if question["key"] in chain:
            chain |= _in_forms(draft, question)
    return [question for question in draft["questions"] if question["key"] in chain]


def _for_form(draft: Draft, key: str, source: Form | None) -> list[Question]:
    """Return the question, the source's questions that depend on it, and all questions of forms on which any of these
    depends."""
    joined, before = {key}, set[str]()
    there = set(forms.keys_of(source)) if source else _keys(draft["questions"])
    while joined != before:
        before = set(joined)
        joined |= _keys(_depending(draft, joined)) & there
        for question in draft["questions"]:
            if question["key"] in joined:
                joined |= _in_forms(draft, question)
    return [question for question in draft["questions"] if question["key"] in joined]


def _depending(draft: Draft, keys: set[str]) -> list[Question]:
    """Return these questions and all that depend on them."""
    joined = set(keys)
    for question in draft["questions"]:
        if joined & set(deciding(question)):
            joined.add(question["key"])
    return [question for question in draft["questions"] if question["key"] in joined]


def _in_forms(draft: Draft, question: Question) -> set[str]:
    """Return the keys of the questions in forms on which this one directly depends."""
    return {key for key in deciding(question) if forms.homes(draft, key)}


# Alphas of a form -----------------------------------------------------------------------------------------------------


def _share(form: Form, total: Fraction | None) -> None:
    """Divide a form's alpha among its draws in their present proportions."""
    if form["draws"] and total is not None:
        _spread(total, form["draws"])


def _spread(total: Fraction, draws: Sequence[Draw]) -> None:
    """Divide a total in proportion to the draws' alphas, missing ones as their mean. Raise UnfitAssignment."""
    alphas = [forms.parsed(draw.get("alpha")) for draw in draws]
    known = [alpha for alpha in alphas if alpha is not None]
    usual = sum(known, Fraction(0)) / len(known) if known else Fraction(1)
    try:
        split = budget.proportional(total, [alpha if alpha is not None else usual for alpha in alphas])
    except ValueError:
        raise UnfitAssignment("alpha") from None
    for draw, alpha in zip(draws, split, strict=True):
        draw["alpha"] = decimal(alpha)


# A form and its draws themselves --------------------------------------------------------------------------------------


def arrange(draft: Draft, place: int, weight: int, alpha: Fraction) -> None:
    """Set a form's weight and its alpha, which its draws share in proportion. Raise UnfitAssignment if they cannot,
    Changed if the form is gone."""
    form = _at(draft, place)
    assert form is not None
    form["weight"] = weight
    _spread(alpha, form["draws"])


def join(draft: Draft, place: int | None, keys: Sequence[str]) -> None:
    """Randomize questions of a form, or of everyone (`place` None), together. The joint alpha is the sum of theirs; a
    question from another joint draw brings an equal part. Raise UnfitAssignment if they cannot be joined."""
    form = _at(draft, place)
    own = _questions_in(draft, form, keys)
    if len(own) < FEWEST or not all(map(forms.may_join, own)):
        raise UnfitAssignment("joint")
    alphas = [forms.parsed(_leave_draw(draft, form, question).get("alpha")) for question in own]
    made: dict[str, Any] = {"questions": [question["key"] for question in own]}
    if None not in alphas:
        total = sum(filter(None, alphas), Fraction(0))
        if total > ALPHA_MAX:
            raise UnfitAssignment("alpha")
        made["alpha"] = decimal(total)
    if form is None:
        draft["draws"] = [*draft.get("draws", []), cast(Draw, made)]
    else:
        form["draws"].append(cast(Draw, made))


def split(draft: Draft, place: int | None, keys: Sequence[str]) -> None:
    """Randomize each question by itself. It takes an equal part of its joint draw's alpha."""
    form = _at(draft, place)
    for question in _questions_in(draft, form, keys):
        draw = forms.draw_in(draft, question["key"], form)
        if draw is None or not forms.is_joint(draw):
            continue
        own = _leave_draw(draft, form, question)
        if form is None:
            question.update(cast(Any, own))
        else:
            form["draws"].append(forms.draw_of(question["key"], own))


def _leave_draw(draft: Draft, form: Form | None, question: Question) -> dict[str, Any]:
    """Remove the question from its draw. Return its settings, with its part of a joint draw's alpha; the draw keeps the
    rest."""
    key = question["key"]
    draw = forms.draw_in(draft, key, form)
    if draw is None:
        return forms.release(question)
    if not forms.is_joint(draw):
        forms.drop(draft, form, key)
        return dict(forms.draw_settings(draw))
    count, alpha = len(draw["questions"]), forms.parsed(draw.get("alpha"))
    own = dict(forms.draw_settings(forms.separate(draw)[draw["questions"].index(key)]))
    forms.drop(draft, form, key)
    part = forms.parsed(own.get("alpha"))
    if alpha is not None and part is not None and count > 1:
        draw["alpha"] = decimal(alpha - part)
    return own


def _at(draft: Draft, place: int | None) -> Form | None:
    listed = forms.forms_of(draft)
    if place is None:
        return None
    if not 0 <= place < len(listed):
        raise Changed
    return listed[place]


def _questions_in(draft: Draft, form: Form | None, keys: Sequence[str]) -> list[Question]:
    """Return these questions in the survey's order. Raise Changed if the form does not ask all of them."""
    questions = forms.everyone(draft) if form is None else forms.members(draft, form)
    own = [question for question in questions if question["key"] in keys]
    if len(own) < len(set(keys)):
        raise Changed
    return own
