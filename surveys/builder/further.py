"""What a question's form asks for beside its own fields: another key, another kind, edges filled in from a range, how
many people are expected, fields dropped that its kind does not know."""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.builder import bins, outline, undo
from surveys.builder.answers import person
from surveys.builder.deeds import title
from surveys.builder.editing import change, rename
from surveys.builder.kinds import KINDS, changed, fields_of, name_of
from surveys.builder.problems import Problem
from surveys.builder.shaped import Draft, Question
from surveys.models import Survey

EXPECTED_MAX = 10**9

FILLING = {
    "low_end": gettext_lazy("Give a number, such as 0."),
    "high_end": gettext_lazy("Give a number above the lowest."),
    "bin_count": gettext_lazy("Give a whole number from 2 to 256 that leaves every bin some room."),
}


class Further(NamedTuple):
    """The question's key now, what was refused and is not stored, and whether the form itself is another one now."""

    key: str
    refused: list[Problem] = []
    renewed: bool = False


def filled(form: QueryDict) -> tuple[QueryDict, list[Problem]]:
    """The form with edges from the range, where they are asked for."""
    if "fill" not in form:
        return form, []
    try:
        edges = bins.edges(*(form.get(name, "") for name in FILLING))
    except ValueError as wrong:
        return form, [Problem(str(wrong), str(FILLING[str(wrong)]))]
    form = form.copy()
    form["edges"] = "\n".join(edges)
    return form, []


def follow(request: HttpRequest, survey: Survey, key: str, form: QueryDict) -> Further:
    """Do what else the form asks for, once its fields are stored."""
    refused = _expected(survey, form)
    kind = str(form.get("to_kind", ""))
    if "change_kind" in form and kind in KINDS:
        _replace(request, survey, key, lambda question: changed(question, kind))
        return Further(key, refused, True)
    if "drop" in form:
        _replace(request, survey, key, _without_unknown)
        return Further(key, refused, True)
    wished = form.get("key", key).strip()
    if wished == key:
        return Further(key, refused)
    try:
        change(survey, person(request), lambda draft: rename(draft, key, wished))
    except ValueError:
        rule = _("Take 1 to 40 of a-z, 0-9 and _, beginning with a letter. It is still “%(key)s”.")
        return Further(key, [*refused, Problem("key", rule % {"key": key})])
    except KeyError:
        rule = _("Another question has this key. It is still “%(key)s”.")
        return Further(key, [*refused, Problem("key", rule % {"key": key})])
    return Further(wished, refused, True)


def unknown(question: Question) -> list[str]:
    """Its fields that its kind does not know; a file may have brought them."""
    return sorted(question.keys() - {field.name for field in fields_of(question)} - {"key", "kind"})


def _without_unknown(question: Question) -> Question:
    return {name: value for name, value in question.items() if name not in unknown(question)}


def _replace(request: HttpRequest, survey: Survey, key: str, how: Callable[[Question], Question]) -> None:
    """Put another question in the place of this one, which can be undone."""
    before: Question = {}

    def replace(draft: Draft) -> None:
        question = outline.question_of(draft, key)
        before.update(question)
        new = how(question)
        question.clear()
        question.update(new)

    change(survey, person(request), replace)
    said = _("Changed “%(title)s”, which was: %(kind)s.") % {"title": title(before), "kind": name_of(before)}
    undo.remember(request, survey, {"said": said, "was": before})


def _expected(survey: Survey, form: QueryDict) -> list[Problem]:
    """Store how many people are expected: the survey's number, the same for all its questions."""
    if "expected_n" not in form:
        return []
    text = form.get("expected_n", "").strip()
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None
    if (text and number is None) or (number is not None and not 1 <= number <= EXPECTED_MAX):
        return [Problem("expected_n", _("Give a whole number from 1 to 1000000000, or leave it empty."))]
    Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).exclude(expected_n=number).update(expected_n=number)
    survey.expected_n = number
    return []
