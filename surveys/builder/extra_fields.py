"""What a question's form asks for beside its own fields: another key, another kind, edges filled in from a range, a
scale's usual steps, how many people are expected, of whom it is asked."""

from collections.abc import Callable
from typing import NamedTuple, cast

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import drafts
from surveys.builder import bins, routing
from surveys.builder.editors import Editor
from surveys.builder.problems import Problem
from surveys.drafts import Draft, presets, scales
from surveys.drafts.fields import Part
from surveys.drafts.kinds import KINDS, changed
from surveys.drafts.storage import rename
from surveys.figures.typed import plain
from surveys.models import Survey
from surveys.rules.limits import PEOPLE_MAX

FILLING = {
    "low_end": gettext_lazy("Give a number, such as 0."),
    "high_end": gettext_lazy("Give a number above the lowest."),
    "bin_count": gettext_lazy("Give a whole number from 2 to 256; every bin must have some width."),
}


class Result(NamedTuple):
    """The question's key now, what was refused and is not stored, and whether the form itself is another one now."""

    key: str
    refused: list[Problem] = []
    renewed: bool = False


def filled(form: QueryDict, draft: Draft, key: str) -> tuple[QueryDict, list[Problem]]:
    """The form with edges from the range, where they are asked for: round ones, unless somebody wants another number of
    bins than is advised."""
    if "fill" not in form:
        return _with_range(form), []
    low, high, count = (form.get(name, "") for name in FILLING)
    try:
        advised = _advised(form, draft, key)
        count = count.strip() or advised
        edges = (bins.round_edges if count == advised else bins.edges)(low, high, count)
    except ValueError as wrong:
        return form, [Problem(str(wrong), str(FILLING[str(wrong)]))]
    form = form.copy()
    form["edges"] = "\n".join(edges)
    return form, []


def _with_range(form: QueryDict) -> QueryDict:
    """The form with the range as its only edges where there are no bins yet: who comes back finds it again."""
    low, high = (form.get(name, "").strip() for name in ("low_end", "high_end"))
    typed = form.get("edges", "").split()
    if not (low and high) or len(typed) not in (0, 2):
        return form
    form = form.copy()
    form["edges"] = f"{low}\n{high}"
    return form


def _advised(form: QueryDict, draft: Draft, key: str) -> str:
    # Somebody else may have removed it.
    question = next((each for each in draft["questions"] if each["key"] == key), {"key": key})
    return str(bins.advice(draft, question, _people(form), form.get("alpha", "")).bins or "")


def _people(form: QueryDict) -> int | None:
    text = plain(form.get("expected_n", ""), whole=True)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else 0
    return number if 1 <= number <= PEOPLE_MAX else None


def follow(request: HttpRequest, survey: Survey, editor: Editor, form: QueryDict) -> Result:
    """Do what else the form asks for, once its fields are stored."""
    key, refused = editor.name, _expected(survey, form)
    kind = str(form.get("to_kind", ""))
    if "change_kind" in form and kind in KINDS:
        replace(request, survey, editor, lambda question: changed(question, kind))
        return Result(key, refused, True)
    if (what := form.get("scale")) in ("shares", "mean"):
        replace(request, survey, editor, lambda question: scales.convert(question, cast(scales.Wanted, what)))
        return Result(key, refused, True)
    if "fill_scale" in form and (preset := str(form.get("preset", ""))) in presets.PRESETS:
        drafts.change(survey, request.user, lambda draft: presets.fill(draft, key, preset))
        return Result(key, refused, True)
    if "route" in form or "unroute" in form:
        decides = str(form.get("decides", "")) if "route" in form else ""
        replace(request, survey, editor, lambda question: routing.route(question, decides))
        return Result(key, refused, True)
    wished = form.get("key", key).strip()
    if wished == key:
        return Result(key, refused)
    try:
        drafts.change(survey, request.user, lambda draft: rename(draft, key, wished))
    except ValueError:
        rule = _("Take 1 to 40 of a-z, 0-9 and _, beginning with a letter. It is still “%(key)s”.")
        return Result(key, [*refused, Problem("key", rule % {"key": key})])
    except KeyError:
        rule = _("Another question has this key. It is still “%(key)s”.")
        return Result(key, [*refused, Problem("key", rule % {"key": key})])
    return Result(wished, refused, True)


def replace(request: HttpRequest, survey: Survey, editor: Editor, how: Callable[[Part], Part]) -> None:
    """Put another part in the place of this one."""

    def put(draft: Draft) -> str:
        other = how(dict(editor.place.find(draft)))
        editor.place.put(draft, other)
        return editor.place.changed(other)

    drafts.change(survey, request.user, put)


def _expected(survey: Survey, form: QueryDict) -> list[Problem]:
    """Store how many people are expected: the survey's number, the same for all its questions."""
    if "expected_n" not in form:
        return []
    number = _people(form)
    if form.get("expected_n", "").strip() and number is None:
        return [Problem("expected_n", _("Give a whole number from 1 to 1000000000, or leave it empty."))]
    drafts.expect(survey, number)
    survey.expected_n = number
    return []
