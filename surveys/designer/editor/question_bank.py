"""Copies of questions from the user's other surveys."""

from itertools import islice

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.access import doer, requires, surveys_of
from surveys.designer.editor.responses import FROZEN
from surveys.designer.editor.views import METHODS
from surveys.designer.studio.pages import page
from surveys.drafts import Changed, NotDraft, outline, question_bank
from surveys.drafts.kinds import name_of, title
from surveys.models import Role, Survey
from surveys.models.survey import SurveyQuerySet
from surveys.rules.draft import Draft
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.texts import integer
from surveys.survey.definition.languages import language_of

SHOWN = 60
SURVEYS_MOST = 200
LONGEST = 200  # characters of a search


@METHODS
@requires(Role.DESIGNER)
def listing(request: HttpRequest, survey: Survey) -> HttpResponse:
    """List the questions of the user's other surveys; a POST copies one."""
    if not survey.is_draft:
        messages.error(request, FROZEN)
        return redirect("survey", survey.pk)
    if request.method == "POST":
        return _take(request, survey)
    words = request.GET.get("q", "").strip()[:LONGEST]
    every = entries(doer(request), survey, words)
    shown = [(each, name_of(each.question)) for each in every[:SHOWN]]
    context = {"entries": shown, "words": words, "more": len(every) > SHOWN, "shown": SHOWN}
    return page(request, survey, "designer/editor/bank.html", context | {"current": "survey-questions"})


def entries(user: User, survey: Survey, words: str) -> list[question_bank.BankQuestion]:
    """Return the entries to show, and one more if some are left over."""
    return list(islice(question_bank.entries(_others(user, survey)[:SURVEYS_MOST], words), SHOWN + 1))


def take(user: User, survey: Survey, number: int, key: str) -> str:
    """Copy a question from another survey of the user; return its key. Raise Changed if it does not exist or the draft
    is full, NotDraft if the survey is no draft any more."""
    source = _others(user, survey).filter(pk=number).first()
    made: list[str] = []

    def insert(draft: Draft) -> str:
        if source is None or len(draft["questions"]) >= QUESTIONS_MAX:
            raise Changed
        question = question_bank.copy_of(source.draft, key, language_of(draft))
        made.append(outline.insert(draft, question))
        return _("Added “%(title)s” from another survey.") % {"title": title(question)}

    drafts.change(survey, user, insert)
    return made[0]


def _others(user: User, survey: Survey) -> SurveyQuerySet:
    return surveys_of(user, Role.DESIGNER).exclude(pk=survey.pk).order_by("-pk")


def _take(request: HttpRequest, survey: Survey) -> HttpResponse:
    number, _colon, key = request.POST.get("take", "").partition(":")
    try:
        made = take(doer(request), survey, integer(number) or 0, key)
    except (Changed, NotDraft):
        messages.error(request, _("This question could not be added: it is gone, or there is no room for it."))
        return redirect("survey-bank", survey.pk)
    return redirect("survey-question", survey.pk, made)
