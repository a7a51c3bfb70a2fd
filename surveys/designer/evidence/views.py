"""The page "Evidence" of a survey: its documents, and a form for facts that the site cannot know."""

from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.access import doer, requires
from surveys.audit import record
from surveys.designer.evidence import catalog, facts
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.inputs import DisclosureInput
from surveys.designer.evidence.paper import style_source
from surveys.designer.studio import pages, sentences
from surveys.models import AuditEntry, Disclosure, Role, Survey
from surveys.rules.languages import site_language
from surveys.rules.names import name_of, plain_name
from surveys.survey.definition import DraftRefused
from surveys.web import gate, policies


class DocumentLine(NamedTuple):
    """A document with its files: the name of each, its language or again its name, and its form if there are two."""

    title: str | Promise
    purpose: str | Promise
    files: list[tuple[str, str, str]]


@require_safe
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _show(request, survey, DisclosureInput(Disclosure.of(survey)))


@require_POST
@requires(Role.DESIGNER)
def disclose(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    form = DisclosureInput(Disclosure.of(survey), request.POST)
    if not form.is_valid():
        response = _show(request, survey, form)
        response.status_code = 422
        return response
    save(survey, doer(request), form)
    messages.success(request, _("Saved. The documents have it now."))
    return redirect("survey-evidence", survey.pk)


def save(survey: Survey, user: User, form: DisclosureInput) -> None:
    """Store a valid form."""
    with transaction.atomic():
        Disclosure.objects.update_or_create(survey=survey, defaults=form.cleaned_data)
        record(user, AuditEntry.Action.EDITED, survey, "what is disclosed")


@require_safe
@requires(Role.DESIGNER)
@gate.document
def file(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """Return one document. The browser shows papers, so that a user can print them."""
    try:
        document = catalog.file(facts.of_survey(survey), name)
    except DraftRefused:
        document = None
    if document is None:
        raise Http404
    response = HttpResponse(document.content, content_type=document.media_type)
    response["Cache-Control"] = "no-store"
    if document.media_type == catalog.HTML:
        response["Content-Security-Policy"] = policies.printed(style_source())
    else:
        response["Content-Disposition"] = f'attachment; filename="{document.name}"'
    return response


def _show(request: HttpRequest, survey: Survey, form: DisclosureInput) -> HttpResponse:
    left = [field.label for field in form if not form[field.name].value()]
    context: dict[str, object] = {"form": form, "left": left}
    try:
        own = facts.of_survey(survey)
        papers = [*catalog.names(own), *catalog.signable(own)]
        context |= {"papers": _papers(own, papers), "offers": _programs(own), "release": own.release}
        context["undrawn"] = [name_of(tag) for tag in own.languages if f"statement.{tag}.pdf" not in papers]
    except DraftRefused as refused:
        context["missing"] = [f"{sentences.place(each)}: {sentences.remark(each)}" for each in refused.refusals]
    return pages.page(request, survey, "designer/evidence/page.html", context)


def _papers(own: Facts, there: list[str]) -> list[DocumentLine]:
    return [
        DocumentLine(
            offer.title,
            offer.purpose,
            [
                (name, _language(tag), words)
                for tag in catalog.languages(offer, own)
                for form, words in (("html", ""), ("pdf", "PDF"))
                if (name := f"{offer.name}.{tag}.{form}") in there
            ],
        )
        for offer in catalog.PAPERS
    ]


def _language(tag: str) -> str:
    name = plain_name(tag)
    if site_language(tag) == tag.split("-")[0]:
        return name
    return _("%(language)s, partly English") % {"language": name}


def _programs(own: Facts) -> list[DocumentLine]:
    there = catalog.names(own)
    return [
        DocumentLine(offer.name, offer.purpose, [(offer.name, offer.name, "")] * (offer.name in there))
        for offer in catalog.OFFERS
    ]
