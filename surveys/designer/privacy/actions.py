"""The saving actions of the privacy page: an alpha, a proposal, a question's form, a form's settings, and the expected
number of people."""

from contextlib import suppress
from typing import cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.exact import ALPHA_MAX, parse_alpha
from ldp.planning.design_needs import Change
from surveys import drafts
from surveys.designer.privacy import prices, proposal, storage
from surveys.designer.privacy.cards import total_context
from surveys.designer.privacy.inputs import OTHER, ArrangementInput, PlanInput, WhatIfInput
from surveys.designer.privacy.storage import Arranged, Move
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.studio.terms import people_field
from surveys.drafts import Changed, NotDraft
from surveys.drafts.assignment import UnfitAssignment
from surveys.drafts.normalize import normalized
from surveys.drafts.proposals import BEGINNING
from surveys.drafts.scales import Wanted
from surveys.figures import numerals
from surveys.models import Survey
from surveys.rules.texts import decimal, integer

UNFIT = {
    "fewest": gettext_lazy(
        "Nothing was changed: there must be at least two forms, or none. To have none, ask everyone everything."
    ),
    "joint": gettext_lazy(
        "Nothing was changed: only two or more questions, none of them a ranking, can be randomized together."
    ),
    "pooled": gettext_lazy(
        "Nothing was changed: several forms can ask only a multiple choice, a grid, or a question that is randomized "
        "by randomized response."
    ),
    "decides": gettext_lazy(
        "Nothing was changed: each question, and those that depend on it, must stay in another form."
    ),
    "arms": gettext_lazy("Nothing was changed: each version of a question must be in its own form."),
    "alpha": gettext_lazy("Nothing was changed: this alpha cannot be shared among the questions of the form."),
}


def act(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> HttpResponse:
    """Run the pressed button's action and go back to the page. Raise Http404 for an unknown button."""
    action = _ACTIONS.get(request.POST.get("do", ""))
    if action is None:
        raise Http404
    try:
        address = action(request, survey, questions, question)
    except Changed:
        messages.error(
            request, _("Someone else changed this in the meantime. Nothing was saved. Below is the present draft.")
        )
    except UnfitAssignment as unfit:
        messages.error(request, UNFIT[str(unfit)])
    except NotDraft:
        messages.error(request, _("The survey is no longer a draft: its alphas are frozen."))
    else:
        if address:
            return redirect(address)
    return redirect(_back(request))


def _back(request: HttpRequest) -> str:
    """Return the URL of the previous page, without the variant that is now saved."""
    kept = request.GET.copy()
    for name in ("alpha", "mechanism", "delta", "trial"):
        kept.pop(name, None)
    return f"{request.path}?{kept.urlencode()}" if {"question", "plan"} & kept.keys() else request.path


def _save(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    if question is None:
        raise Http404
    form = WhatIfInput(request.POST, question, survey, "1")
    form.is_valid()
    if form.errors.keys() & {"alpha", "mechanism", "delta"}:
        messages.error(request, _("Nothing was saved. Alpha must be between 0.01 and 16."))
        return ""
    if "size" in form.errors:
        messages.error(request, _("Nothing was saved. How many options are sent must be a whole number from 1 on."))
        return ""
    settings = form.variant.settings()
    storage.save(survey, request.user, question, request.POST.get("mark", ""), settings)
    messages.success(request, _("Saved: alpha %(alpha)s.") % {"alpha": settings["alpha"]})
    return ""


# All questions --------------------------------------------------------------------------------------------------------


def _expect(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    n = _people(request)
    if n is not None:
        drafts.expect(survey, request.user, n)
        messages.success(request, _("Saved: %(n)s people are expected.") % {"n": numerals.integer(n)})
    return ""


def _people(request: HttpRequest) -> int | None:
    try:
        return int(people_field().clean(request.POST.get("n", "")))
    except ValidationError as refused:
        messages.error(request, _("People expected:") + " " + " ".join(refused.messages))
        return None


def _plan(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    """Show a proposal. The number of people is saved with the survey. The URL has the other inputs, or an invalid
    number."""
    n, kept = _people(request), _wish(request.POST)
    if n is None:
        return f"{request.path}?{kept.urlencode()}#n"
    drafts.expect(survey, request.user, n)
    kept.pop("n", None)
    return f"{request.path}?{kept.urlencode()}#proposal"


def _wish(posted: QueryDict) -> QueryDict:
    """Return the typed wish for a URL. Empty fields of pairs stay, because order matches the pairs."""
    kept = posted.copy()
    for name in ("csrfmiddlewaretoken", "do", *(name for name in posted if not posted[name])):
        if name not in ("first", "second"):
            kept.pop(name, None)
    kept["plan"] = "1"
    return kept


def _apply(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    """Compute the proposal again from the URL, and save what the button names: the proposal, the design for everyone,
    or a change with its price."""
    planned, which = proposal.plannable(questions), request.POST.get("which", "proposal")
    form, chosen, change = PlanInput(request.GET, planned, survey, _total(questions)), None, None
    if form.is_valid():
        with suppress(ValueError):
            offered = proposal.offer(questions, form.brief)
            if which in ("proposal", "everything"):
                chosen = offered.proposal.design if which == "proposal" else offered.everything
            elif price := prices.find(offered, normalized(survey.draft), which):
                change, chosen = price[0], price[1].design
    if chosen is None:
        messages.error(request, _("Nothing was saved: nothing can be proposed for these numbers."))
        return ""
    edits = change is not None and change.brief.questions != offered.brief.questions
    edit = (lambda draft: prices.edit(draft, offered.brief, change)) if change and edits else None
    brief = change.brief if change else offered.brief
    expected = brief.n if change and change.name == "people" else None
    storage.apply(survey, request.user, request.POST.get("mark", ""), brief, chosen, edit, expected)
    messages.success(request, _("Saved: who is asked what, and all alphas."))
    kept = request.GET.copy()  # keep the typed wish, without a new proposal
    kept.pop("plan", None)
    if change:
        _keep_change(kept, change)
    return f"{request.path}?{kept.urlencode()}" if kept else request.path


def _basis(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    """Save the number of people and the strength; the planner sets the rest. The URL carries a wrong value, and the
    page shows why it is refused."""
    form = PlanInput(request.POST, proposal.plannable(questions), survey, BEGINNING)
    if form.is_valid() and form.cleaned_data["total"] > ALPHA_MAX:
        form.add_error("other", _("A number from 0.01 to 16, such as 0.5 or 1."))
    if form.errors:
        for name, rules in form.errors.items():
            messages.error(request, f"{form.fields[name].label}: " + " ".join(map(str, rules)))
        return f"{request.path}?{_wish(request.POST).urlencode()}#plan"
    storage.leave(survey, request.user, form.cleaned_data["total"], form.cleaned_data["n"])
    messages.success(request, _("Saved: forms and alphas are planned, and follow your questions."))
    return ""


def _leave(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    """Leave forms and alphas to the planner, and return to the page of the button. Several pages have this bar."""
    try:
        total = parse_alpha(request.POST.get("total", ""))
    except ValueError:
        raise Http404 from None
    storage.leave(survey, request.user, total)
    messages.success(request, _("Saved: forms and alphas are planned, and follow your questions."))
    back = request.POST.get("back", "")
    safe = url_has_allowed_host_and_scheme(back, None) and back.startswith("/")
    return back if safe else request.path


def _total(questions: list[StudioQuestion]) -> str:
    return str(total_context(questions).get("total", BEGINNING))


def _keep_change(kept: QueryDict, change: Change) -> None:
    """Keep the changed wish typed, and the proposal visible."""
    kept["plan"] = "1"
    if change.name == "people":
        kept.pop("n", None)
    if change.name == "alpha":
        kept["total"], kept["other"] = OTHER, decimal(change.brief.total)
    if change.name == "uncross":
        kept["crossed"] = "none"


def _ask_for(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    """Ask a scale for its shares or its mean."""
    form, what = request.POST, request.POST.get("scale", "")
    if what not in storage.SAID:
        raise Http404
    sentence = storage.ask_for(survey, request.user, form.get("key", ""), form.get("mark", ""), cast(Wanted, what))
    messages.success(request, sentence)
    return "" if {"question", "plan"} & request.GET.keys() else request.path + "#forms"


# One form -------------------------------------------------------------------------------------------------------------


def _move(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    form = request.POST
    what, colon, to = form.get("to", "").partition(":")
    at = integer(form.get("at", ""), 9)
    if not what:
        raise Changed
    move = Move(what, to, str(at - 1) if at else "") if colon else Move("move", what, str(at - 1) if at else "")
    sentence = storage.move(survey, request.user, form.get("mark", ""), form.get("key", ""), move)
    messages.success(request, sentence)
    return request.path + "#forms"


def _arrange(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    form = ArrangementInput(request.POST)
    if not form.is_valid():
        rules = " ".join(str(rule) for rules in form.errors.values() for rule in rules)
        messages.error(request, _("Nothing was saved.") + " " + rules)
        return request.path + "#forms"
    given = form.cleaned_data
    arranged = Arranged(given["weight"], given["alpha"])
    storage.arrange(survey, request.user, request.POST.get("mark", ""), given["form"], arranged)
    messages.success(request, _("Saved: form %(n)d.") % {"n": given["form"]})
    return request.path + "#forms"


def _together(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    return _draws(request, survey, together=True)


def _separately(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion | None
) -> str:
    return _draws(request, survey, together=False)


def _draws(request: HttpRequest, survey: Survey, together: bool) -> str:
    """Draw a form's chosen questions together, or separately."""
    form = request.POST
    place, keys = integer(form.get("form", ""), 9), form.getlist("key")
    if place is None or not keys:
        messages.error(request, _("Nothing was changed: choose questions first."))
        return request.path + "#forms"
    sentence = storage.draw(survey, request.user, form.get("mark", ""), place, keys, together)
    messages.success(request, sentence)
    return request.path + "#forms"


_ACTIONS = {
    "save": _save,
    "expect": _expect,
    "plan": _plan,
    "apply": _apply,
    "basis": _basis,
    "leave": _leave,
    "move": _move,
    "arrange": _arrange,
    "together": _together,
    "separately": _separately,
    "ask_for": _ask_for,
}
