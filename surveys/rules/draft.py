"""The type of a draft. The table of its fields is surveys/survey/definition/fields.py.

A draft has this shape once it is normalized (surveys/drafts/normalize.py). An `object` is a value that was typed or
read from a file, right or wrong. `surveys.survey.definition.build` has the rules for opening.
"""

from collections.abc import Collection, Mapping
from typing import Any, TypedDict, cast


class Question(TypedDict, total=False):
    """A question of a draft. Only some kinds have the fields after `asked_if`."""

    key: str
    kind: object
    text: object
    note: object
    prefer_not_to_say: object
    alpha: object
    mechanism: object
    arm_of: object
    asked_if: object
    delta: object
    right: object
    picture: object
    pictures: object
    options: object
    exclusive: object
    items: object
    ranked: object
    steps: object
    edges: object
    dates: object
    low: object
    high: object
    limits: object
    unit: object
    sample: object
    size: object


class DraftSection(TypedDict, total=False):
    title: object
    text: object
    questions: list[str]


class Draw(TypedDict, total=False):
    """Questions that are randomized together, or one that a form randomizes by itself. The questions have no alpha
    then. `sizes` are the numbers of options that a report lists, one for each question."""

    questions: list[str]
    alpha: object
    mechanism: object
    delta: object
    sample: object
    sizes: object


class Form(TypedDict, total=False):
    """A part of the questionnaire; each browser draws one."""

    draws: list[Draw]
    weight: object


class Draft(TypedDict, total=False):
    title: object
    introduction: object
    consent: object
    thanks: object
    completion_code: object
    return_link: object
    frame_hosts: object
    accent: object
    logo: object
    sections: list[DraftSection]
    questions: list[Question]
    draws: list[Draw]
    forms: list[Form]
    protection: object
    wave_of: object
    invitations: object
    sample: object
    groups: object
    relay: object
    language: object
    translations: object


def without(question: Mapping[str, object], names: Collection[str]) -> Question:
    """Return a copy of the question without these fields."""
    return cast(Question, {name: value for name, value in question.items() if name not in names})


def rewrite(part: Draft | Question, content: Mapping[str, object]) -> None:
    """Replace the content of a draft or a question, in place."""
    held = cast(dict[str, Any], part)
    held.clear()
    held.update(content)
