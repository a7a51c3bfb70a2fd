"""What became of an XLSForm: the list of what is otherwise, and what only its designer can decide.

The list is kept with the session of whoever brought the form, until they are done with it.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys.access import requires
from surveys.design import pages
from surveys.design.addresses import questions_of
from surveys.design.drafts import Draft, Frozen, edit
from surveys.design.xlsform.forms import Read
from surveys.design.xlsform.questions import Decision
from surveys.design.xlsform.remarks import Group, Remark
from surveys.models import AuditEntry, Role, Survey
from surveys.people.log import record

NAME = "imported"
MOST = 3  # lists in one session


def keep(request: HttpRequest, survey: Survey, read: Read) -> None:
    lists = {**request.session.get(NAME, {}), str(survey.pk): [read.remarks, read.decisions]}
    request.session[NAME] = {number: lists[number] for number in list(lists)[-MOST:]}


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    kept = _kept(request, survey)
    if kept is None:
        return redirect(questions_of(survey))
    remarks, decisions = kept
    if request.method == "POST":
        _decide(request, survey, decisions)
        _forget(request, survey)
        return redirect(questions_of(survey))
    context = {"groups": _grouped(remarks), "decisions": decisions, "n": len(survey.draft.get("questions", ()))}
    return pages.page(request, survey, "design/imported.html", context)


@require_safe
@requires(Role.DESIGNER)
def text(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The list as a file to keep."""
    kept = _kept(request, survey)
    if kept is None:
        raise Http404
    lines = [survey.title, ""]
    for label, remarks in _grouped(kept[0]):
        lines += [str(label), *(f"- {remark.text} {', '.join(remark.names)}".rstrip() for remark in remarks), ""]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="survey-{survey.pk}-imported.txt"'
    response["Cache-Control"] = "no-store"
    return response


def _kept(request: HttpRequest, survey: Survey) -> tuple[list[Remark], list[Decision]] | None:
    found = request.session.get(NAME, {}).get(str(survey.pk))
    return ([Remark(*each) for each in found[0]], [Decision(*each) for each in found[1]]) if found else None


def _forget(request: HttpRequest, survey: Survey) -> None:
    request.session[NAME] = {
        number: kept for number, kept in request.session.get(NAME, {}).items() if number != str(survey.pk)
    }


def _grouped(remarks: list[Remark]) -> list[tuple[Any, list[Remark]]]:
    grouped = [(group.label, [remark for remark in remarks if remark.group == group.value]) for group in Group]
    return [(label, found) for label, found in grouped if found]


# Decisions ------------------------------------------------------------------------------------------------------------


def _decide(request: HttpRequest, survey: Survey, decisions: list[Decision]) -> None:
    """Put the other kind where it was chosen, but not in place of a question that was edited meanwhile."""
    chosen = [each for each in decisions if request.POST.get(each.now["key"]) == each.other["kind"]]
    if not chosen:
        return
    assert isinstance(request.user, User)
    done: list[Decision] = []
    try:
        with transaction.atomic():
            edit(survey.pk, lambda draft: done.extend(each for each in chosen if _replace(draft, each)))
            record(request.user, AuditEntry.Action.EDITED, survey)
    except Frozen:
        messages.warning(request, _("The survey was opened meanwhile, so its questions stay as they are."))
        return
    if missed := len(chosen) - len(done):
        text = ngettext(
            "%(n)d question was edited meanwhile and stays as it is.",
            "%(n)d questions were edited meanwhile and stay as they are.",
            missed,
        )
        messages.warning(request, text % {"n": missed})


def _replace(draft: Draft, decision: Decision) -> bool:
    questions = draft.get("questions", [])
    if decision.now not in questions:
        return False
    questions[questions.index(decision.now)] = decision.other
    return True
