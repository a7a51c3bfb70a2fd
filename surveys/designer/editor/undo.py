"""Undo of the last change to a draft, on any page. Another page appears if others have changed the same part since."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.editor.labels import Label, label
from surveys.designer.editor.responses import FROZEN
from surveys.designer.studio.pages import page
from surveys.drafts import NotDraft, history
from surveys.drafts.cells import LAYOUT, Cell
from surveys.models import Revision, Role, Survey
from surveys.rules.draft import Draft
from surveys.rules.texts import integer


class ChangedField(NamedTuple):
    """A field that others changed since: its text before the undone change, and its text now."""

    label: Label
    before: str
    now: str


@require_POST
@requires(Role.DESIGNER)
def undo(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Undo one of the user's changes. `forget` forgets this change, `dismiss` all of them."""
    own = Revision.objects.filter(survey=survey, user=doer(request))
    step = own.filter(pk=integer(request.POST.get("step", "")) or 0).first()
    if request.POST.get("do") == "dismiss":
        own.delete()
    elif step and request.POST.get("do") == "forget":
        step.delete()
    elif step:
        return _undo(request, survey, step)
    return redirect(_back(request, survey))


def _undo(request: HttpRequest, survey: Survey, step: Revision) -> HttpResponse:
    try:
        survey = drafts.put_back(survey, doer(request), step)
    except Revision.DoesNotExist:  # the button was pressed twice
        return redirect(_back(request, survey))
    except NotDraft:
        messages.error(request, FROZEN)
        return redirect("survey", survey.pk)
    except history.Overtaken as overtaken:
        return _overtaken(request, survey, step, overtaken.cells)
    messages.success(request, _("Undone: %(what)s") % {"what": step.said})
    return redirect(_where(request, survey, step))


def _overtaken(request: HttpRequest, survey: Survey, step: Revision, cells: Sequence[Cell]) -> HttpResponse:
    """Show both versions to copy from. Nothing was changed."""
    survey.refresh_from_db()
    context = {
        "step": step,
        "back": _back(request, survey),
        "versions": [version(survey.draft, cell) for cell in cells],
        "current": "survey-questions",
        "undoable": None,
    }
    response = page(request, survey, "designer/editor/overtaken.html", context)
    response.status_code = 409
    return response


def version(draft: Draft, cell: Cell) -> ChangedField:
    about = label(draft, cell.path)
    if cell.path == LAYOUT:
        return ChangedField(about, _("another order"), _("changed since"))
    return ChangedField(about, about.text_of(cell.before), about.text_of(cell.after))


def _back(request: HttpRequest, survey: Survey) -> str:
    back = request.POST.get("back", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return back if safe and back.startswith("/") else reverse("survey-questions", args=[survey.pk])


def _where(request: HttpRequest, survey: Survey, step: Revision) -> str:
    """Return the URL of the restored part, else of a changed part that still exists."""
    keys = {cell.path[1]: bool(cell.before) for cell in history.cells_of(step) if cell.path[2:] == ("key",)}
    back = [key for key, restored in keys.items() if restored]
    if back and len(keys) == 1:
        return reverse("survey-question", args=[survey.pk, back[0]]) + "#editor-title"
    gone = [reverse("survey-question", args=[survey.pk, key]) for key in keys.keys() - set(back)]
    where = _back(request, survey)
    return reverse("survey-questions", args=[survey.pk]) if where.partition("?")[0] in gone else where
