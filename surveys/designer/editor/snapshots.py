"""The history of a draft: its state after each change, the differences from the present draft, and a way back."""

from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.editor.labels import question_of
from surveys.designer.editor.responses import FROZEN
from surveys.designer.editor.undo import ChangedField, version
from surveys.designer.studio.pages import page
from surveys.drafts import Changed, NotDraft, mark, snapshots
from surveys.drafts.normalize import normalized
from surveys.models import Role, Snapshot, Survey
from surveys.rules.draft import Draft
from surveys.web import zones

SHOWN = 25  # on a page


class SnapshotChange(NamedTuple):
    """A snapshot, with its change's message or a general one."""

    snapshot: Snapshot
    what: str
    newest: bool


@require_safe
@requires(Role.DESIGNER)
def listing(request: HttpRequest, survey: Survey) -> HttpResponse:
    """List the changes that are kept, newest first."""
    if not survey.is_draft:
        raise Http404
    rows = Snapshot.objects.filter(survey=survey).defer("content").select_related("user").order_by("-pk")
    part = Paginator(rows, SHOWN).get_page(request.GET.get("page"))
    newest = rows.values_list("pk", flat=True).first()
    changes = [SnapshotChange(row, what(row), row.pk == newest) for row in part]
    context = {"part": part, "changes": changes, "most": snapshots.MOST, "current": "survey-questions"}
    return page(request, survey, "designer/editor/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def snapshot(request: HttpRequest, survey: Survey, pk: int) -> HttpResponse:
    """Compare a snapshot with the present draft. A POST goes back, if the draft still has this `mark`."""
    row = get_object_or_404(Snapshot.objects.select_related("user"), survey=survey, pk=pk)
    if request.method == "POST":
        return _go_back(request, survey, row)
    return _show(request, survey, row)


def go_back(survey: Survey, user: User, row: Snapshot, seen: str) -> Survey:
    """Set the draft back to this snapshot; return the survey. Raise Changed if the draft's mark is no longer `seen`."""
    what = _("Went back to the draft of %(when)s.") % {"when": zones.moment(row.at)}

    def back(draft: Draft) -> str:
        if mark(draft) != seen:
            raise Changed
        snapshots.go_back(draft, row)
        return what

    return drafts.change(survey, user, back, detail=f"back to the draft of {row.at:%Y-%m-%d %H:%M} UTC")


def _show(request: HttpRequest, survey: Survey, row: Snapshot) -> HttpResponse:
    context = {"change": SnapshotChange(row, what(row), False), "versions": _versions(row, survey)}
    context |= {"mark": mark(normalized(survey.draft)), "current": "survey-questions"}
    return page(request, survey, "designer/editor/snapshot.html", context)


def _go_back(request: HttpRequest, survey: Survey, row: Snapshot) -> HttpResponse:
    """Go back to a snapshot. If the draft has changed since the page was shown, show the new differences instead."""
    try:
        go_back(survey, doer(request), row, request.POST.get("mark", ""))
    except NotDraft:
        messages.error(request, FROZEN)
        return redirect("survey", survey.pk)
    except Changed:
        messages.warning(request, _("The draft has changed since you looked"))
        survey.refresh_from_db()
        response = _show(request, survey, row)
        response.status_code = 409
        return response
    text = _("The draft is again as it was on %(when)s. You can undo that.") % {"when": zones.moment(row.at)}
    messages.success(request, text)
    return redirect("survey-questions", survey.pk)


def _versions(row: Snapshot, survey: Survey) -> list[ChangedField]:
    """Return the differences, named as in the draft that has them. A question in one draft only shows its text."""
    changed = snapshots.since(row, survey)
    keys = [cell for cell in changed if cell.path[2:] == ("key",)]
    alone = {cell.path[1]: row.content if cell.before else survey.draft for cell in keys}
    return [
        version(alone.get(question_of(cell.path), survey.draft), cell)
        for cell in changed
        if question_of(cell.path) not in alone or (cell.path[0] == "question" and cell.path[2] == "text")
    ]


def what(row: Snapshot) -> str:
    if row.user is None and not row.said:
        return _("The draft before the changes that are kept")
    return row.said or _("Edited the draft")
