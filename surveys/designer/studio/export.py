"""Exports of a survey: its draft as JSON or XLSForm, and a copy of it."""

import copy as copies

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.access import requires
from surveys.designer.files import ours
from surveys.designer.studio import pages, sentences
from surveys.designer.studio.basis import USUAL, Basis
from surveys.designer.xlsform import writer
from surveys.life.lifecycle import begin_draft
from surveys.models import Role, Survey
from surveys.researcher.sheets.book import XLSX
from surveys.rules.context import Context
from surveys.survey import definition as definitions
from surveys.survey.definition import TITLE_MAX, DraftRefused
from surveys.survey.definition.document import Definition
from surveys.web import gate


@require_safe
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    context: Context = {"address": request.build_absolute_uri(reverse("draft-schema"))}
    try:
        context["remarks"] = writer.remarks(_definition(survey))
    except DraftRefused as refused:
        context["missing"] = [f"{sentences.place(each)}: {sentences.remark(each)}" for each in refused.refusals]
    return pages.page(request, survey, "designer/files.html", context)


@require_safe
@requires(Role.DESIGNER)
def as_json(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _download(ours.write(survey.draft).encode(), "application/json", survey, "json")


@require_safe
@requires(Role.DESIGNER)
@gate.document
def as_xlsform(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the survey as an XLSForm. An incomplete draft redirects to the page of files, which gives the reason."""
    try:
        return xlsform(survey)
    except DraftRefused:
        return redirect("survey-files", survey.pk)


def xlsform(survey: Survey) -> HttpResponse:
    """Return the file. Raise DraftRefused for an incomplete draft."""
    made = writer.write(_definition(survey), f"survey_{survey.pk}")
    return _download(made, XLSX, survey, "xlsx")


@require_POST
@requires(Role.DESIGNER)
def copy(request: HttpRequest, survey: Survey) -> HttpResponse:
    assert isinstance(request.user, User)
    return redirect("survey-questions", copied(survey, request.user).pk)


def copied(survey: Survey, owner: User, basis: Basis = USUAL) -> Survey:
    """Return a copy of `survey` as a new draft of `owner`."""
    draft = copies.deepcopy(survey.draft)
    if isinstance(draft.get("title"), str):
        again = _("(copy)")
        draft["title"] = f"{draft['title'][: TITLE_MAX - len(again) - 1]} {again}".strip()
    detail, people = f"a copy of survey {survey.pk}", basis.people or survey.expected_n
    return begin_draft(owner, basis.give(draft), detail=detail, expected_n=people)


def _definition(survey: Survey) -> Definition:
    return survey.definition if survey.canonical else definitions.build(survey.draft)


def _download(data: bytes, content_type: str, survey: Survey, ending: str) -> HttpResponse:
    response = HttpResponse(data, content_type=content_type)
    name = slugify(survey.title)[:60] or "survey"
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    response["Cache-Control"] = "no-store"
    return response
