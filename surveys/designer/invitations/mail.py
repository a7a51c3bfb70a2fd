"""Letters in the studio: invite people by email, remind them, and delete email addresses.

All numbers count letters and email addresses. They do not depend on who has answered
(surveys/respondent/invitations/letters.py).
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from ldp.forms.definition import groups
from surveys.access import doer, requires
from surveys.audit import record
from surveys.designer.invitations.mail_inputs import KEEP, LettersInput, ReminderInput, StopInput
from surveys.designer.studio.pages import page
from surveys.figures import numerals
from surveys.figures.strengths import may_ask_for_trust
from surveys.models import AuditEntry, Role, Survey
from surveys.respondent.invitations import addresses, book, letters, refusals, texts
from surveys.rules.names import name_of
from surveys.survey.definition.languages import languages_of, title_in
from surveys.web.tabs import by_invitation

SOME = 1000  # emails; from this number on the page shows how long they take


@require_safe
@requires(Role.DESIGNER)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _show(request, survey)


@require_POST
@requires(Role.DESIGNER)
def invite(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Send an invitation letter to each email address."""
    _open(survey, sends=True)
    form = LettersInput(groups(survey.definition), request.POST, request.FILES, auto_id="new-%s")
    if not form.is_valid():
        return _show(request, survey, new=form)
    words = form.words(_language(request, survey), form.cleaned_data["keeps"] == KEEP)
    try:
        texts.check(words)
        people = form.people()
        letters.invite_each(survey.digest, people, words, survey.unit_least)
    except refusals.REFUSED as error:
        form.add_error(*refusals.reasons(error, survey.unit_least))
        return _show(request, survey, new=form)
    record(doer(request), AuditEntry.Action.EDITED, survey, f"invited {len(people)} people by mail")
    sentence = ngettext("%(n)d email waits to be sent.", "%(n)d emails wait to be sent.", len(people))
    messages.success(request, sentence % {"n": len(people)})
    return _back(survey)


@require_POST
@requires(Role.DESIGNER)
def remind(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Send another letter to everyone whose invitation was unused at the last count."""
    _open(survey, sends=True)
    form = ReminderInput(request.POST, auto_id="reminder-%s")
    if not form.is_valid():
        return _show(request, survey, reminder=form)
    words = form.words(_language(request, survey), keeps=True)
    try:
        texts.check(words)
        count = letters.remind(survey.digest, words)
    except refusals.REFUSED as error:
        field, rules = refusals.reasons(error, survey.unit_least)
        form.add_error("text" if field == "addresses" else field, rules)
        return _show(request, survey, reminder=form)
    record(doer(request), AuditEntry.Action.EDITED, survey, f"reminded at most {count} people by mail")
    sentence = ngettext("At most %(n)d reminder is sent.", "At most %(n)d reminders are sent.", count)
    messages.success(request, sentence % {"n": count})
    return _back(survey)


@require_POST
@requires(Role.DESIGNER)
def stop(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Forget some email addresses."""
    _open(survey)
    form = StopInput(request.POST, auto_id="stop-%s")
    if not form.is_valid():
        return _show(request, survey, stopped=form)
    try:
        count = letters.stop(survey.digest, addresses.read(form.cleaned_data["addresses"]))
    except refusals.REFUSED as error:
        form.add_error(*refusals.reasons(error, survey.unit_least))
        return _show(request, survey, stopped=form)
    record(doer(request), AuditEntry.Action.EDITED, survey, f"forgot {count} addresses")
    sentence = ngettext("%(n)d email address is forgotten.", "%(n)d email addresses are forgotten.", count)
    messages.success(request, sentence % {"n": count})
    return _back(survey)


@require_POST
@requires(Role.DESIGNER)
def withdraw(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Revoke the invitations whose letters could not be delivered."""
    _open(survey)
    count = letters.withdraw(survey.digest)
    record(doer(request), AuditEntry.Action.EDITED, survey, f"took {count} undeliverable invitations back")
    sentence = ngettext("%(n)d invitation is taken back.", "%(n)d invitations are taken back.", count)
    messages.success(request, sentence % {"n": count})
    return _back(survey)


@require_POST
@requires(Role.DESIGNER)
def forget(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Forget all email addresses."""
    _open(survey)
    letters.forget(survey.digest)
    record(doer(request), AuditEntry.Action.EDITED, survey, "forgot all addresses")
    messages.success(request, _("All email addresses are forgotten."))
    return _back(survey)


# ----------------------------------------------------------------------------------------------------------------------


def _show(
    request: HttpRequest, survey: Survey, new: LettersInput | None = None, reminder: ReminderInput | None = None,
    stopped: StopInput | None = None,
) -> HttpResponse:  # fmt: skip
    _open(survey)
    language, post = _language(request, survey), letters.post(survey.digest)
    context: dict[str, object] = {
        "current": "survey-invitations",
        "sends": bool(settings.EMAIL_HOST),
        "sender": settings.DEFAULT_FROM_EMAIL,
        "pace": numerals.count(settings.MAIL_PER_MINUTE),
        "some": (numerals.count(SOME), _least(SOME)),
        "most": (numerals.count(book.MOST), _least(book.MOST)),
        "least": _least(post.waiting) if post.waiting >= settings.MAIL_PER_MINUTE else "",
        "letter_language": language,
        "languages": [(tag, name_of(tag)) for tag in languages_of(survey.definition)],
        "new": new
        or LettersInput(
            groups(survey.definition), initial=_initial(texts.invitation, survey, language), auto_id="new-%s"
        ),
        "reminder": reminder
        or ReminderInput(initial=_initial(texts.reminder, survey, language), auto_id="reminder-%s"),
        "stopped": stopped or StopInput(auto_id="stop-%s"),
        "forms": [form for form in (new, reminder, stopped) if form],
        "post": post,
        "unanswered": letters.unanswered(survey.digest),
        "late": letters.failures() >= letters.FAILING,
        "promises": [texts.promise(language, keeps) for keeps in (False, True)],
    }
    response = page(request, survey, "designer/mail.html", context)
    response.status_code = 422 if context["forms"] else 200
    return response


def _least(emails: int) -> str:
    """Return the shortest time that sending this many emails takes, in words."""
    now = timezone.now()
    return timesince(now - timedelta(minutes=emails // settings.MAIL_PER_MINUTE), now)


def _initial(make: Any, survey: Survey, language: str) -> dict[str, str]:
    title, cautions = title_in(survey.definition, language), not may_ask_for_trust(survey.definition)
    words = make(title, language, survey.closes_at, cautions)
    return {"subject": words.subject, "text": words.text}


def _language(request: HttpRequest, survey: Survey) -> str:
    """Return the letters' language: the chosen one, or the survey's first."""
    tags, wished = languages_of(survey.definition), request.POST.get("language") or request.GET.get("language")
    return wished if wished in tags else tags[0]


def _open(survey: Survey, sends: bool = False) -> None:
    """Raise Http404 if people cannot be invited, or, with `sends`, if the site sends no emails."""
    if not by_invitation(survey) or survey.state != Survey.State.OPEN or (sends and not settings.EMAIL_HOST):
        raise Http404


def _back(survey: Survey) -> HttpResponseBase:
    return redirect("survey-invitations-mail", survey.pk)
