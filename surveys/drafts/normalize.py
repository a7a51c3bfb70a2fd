"""The shape of a changed draft. Each question has a unique key that a definition accepts. Sections hold each question
once, in order, and forms are settled. Drafts from files may differ; fitting parts stay as they are."""

from copy import deepcopy
from itertools import count
from typing import Any

from surveys.drafts import forms
from surveys.rules.draft import Draft, DraftSection, Question
from surveys.rules.unchecked import as_list
from surveys.survey.definition.shape import KEY


def normalize(draft: Draft) -> None:
    """Give the draft this shape, in place."""
    questions = _objects(draft.get("questions"))
    _give_keys(questions)
    draft["questions"] = questions
    sections = _objects(draft.get("sections"))
    if sections:
        _share_out(questions, sections)
        draft["sections"] = sections
    else:
        draft.pop("sections", None)
    forms.settle(draft)


def normalized(draft: Draft) -> Draft:
    """Return a copy of the draft in this shape."""
    copy = deepcopy(draft)
    normalize(copy)
    return copy


def free_key(keys: set[str]) -> str:
    """Return q1, q2 and so on: the number after the highest one in use."""
    numbers = [int(key[1:]) for key in keys if key[:1] == "q" and key[1:].isdecimal() and len(key) < 10]
    return next(key for i in count(max(numbers, default=0) + 1) if (key := f"q{i}") not in keys)


def is_key(value: object) -> bool:
    return isinstance(value, str) and KEY.fullmatch(value) is not None


def keys(draft: Draft) -> set[str]:
    return {question["key"] for question in draft["questions"]}


def _objects(given: object) -> list[Any]:
    return [each for each in as_list(given) if isinstance(each, dict)]


def _give_keys(questions: list[Question]) -> None:
    keys: set[str] = set()
    keyless = []
    for question in questions:
        if is_key(question.get("key")) and question["key"] not in keys:
            keys.add(question["key"])
        else:
            keyless.append(question)
    for question in keyless:
        question["key"] = free_key(keys)
        keys.add(question["key"])


def _share_out(questions: list[Question], sections: list[DraftSection]) -> None:
    """Put each question into the section that names it, but never before the previous question's section."""
    home: dict[str, int] = {}
    for i, section in enumerate(sections):
        for key in as_list(section.get("questions")):
            home.setdefault(str(key), i)
        section["questions"] = []
    at = 0
    for question in questions:
        at = max(at, home.get(question["key"], at))
        sections[at]["questions"].append(question["key"])
