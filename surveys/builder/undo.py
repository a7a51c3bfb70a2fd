"""What can be undone, the last first. It is kept with the designer's session, and only theirs."""

from typing import Any

from django.http import HttpRequest

from surveys.builder import options, outline
from surveys.builder.parts import put_texts
from surveys.builder.shaped import Draft
from surveys.design.drafts import Changed
from surveys.models import Survey

NAME = "undo"
MOST = 20

Step = dict[str, Any]


def remember(request: HttpRequest, survey: Survey, step: Step) -> None:
    """`step` has what is `said` about it, and what is put back: a `question` that stood at row `at`, a `section` that
    stood at index `at`, or as they were before a question `was`, a `heading` at index `at` or the `texts`."""
    _keep(request, survey, [*steps(request, survey), step])


def steps(request: HttpRequest, survey: Survey) -> list[Step]:
    found: list[Step] = request.session.get(NAME, {}).get(str(survey.pk), [])
    return found


def last(request: HttpRequest, survey: Survey) -> Step | None:
    return next(reversed(steps(request, survey)), None)


def forget(request: HttpRequest, survey: Survey, every: bool = False) -> None:
    _keep(request, survey, [] if every else steps(request, survey)[:-1])


def put_back(draft: Draft, step: Step) -> str:
    """The key of the question that is there again; empty where it was none."""
    if "question" in step:
        return outline.insert(draft, step["question"], step["at"])
    if "was" in step:
        return _as_it_was(draft, step["was"])
    if "section" in step:
        outline.put_section(draft, step["section"], step["at"])
    elif "heading" in step:
        outline.section_of(draft, step["at"]).update(step["heading"])
    else:
        put_texts(draft, step["texts"])
    return ""


def _as_it_was(draft: Draft, was: dict[str, Any]) -> str:
    try:
        question = outline.question_of(draft, was["key"])
    except Changed:
        return outline.insert(draft, was)
    before = dict(question)
    question.clear()
    question.update(was)
    options.follow(draft, before, question)
    return str(was["key"])


def _keep(request: HttpRequest, survey: Survey, kept: list[Step]) -> None:
    every = request.session.get(NAME, {})
    request.session[NAME] = every | {str(survey.pk): kept[-MOST:]}
