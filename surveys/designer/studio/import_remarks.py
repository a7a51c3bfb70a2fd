"""Remarks on an imported XLSForm: its differences from the draft, and the decisions that only its designer can make.

The draft keeps the list for all its designers until one dismisses it. A designer can tick off remarks. A remark on a
question disappears once the question is edited or deleted.
"""

import re
from typing import Any, NamedTuple, cast

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from surveys import drafts
from surveys.access import requires
from surveys.designer.studio import pages
from surveys.designer.xlsform.conversion import Read
from surveys.designer.xlsform.questions import Decision
from surveys.designer.xlsform.remarks import Remark, RemarkGroup
from surveys.drafts import NotDraft, mark, options
from surveys.models import ImportNotes, Role, Survey
from surveys.rules.draft import Draft, Question
from surveys.rules.texts import integer

# The fields that a question's own page edits. “People and protection” has the alphas.
CONTENT = (
    *("kind", "text", "note", "options", "items", "ranked", "steps", "edges", "dates", "low", "high", "limits", "unit"),
    "asked_if",
)
# A remark names a row alone, or with its content, such as `age (de)`, `Age → age`, `age: ${ill} > 1`.
_NAME = re.compile(r"(\S+?)(?:: | \(| → |$)")


class RemarkLine(NamedTuple):
    """A remark for display: its place in the stored list, and its names with the keys of their questions."""

    place: int
    remark: Remark
    names: list[tuple[str, str]]


def store(survey: Survey, read: Read) -> None:
    remarks = [remark._replace(questions=_questions(remark, read.keys, survey.draft)) for remark in read.remarks]
    ImportNotes.objects.create(survey=survey, remarks=remarks, decisions=read.decisions)


def _questions(remark: Remark, keys: dict[str, str], draft: Draft) -> dict[str, list[str]]:
    """Return the questions that a remark is about, by the remark's names."""
    marks = _marks(draft)
    named = {name: keys.get(match[1], "") for name in remark.names if (match := _NAME.match(name))}
    return {name: [key, marks[key]] for name, key in named.items() if key in marks}


def _marks(draft: Draft) -> dict[str, str]:
    """Return marks by key. A mark changes when its question is edited."""
    return {each.get("key", ""): mark([*map(each.get, CONTENT)]) for each in draft.get("questions", ())}


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    kept = load(survey)
    if kept is None:
        return redirect("survey-questions", survey.pk)
    remarks, decisions = kept
    if request.method == "POST":
        if "dismiss" in request.POST:
            dismiss(survey)
            return redirect("survey-questions", survey.pk)
        _decide(request, survey, decisions)
        if "tick" in request.POST or "untick" in request.POST:
            done = "tick" in request.POST
            place = integer(request.POST.get("tick" if done else "untick", ""), 6)
            tick(survey, -1 if place is None else place, done)
            return redirect("survey-imported", survey.pk)
        return redirect("survey-questions", survey.pk)
    questions = survey.draft.get("questions", ())
    undecided = [each for each in decisions if survey.is_draft and each.now in questions]
    lines = listed(survey, remarks)
    context = {
        "groups": _grouped([line for line in lines if not line.remark.done]),
        "done": [line for line in lines if line.remark.done],
        "decisions": undecided,
        "n": len(questions),
    }
    return pages.page(request, survey, "designer/imported.html", context)


@require_safe
@requires(Role.DESIGNER)
def text(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the list as a text file."""
    kept = load(survey)
    if kept is None:
        raise Http404
    lines = [survey.title, ""]
    for label, of_group in _grouped(listed(survey, kept[0])):
        lines += [str(label), *map(_text, of_group), ""]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="survey-{survey.pk}-imported.txt"'
    response["Cache-Control"] = "no-store"
    return response


def load(survey: Survey) -> tuple[list[Remark], list[Decision]] | None:
    notes = ImportNotes.objects.filter(survey=survey).first()
    if notes is None:
        return None
    return [Remark(*each) for each in notes.remarks], [Decision(*each) for each in notes.decisions]


def listed(survey: Survey, remarks: list[Remark]) -> list[RemarkLine]:
    """Return the remarks that still hold. Names of questions that were edited or deleted since are left out."""
    marks = _marks(survey.draft)
    lines: list[RemarkLine] = []
    for place, remark in enumerate(remarks):
        of = {name: key for name, (key, was) in remark.questions.items() if marks.get(key) == was}
        names = [(name, of.get(name, "")) for name in remark.names if name in of or name not in remark.questions]
        if names or not remark.names:
            lines.append(RemarkLine(place, remark, names))
    return lines


def _text(line: RemarkLine) -> str:
    return f"- {line.remark.text} {', '.join(name for name, _key in line.names)}".rstrip()


def _grouped(lines: list[RemarkLine]) -> list[tuple[Any, list[RemarkLine]]]:
    grouped = [(group.label, [line for line in lines if line.remark.group == group.value]) for group in RemarkGroup]
    return [(label, of_group) for label, of_group in grouped if of_group]


def tick(survey: Survey, place: int, done: bool) -> bool:
    """Tick the remark at this place; return whether it exists. Two simultaneous ticks are both kept."""
    with transaction.atomic():
        notes = ImportNotes.objects.select_for_update().filter(survey=survey).first()
        if notes is None or not 0 <= place < len(notes.remarks):
            return False
        notes.remarks[place] = Remark(*notes.remarks[place])._replace(done=done)
        notes.save(update_fields=["remarks"])
    return True


def dismiss(survey: Survey) -> bool:
    """Delete the list; return whether there was one."""
    return ImportNotes.objects.filter(survey=survey).delete()[0] > 0


# Decisions ------------------------------------------------------------------------------------------------------------


def _decide(request: HttpRequest, survey: Survey, decisions: list[Decision]) -> None:
    """Change questions to the other kind where chosen. A question that was edited meanwhile stays."""
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
    now, other = cast(Question, decision.now), cast(Question, decision.other)
    if now not in questions:
        return False
    questions[questions.index(now)] = other
    # References to options follow if options are left out.
    options.follow(draft, now, other)
    return True
