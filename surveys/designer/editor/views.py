"""The builder's URLs: the outline, and an editor for each part."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.editor import editors, submission
from surveys.designer.editor.actions import ACTIONS, ActionOutcome, Full
from surveys.designer.editor.editors import Editor
from surveys.designer.editor.part_editor import part_context
from surveys.designer.editor.responses import FROZEN, NOT_SAVED, full_page, gone
from surveys.drafts import Changed, NotDraft, history
from surveys.drafts.normalize import normalize, normalized
from surveys.models import Role, Survey
from surveys.rules.draft import Draft
from surveys.rules.limits import QUESTIONS_MAX
from surveys.web.fragments import fragments, go, wants_fragments

METHODS = require_http_methods(["GET", "HEAD", "POST"])


@METHODS
@requires(Role.DESIGNER)
def questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the outline with the first question; a POST changes the order."""
    if request.method == "POST":
        return _act(request, survey)
    first = next((each["key"] for each in normalized(survey.draft)["questions"]), None)
    return _page(request, survey, editors.question(survey, first) if first else None, listing=True)


@METHODS
@requires(Role.DESIGNER)
def texts(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _part(request, survey, editors.texts(survey))


@METHODS
@requires(Role.DESIGNER)
def section(request: HttpRequest, survey: Survey, index: int) -> HttpResponse:
    return _part(request, survey, editors.section(survey, index))


@METHODS
@requires(Role.DESIGNER)
def question(request: HttpRequest, survey: Survey, key: str) -> HttpResponse:
    return _part(request, survey, editors.question(survey, key))


def _part(request: HttpRequest, survey: Survey, editor: Editor) -> HttpResponse:
    if request.method == "POST":
        try:
            return submission.save(request, survey, editor)
        except NotDraft:
            return gone(request, survey, NOT_SAVED)
    return _page(request, survey, editor)


def _page(request: HttpRequest, survey: Survey, editor: Editor | None, listing: bool = False) -> HttpResponse:
    if not survey.is_draft:
        return redirect("survey-asked", survey.pk)
    draft: Draft = survey.draft
    normalize(draft)
    try:
        context = part_context(survey, draft, editor)
    except Changed:
        return gone(request, survey)
    return full_page(request, survey, context | {"listing": listing})


# Actions --------------------------------------------------------------------------------------------------------------


def _act(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = request.POST
    name = next((name for name in ACTIONS if name in form), "")
    if not name:
        return redirect("survey-questions", survey.pk)
    done: list[ActionOutcome] = []

    def action(draft: Draft) -> str:
        done.append(ACTIONS[name](draft, form[name], form))
        return done[0].message

    try:
        survey = drafts.change(survey, request.user, action)
    except NotDraft:
        return gone(request, survey, FROZEN)
    except Changed:
        return gone(request, survey)
    except Full:
        return gone(request, survey, _("A survey has at most %(most)d questions.") % {"most": QUESTIONS_MAX})
    return _answer(request, survey, done[0])


def _answer(request: HttpRequest, survey: Survey, outcome: ActionOutcome) -> HttpResponse:
    here = request.POST.get("here", "")
    if outcome.stays and wants_fragments(request):
        editor = editors.question(survey, here) if here == outcome.key else None
        context = part_context(survey, survey.draft, editor, here)
        context |= {"survey": survey, "said": outcome.message, "undoable": history.last(survey, doer(request))}
        return fragments(request, "designer/editor/moved.html", context)
    return go(request, _address(survey, outcome))


def _address(survey: Survey, outcome: ActionOutcome) -> str:
    """Return the URL of the outcome's target. It gives a heading the focus if the pressed button disappears."""
    at = "#editor-title" if outcome.heading else ""
    if outcome.key:
        return reverse("survey-question", args=[survey.pk, outcome.key]) + at
    if outcome.section is not None:
        return reverse("survey-section", args=[survey.pk, outcome.section]) + at
    return reverse("survey-questions", args=[survey.pk]) + ("#outline-title" if outcome.heading else "")
