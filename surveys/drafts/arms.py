"""Versions of a question in a draft, each in a form of its own: adding, removing and following them."""

from copy import deepcopy

from ldp.forms.definition import arms_of
from surveys.drafts import forms, options, outline
from surveys.drafts.errors import Changed
from surveys.drafts.normalize import is_key, keys
from surveys.rules.draft import Draft, Form, Question
from surveys.survey.definition.arms import FIELD


def versions(draft: Draft, key: str) -> list[Question]:
    """Return all versions of the question with this key, the first version before the others; [] if it has only one."""
    by_key = {question["key"]: question for question in draft["questions"]}
    return [by_key[each] for each in arms_of(draft["questions"], key) if each in by_key]


def hindrance(draft: Draft, key: str) -> Question | None:
    """Return the question that keeps this one from having versions: one that depends on it, or one in a form on which
    it depends. Return None if there is none."""
    deciding = outline.deciding(outline.question_of(draft, key))
    in_forms = [outline.question_of(draft, each) for each in deciding if forms.homes(draft, each)]
    return next(iter([*options.depending(draft, key), *in_forms]), None)


def add(draft: Draft, key: str) -> str:
    """Add a new version of a question, in a new form; return its key. It is a copy, after the other versions. A first
    version that everyone is asked also gets a form. Raise Changed if the question cannot have versions."""
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
    """Return the settings of the question's first draw; from a joint draw only the alpha."""
    draws = forms.draws_with(draft, question["key"])
    if not draws:
        return dict(forms.settings_of(draft, question) or {})
    return (
        {"alpha": draws[0]["alpha"]}
        if forms.is_joint(draws[0]) and "alpha" in draws[0]
        else forms.draw_settings(draws[0])
    )


def _key(draft: Draft, first: str, number: int) -> str:
    """Return the key made from the first version's key and the number; "" if it is invalid or not free."""
    key = f"{first[:37]}_{number}"
    return key if is_key(key) and key not in keys(draft) else ""


def _new_form(draft: Draft, key: str, settings: dict[str, object]) -> Form:
    """Move a question for everyone into a new form."""
    forms.drop(draft, None, key)
    forms.release(outline.question_of(draft, key))
    form: Form = {"weight": forms.usual_weight(draft), "draws": [forms.draw_of(key, settings)]}
    draft["forms"] = [*forms.forms_of(draft), form]
    return form


def part(draft: Draft, key: str) -> None:
    """Make a version a separate question. If it was the first version, the next one becomes the first."""
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
    """Make the next version the first one if the first is gone."""
    there = keys(draft)
    left: dict[str, list[Question]] = {}
    for question in draft["questions"]:
        first = question.get(FIELD)
        if isinstance(first, str) and first not in there:
            left.setdefault(first, []).append(question)
    for known in left.values():
        _lead(known)


def follow(draft: Draft, key: str, other: str) -> None:
    """Let versions refer to the new key of their first version."""
    for question in draft["questions"]:
        if question.get(FIELD) == key:
            question[FIELD] = other
