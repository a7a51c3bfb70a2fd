"""How a new survey begins: blank, with a template, with a file, or as a copy of an older one."""

from pathlib import PurePath
from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access import surveys_of
from surveys.designer.files import ours
from surveys.designer.files.starting import template, templates
from surveys.designer.studio import export, import_remarks
from surveys.designer.xlsform import conversion, sandbox
from surveys.drafts import proposals
from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Role, Survey
from surveys.models.survey import SurveyQuerySet
from surveys.rules.context import Context
from surveys.rules.draft import Draft
from surveys.rules.texts import integer
from surveys.survey.definition import DraftRefused

FILE_MAX = 2 << 20  # bytes; a draft of 200 questions takes a tenth
IMPORTED = AuditEntry.Action.IMPORTED


class CreationRefused(Exception):
    """No survey was created; `reasons` say why, and `field` names the field beside them."""

    def __init__(self, field: str, *reasons: str) -> None:
        super().__init__(*reasons)
        self.field, self.reasons = field, reasons


class CreatedSurvey(NamedTuple):
    """A new survey, and the address where its designer goes on."""

    survey: Survey
    address: str


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def page(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    context: Context = {"templates": templates(), "older": older(request.user), "file_max": FILE_MAX}
    if request.method != "POST":
        return render(request, "designer/new.html", context)
    try:
        begin = WAYS.get(request.POST.get("begin", ""), _blank)
        return redirect(begin(request, request.user).address)
    except CreationRefused as refused:
        return render(request, "designer/new.html", context | {"refused": refused}, status=422)


def older(user: User) -> SurveyQuerySet:
    """The surveys that a user may copy: the user may see their drafts."""
    return surveys_of(user, Role.DESIGNER).order_by("-pk")


def _new_survey(survey: Survey) -> CreatedSurvey:
    return CreatedSurvey(survey, reverse("survey-questions", args=[survey.pk]))


def blank(user: User) -> Survey:
    return begin_draft(user, {"title": "", "introduction": "", "questions": []})


def from_template(user: User, slug: str) -> Survey | None:
    """A new draft with this template; None where there is none of the name."""
    chosen = template(slug)
    return begin_draft(user, chosen.draft, detail=f"from the template {chosen.slug}") if chosen else None


def from_json(user: User, draft: Draft) -> Survey:
    """Begin with a draft from JSON; without forms and alphas it gets proposed ones."""
    proposals.propose(draft)
    return begin_draft(user, draft, IMPORTED, "JSON")


def from_xlsform(user: User, data: bytes, name: str) -> Survey:
    """Begin with the usable part of an XLSForm; its remarks stay with the draft. sandbox.Unreadable says why there is
    none."""
    read = conversion.draft_of(sandbox.read(data), name)
    survey = begin_draft(user, read.draft, IMPORTED, "XLSForm")
    import_remarks.store(survey, read)
    return survey


# The ways -------------------------------------------------------------------------------------------------------------


def _blank(request: HttpRequest, user: User) -> CreatedSurvey:
    return _new_survey(blank(user))


def _from_template(request: HttpRequest, user: User) -> CreatedSurvey:
    survey = from_template(user, request.POST.get("template", ""))
    if survey is None:
        raise CreationRefused("template", _("Choose one of the templates."))
    return _new_survey(survey)


def _from_survey(request: HttpRequest, user: User) -> CreatedSurvey:
    chosen = older(user).filter(pk=integer(request.POST.get("survey", "")) or 0).first()
    if chosen is None:
        raise CreationRefused("survey", _("Choose one of your surveys."))
    return _new_survey(export.copied(chosen, user))


def _from_file(request: HttpRequest, user: User) -> CreatedSurvey:
    file = request.FILES.get("file")
    if file is None or not file.size:
        raise CreationRefused("file", _("Choose a file that is not empty."))
    if file.size > FILE_MAX:
        raise CreationRefused("file", _("The file is larger than %(size)s.") % {"size": filesizeformat(FILE_MAX)})
    data = file.read()
    if data.startswith((b"PK", sandbox.OLD)):
        return _of_xlsform(user, data, PurePath(file.name or "").stem)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        raise CreationRefused("file", _("This is neither a draft as JSON nor an XLSForm as .xlsx."))
    try:
        draft = ours.read(data)
    except DraftRefused as refused:
        raise CreationRefused("file", *map(str, refused.refusals)) from None
    return _new_survey(from_json(user, draft))


def _of_xlsform(user: User, data: bytes, name: str) -> CreatedSurvey:
    try:
        survey = from_xlsform(user, data, name)
    except sandbox.Unreadable as refused:
        raise CreationRefused("file", str(refused)) from None
    return CreatedSurvey(survey, reverse("survey-imported", args=[survey.pk]))


WAYS = {"blank": _blank, "template": _from_template, "survey": _from_survey, "file": _from_file}
