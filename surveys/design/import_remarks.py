"""What became of an XLSForm: the list of what is otherwise, and what only its designer can decide.

The list stays with the draft, for everybody who edits it, until one of them has dismissed it.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys import drafts
from surveys.access import requires
from surveys.design import pages
from surveys.design.xlsform.forms import Read
from surveys.design.xlsform.questions import Decision
from surveys.design.xlsform.remarks import Group, Remark
from surveys.drafts import NotDraft
from surveys.models import ImportNotes, Role, Survey
from surveys.rules.unchecked import Draft


def store(survey: Survey, read: Read) -> None:
    ImportNotes.objects.create(survey=survey, remarks=read.remarks, decisions=read.decisions)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    kept = load(survey)
    if kept is None:
        return redirect("survey-questions", survey.pk)
    remarks, decisions = kept
    if request.method == "POST":
        if "dismiss" in request.POST:
            ImportNotes.objects.filter(survey=survey).delete()
        else:
            _decide(request, survey, decisions)
        return redirect("survey-questions", survey.pk)
    questions = survey.draft.get("questions", ())
    undecided = [each for each in decisions if survey.is_draft and each.now in questions]
    context = {"groups": _grouped(remarks), "decisions": undecided, "n": len(questions)}
    return pages.page(request, survey, "design/imported.html", context)


@require_safe
@requires(Role.DESIGNER)
def text(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The list as a file to keep."""
    kept = load(survey)
    if kept is None:
        raise Http404
    lines = [survey.title, ""]
    for label, remarks in _grouped(kept[0]):
        lines += [str(label), *(f"- {remark.text} {', '.join(remark.names)}".rstrip() for remark in remarks), ""]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="survey-{survey.pk}-imported.txt"'
    response["Cache-Control"] = "no-store"
    return response


def load(survey: Survey) -> tuple[list[Remark], list[Decision]] | None:
    notes = ImportNotes.objects.filter(survey=survey).first()
    if notes is None:
        return None
    return [Remark(*each) for each in notes.remarks], [Decision(*each) for each in notes.decisions]


def _grouped(remarks: list[Remark]) -> list[tuple[Any, list[Remark]]]:
    grouped = [(group.label, [remark for remark in remarks if remark.group == group.value]) for group in Group]
    return [(label, listed) for label, listed in grouped if listed]


# Decisions ------------------------------------------------------------------------------------------------------------


def _decide(request: HttpRequest, survey: Survey, decisions: list[Decision]) -> None:
    """Put the other kind where it was chosen, but not in place of a question that was edited meanwhile."""
    chosen = [each for each in decisions if request.POST.get(each.now["key"]) == each.other["kind"]]
    if not chosen:
        return
    done: list[Decision] = []

    def replace(draft: Draft) -> str:
        done.extend(each for each in chosen if _replace(draft, each))
        return ngettext("Changed the kind of %(n)d question.", "Changed the kinds of %(n)d questions.", len(done)) % {
            "n": len(done)
        }

    try:
        drafts.change(survey, request.user, replace)
    except NotDraft:
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
