"""Alphas that are stored: of one question, of all by a split, and what undoes the last of it.

Whoever saves says what the question, or all of them, were when they read them; where that has changed meanwhile it is
refused (drafts.Changed). What stood there before is kept in the session until the next save.
"""

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest

from surveys.design.alpha_asked import FIELDS, Question, named, question_named
from surveys.design.drafts import Changed, Draft, edit, mark
from surveys.models import AuditEntry, Survey
from surveys.people.log import record

Settings = dict[str, Draft]


def save(request: HttpRequest, survey: Survey, name: str, its_mark: str, settings: Draft) -> None:
    """Set one question's FIELDS; those that are empty are taken away."""

    def change(asked: list[Question]) -> Settings:
        question = question_named(asked, name)
        if question is None or question.mark != its_mark:
            raise Changed
        return {name: {field: value for field, value in settings.items() if value}}

    _apply(request, survey, change, f"alpha of {name}: {settings.get('alpha', '')}")


def spend(request: HttpRequest, survey: Survey, its_mark: str, alphas: dict[str, str]) -> None:
    """Set the alphas of several questions, by their names."""

    def change(asked: list[Question]) -> Settings:
        if mark([question.draft for question in asked]) != its_mark:
            raise Changed
        before = {question.name: question.settings() for question in asked}
        return {name: before[name] | {"alpha": alpha} for name, alpha in alphas.items()}

    _apply(request, survey, change, f"alphas of {len(alphas)} questions")


def undo(request: HttpRequest, survey: Survey) -> None:
    """Put back what the last save of this session replaced."""
    kept = request.session.get(_place(survey), {})

    def change(asked: list[Question]) -> Settings:
        now = {question.name: question.settings() for question in asked}
        if not kept or any(now.get(name) != after for name, after in kept["after"].items()):
            raise Changed
        before: Settings = kept["before"]
        return before

    _apply(request, survey, change, "alphas as they were before")
    request.session.pop(_place(survey))


def can_undo(request: HttpRequest, survey: Survey) -> bool:
    return _place(survey) in request.session


def _apply(request: HttpRequest, survey: Survey, change: Callable[[list[Question]], Settings], detail: str) -> None:
    """Store what `change` makes of the questions, and its deed, in one transaction."""
    kept: dict[str, Settings] = {}

    def edited(draft: Draft) -> None:
        asked = named(draft.get("questions"))
        after = change(asked)
        kept["before"] = {question.name: question.settings() for question in asked if question.name in after}
        kept["after"] = after
        for question in asked:
            if question.name in after:
                _set(question.draft, after[question.name])

    with transaction.atomic():
        stored = edit(survey.pk, edited)
        assert request.user.is_authenticated
        record(request.user, AuditEntry.Action.EDITED, stored, detail)
    request.session[_place(survey)] = kept


def _set(draft: Draft, settings: Draft) -> None:
    for field in FIELDS:
        draft.pop(field, None)
    draft |= settings


def _place(survey: Survey) -> str:
    return f"alphas-before-{survey.pk}"


def expect(survey: Survey, n: int) -> bool:
    """Store how many people are expected; False where the survey is no draft."""
    return Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).update(expected_n=n) == 1


def marked(asked: list[Question]) -> str:
    return mark([question.draft for question in asked])
