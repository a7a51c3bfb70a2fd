"""The builder's addresses: the outline with the texts, and an editor for each part."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access import requires
from surveys.builder import editors, saving, undo
from surveys.builder.answers import fragments, go, person, wants_fragments, whole
from surveys.builder.deeds import DEEDS, Full, Outcome
from surveys.builder.editing import change
from surveys.builder.editors import Editor
from surveys.builder.forms import form_context
from surveys.builder.shaped import Draft, shape
from surveys.design.drafts import Changed, Frozen
from surveys.models import Role, Survey
from surveys.rules.limits import QUESTIONS_MAX

METHODS = require_http_methods(["GET", "HEAD", "POST"])


@METHODS
@requires(Role.DESIGNER)
def questions(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The outline, with the texts beside it; what is posted changes the order."""
    if request.method == "POST":
        return _deed(request, survey)
    return _page(request, survey, editors.texts(survey), listing=True)


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
            return saving.save(request, survey, editor)
        except Frozen:
            return _gone(
                request, survey, _("This survey has been opened. Its questions are frozen, this was not saved.")
            )
    return _page(request, survey, editor)


def _page(request: HttpRequest, survey: Survey, editor: Editor, listing: bool = False) -> HttpResponse:
    draft: Draft = survey.draft
    shape(draft)
    if not survey.is_draft:
        return whole(request, survey, {"frozen": draft["questions"]})
    try:
        context = form_context(survey, draft, editor)
    except Changed:
        return _gone(request, survey, _("That part is no longer there: somebody has removed or renamed it."))
    return whole(request, survey, context | {"listing": listing})


# Deeds ----------------------------------------------------------------------------------------------------------------


def _deed(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = request.POST
    if "dismiss" in form:
        undo.forget(request, survey, every=True)
        return go(request, _back(request, survey))
    name = next((name for name in DEEDS if name in form), "")
    if not name and "undo" not in form:
        return redirect("survey-questions", survey.pk)
    done: list[Outcome] = []

    def deed(draft: Draft) -> None:
        step = undo.last(request, survey) if not name else None
        done.append(
            DEEDS[name](draft, form[name], form) if name else Outcome(undo.put_back(draft, step) if step else "")
        )

    try:
        survey = change(survey, person(request), deed)
    except Frozen:
        return _gone(request, survey, _("This survey has been opened. Its questions are frozen."))
    except Changed:
        return _gone(request, survey, _("That part is no longer there: somebody has removed or renamed it."))
    except Full:
        return _gone(request, survey, _("A survey has at most %(most)d questions.") % {"most": QUESTIONS_MAX})
    if not name:
        undo.forget(request, survey)
    return _answer(request, survey, done[0])


def _answer(request: HttpRequest, survey: Survey, outcome: Outcome) -> HttpResponse:
    if outcome.step:
        undo.remember(request, survey, outcome.step)
    here = request.POST.get("here", "")
    moved = outcome.section is None and outcome.said
    if moved and wants_fragments(request):
        editor = editors.question(survey, here) if here == outcome.key else None
        context = form_context(survey, survey.draft, editor, here)
        return fragments(request, "design/builder/moved.html", context | {"survey": survey, "said": outcome.said})
    if outcome.said:
        messages.success(request, outcome.said)
    return go(request, _address(survey, outcome))


def _address(survey: Survey, outcome: Outcome) -> str:
    if outcome.key:
        return reverse("survey-question", args=[survey.pk, outcome.key])
    if outcome.section is not None:
        return reverse("survey-section", args=[survey.pk, outcome.section])
    return reverse("survey-questions", args=[survey.pk])


def _back(request: HttpRequest, survey: Survey) -> str:
    """The editor that the deed was done beside."""
    here = request.POST.get("here", "")
    if here == "texts" or not here:
        return reverse("survey-texts" if here else "survey-questions", args=[survey.pk])
    return _address(survey, Outcome(section=int(here)) if here.isdecimal() else Outcome(here))


def _gone(request: HttpRequest, survey: Survey, said: str) -> HttpResponse:
    """To the outline, where it is said what could not be done."""
    messages.error(request, said)
    return go(request, reverse("survey-questions", args=[survey.pk]))
