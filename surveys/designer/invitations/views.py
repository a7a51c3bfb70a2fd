"""Invitations in the studio: make, print, replace (a lost link) and revoke them.

Nothing here reveals who has answered, and no message depends on it.
"""

import csv
import io
from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ldp.forms.definition import groups
from surveys.access import doer, requires
from surveys.audit import record
from surveys.designer.invitations.inputs import CARDS, InviteInput, LinkInput
from surveys.designer.studio import versions
from surveys.designer.studio.links import respondents, typed_at
from surveys.designer.studio.pages import page
from surveys.models import AuditEntry, Release, Role, Survey
from surveys.researcher.sheets.csv_safety import escape_formula
from surveys.respondent.invitations import book, counts, refusals
from surveys.rules.names import name_of
from surveys.rules.spelling import in_groups
from surveys.survey.definition.languages import languages_of, title_in
from surveys.web import fragments, gate
from surveys.web.tabs import by_invitation


@require_safe
@requires(Role.DESIGNER)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _show(request, survey)


def _show(
    request: HttpRequest, survey: Survey, new: InviteInput | None = None, lost: LinkInput | None = None,
    back: LinkInput | None = None, replaced: str = "",
) -> HttpResponse:  # fmt: skip
    _open(survey)
    if fragments.wants_fragments(request):
        return fragments.fragments(request, "designer/invitations_rates.html", {"survey": survey} | _rates(survey))
    context = {
        "current": "survey-invitations",
        "new": new or InviteInput(_languages(survey), groups(survey.definition)),
        "lost": lost or LinkInput(auto_id="lost-%s"),
        "back": back or LinkInput(auto_id="back-%s"),
        "replaced": replaced,
        "typed_at": typed_at(),
        **_rates(survey),
    }
    response = page(request, survey, "designer/invitations.html", context | versions.beside(survey, doer(request)))
    response.status_code = 422 if new or lost or back else 200
    return response


def _rates(survey: Survey) -> dict[str, object]:
    """Return response numbers by releases and by counts. The page shows nothing newer."""
    releases, rates = list(Release.objects.readable(survey).order_by("-number")), counts.groups(survey.digest)
    invited, newest = sum(group.invited for group in rates), releases[0] if releases else None
    return {
        "invited": invited,
        "release": newest,
        "rate": counts.percent(newest.n if newest else 0, invited),
        "releases": [{"release": each, "rate": counts.percent(each.n, invited)} for each in releases],
        "groups": rates if any(group.name for group in rates) else [],
    }


@require_POST
@requires(Role.DESIGNER)
@gate.document
def invite(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Make links and show them. No later page shows them."""
    _open(survey)
    form = InviteInput(_languages(survey), groups(survey.definition), request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, survey, new=form)
    people, language = form.cleaned_data["people"], form.cleaned_data["language"]
    try:
        tokens = book.invite_each(survey.digest, form.cleaned_data["groups"], survey.unit_least)
    except (book.TooManyInvitations, book.SmallUnit, book.NoUnit) as error:
        field, rules = refusals.reasons(error, survey.unit_least)
        form.add_error("count" if field == "addresses" else field, rules)
        return _show(request, survey, new=form)
    except book.Ended:
        return redirect("survey", survey.pk)
    record(doer(request), AuditEntry.Action.EDITED, survey, f"made {len(tokens)} invitations")
    links = [respondents(survey, language, token) for token in tokens]
    if form.cleaned_data["format"] == CARDS:
        return _cards(survey, people, links, tokens, language)
    return _csv(survey, people, links, tokens)


@require_POST
@requires(Role.DESIGNER)
def replace(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Replace a lost link."""
    _open(survey)
    form = LinkInput(request.POST, auto_id="lost-%s")
    if form.is_valid():
        try:
            token = book.replace(survey.digest, form.cleaned_data["token"])
            record(doer(request), AuditEntry.Action.EDITED, survey, "replaced an invitation's link")
            return _show(request, survey, replaced=respondents(survey, token=token))
        except book.UnknownInvitation:
            form.add_error("token", _("No invitation to this survey has this link."))
        except book.Ended:
            return redirect("survey", survey.pk)
    return _show(request, survey, lost=form)


@require_POST
@requires(Role.DESIGNER)
def take_back(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    _open(survey)
    form = LinkInput(request.POST, auto_id="back-%s")
    if form.is_valid():
        if book.take_back(survey.digest, form.cleaned_data["token"]):
            record(doer(request), AuditEntry.Action.EDITED, survey, "took an invitation back")
            messages.success(request, _("The invitation is taken back. If it was used before, that report stays."))
            return redirect("survey-invitations", survey.pk)
        form.add_error("token", _("No invitation to this survey has this link, or it was taken back before."))
    return _show(request, survey, back=form)


def _open(survey: Survey) -> None:
    """Raise Http404 unless people can be invited to the survey."""
    if not by_invitation(survey) or survey.state != Survey.State.OPEN:
        raise Http404


def _languages(survey: Survey) -> list[tuple[str, str]]:
    return [(tag, name_of(tag)) for tag in languages_of(survey.definition)]


def _typed(survey: Survey, token: str) -> str:
    """Return the code that a person without the link types; "" if the survey has no code."""
    return f"{survey.code_in_groups} {in_groups(token)}" if survey.code else ""


def _csv(survey: Survey, people: Sequence[str], links: Sequence[str], tokens: Sequence[str]) -> HttpResponse:
    """Return the file of links as CSV. Its first three bytes mark it as UTF-8 for spreadsheets."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["person", "link", "typed"])
    rows = zip(people, links, tokens, strict=True)
    writer.writerows((escape_formula(person), each, _typed(survey, token)) for person, each, token in rows)
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="invitations-{survey.pk}.csv"'
    return _uncached(response)


def _cards(
    survey: Survey, people: Sequence[str], links: Sequence[str], tokens: Sequence[str], language: str
) -> HttpResponse:
    from surveys.designer.invitations import cards  # loads fpdf, which takes a second

    rows = zip(people, links, tokens, strict=True)
    made = [cards.InvitationCard(person, each, _typed(survey, token)) for person, each, token in rows]
    tag = language or languages_of(survey.definition)[0]
    drawn = cards.pdf(title_in(survey.definition, tag), tag, made)
    response = HttpResponse(drawn, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="invitations-{survey.pk}.pdf"'
    return _uncached(response)


def _uncached(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
