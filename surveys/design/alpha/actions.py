"""What is saved on the pages about alpha: one alpha, a split, and how many people are expected."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.design.alpha import figures, storage, totals
from surveys.design.alpha.forms import Split, WhatIf, people_field, people_of
from surveys.design.alpha.questions import Question
from surveys.drafts import Changed, NotDraft
from surveys.figures import numerals
from surveys.models import Survey


def act(request: HttpRequest, survey: Survey, questions: list[Question], question: Question | None) -> HttpResponse:
    """Save, spend or expect, and back to the page."""
    try:
        _ACTIONS[request.POST.get("do", "")](request, survey, questions, question)
    except KeyError:
        raise Http404 from None
    except Changed:
        messages.error(
            request, _("Someone else changed this in the meantime. Nothing was saved; this is how it stands now.")
        )
    except NotDraft:
        messages.error(request, _("The survey is no draft any more: its alphas are frozen."))
    kept = request.GET.copy()
    for name in ("alpha", "mechanism", "delta", "trial", "how", "total"):
        kept.pop(name, None)
    return redirect(f"{request.path}?{kept.urlencode()}" if kept else request.path)


def _save(request: HttpRequest, survey: Survey, questions: list[Question], question: Question | None) -> None:
    if question is None:
        raise Http404
    form = WhatIf(request.POST, question, survey, "1")
    form.is_valid()
    if form.errors.keys() & {"alpha", "mechanism", "delta"}:
        messages.error(request, _("Nothing was saved. Alpha must be between 0.01 and 16."))
        return
    settings = form.variant.settings()
    storage.save(survey, request.user, question.name, request.POST.get("mark", ""), settings)
    messages.success(request, _("Saved: alpha %(alpha)s.") % {"alpha": settings["alpha"]})


def _spend(request: HttpRequest, survey: Survey, questions: list[Question], question: Question | None) -> None:
    form = Split(request.GET, totals.parts(questions), "")
    if not form.is_valid():
        messages.error(request, _("Nothing was saved: the total cannot be split like this."))
        return
    split, _stretched = totals.divided(form, people_of(survey))
    named = {part.name: figures.as_decimal(alpha) for part, alpha in zip(form.questions, split, strict=True)}
    storage.spend(survey, request.user, request.POST.get("mark", ""), named)
    messages.success(request, _("Saved: the alphas of all questions."))


def _expect(request: HttpRequest, survey: Survey, questions: list[Question], question: Question | None) -> None:
    try:
        n = people_field().clean(request.POST.get("n", ""))
    except ValidationError as refused:
        messages.error(request, _("People expected:") + " " + " ".join(refused.messages))
        return
    if not drafts.expect(survey, n):
        raise NotDraft
    messages.success(request, _("Saved: %(n)s people are expected.") % {"n": numerals.whole(n)})


_ACTIONS = {"save": _save, "spend": _spend, "expect": _expect}
