"""Versions of one question in a draft, each in a form of its own: adding, removing and following them."""

from copy import deepcopy

from ldp.forms.definition import arms_of
from surveys.drafts import forms, options, outline
from surveys.drafts.errors import Changed
from surveys.drafts.normalize import is_key, keys
from surveys.rules.draft import Draft, Form, Question
from surveys.survey.definition.arms import FIELD


def versions(draft: Draft, key: str) -> list[Question]:
    """Return all versions of the question with this key, the first one before the others; none where it has only
    one."""
    by_key = {question["key"]: question for question in draft["questions"]}
    return [by_key[each] for each in arms_of(draft["questions"], key) if each in by_key]


def hindrance(draft: Draft, key: str) -> Question | None:
    """Return the question that keeps this one from having versions: one that depends on it, or one in a form that
    decides whether it is asked."""
    deciding = outline.deciding(outline.question_of(draft, key))
    in_forms = [outline.question_of(draft, each) for each in deciding if forms.homes(draft, each)]
    return next(iter([*options.depending(draft, key), *in_forms]), None)


def add(draft: Draft, key: str) -> str:
    """Add a copy of a question behind its versions, as a new version in its own form; return its key. If everyone is
    asked the first version, it gets a form, too. Changed where the question cannot have versions."""
    if hindrance(draft, key):
        raise Changed
    question = outline.question_of(draft, key)
    known = versions(draft, key) or [question]
    first = known[0]["key"]
    settings = _settings(draft, question)
    copy = deepcopy(forms.part_of(draft, question))
    copy |= {"key": _key(draft, first, len(known) + 1), "arm_of": first}
    made = outline.insert(draft, copy, outline.row_after(draft, known[-1]["key"]))
    home = forms.home(draft, key) or _new_form(draft, key, settings)
    _new_form(draft, made, settings)["weight"] = home["weight"]
    return made


def _settings(draft: Draft, question: Question) -> dict[str, object]:
    """Return the settings of the question's first draw; of a joint draw the alpha alone."""
    draws = forms.draws_with(draft, question["key"])
    if not draws:
        return dict(forms.settings_of(draft, question) or {})
    return (
        {"alpha": draws[0]["alpha"]}
        if forms.is_joint(draws[0]) and "alpha" in draws[0]
        else forms.draw_settings(draws[0])
    )


def _key(draft: Draft, first: str, number: int) -> str:
    """Return a free key that names the first version and the number; empty where it is taken."""
    key = f"{first[:37]}_{number}"
    return key if is_key(key) and key not in keys(draft) else ""


def _new_form(draft: Draft, key: str, settings: dict[str, object]) -> Form:
    """Move the question from everyone into a new form of its own."""
    forms.drop(draft, None, key)
    forms.release(outline.question_of(draft, key))
    form: Form = {"weight": forms.usual_weight(draft), "draws": [forms.draw_of(key, settings)]}
    draft["forms"] = [*forms.forms_of(draft), form]
    return form


def part(draft: Draft, key: str) -> None:
    """Make a version a question of its own; where it is the first one, the next becomes that."""
    question, known = outline.question_of(draft, key), versions(draft, key)
    if FIELD not in question and len(known) > 1:
        _lead(known[1:])
    question.pop(FIELD, None)


def _lead(known: list[Question]) -> None:
    """Make the first of these questions the first version of the others."""
    known[0].pop(FIELD, None)
    for other in known[1:]:
        other[FIELD] = known[0]["key"]


def settle(draft: Draft) -> None:
    """Let the next version be the first one where that is gone."""
    there = keys(draft)
    left: dict[str, list[Question]] = {}
    for question in draft["questions"]:
        first = question.get(FIELD)
        if isinstance(first, str) and first not in there:
            left.setdefault(first, []).append(question)
    for known in left.values():
        _lead(known)


def follow(draft: Draft, key: str, other: str) -> None:
    """Keep versions of a question that has another key now."""
    for question in draft["questions"]:
        if question.get(FIELD) == key:
            question[FIELD] = other
