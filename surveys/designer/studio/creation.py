"""New surveys: blank, from a template, from a file, or as a copy."""

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
from surveys.designer.files.starting import MARGIN, template, templates_for
from surveys.designer.studio import export, import_remarks
from surveys.designer.studio.answering import OPEN_LINK
from surveys.designer.studio.basis import USUAL, Basis, BasisInput, about, answers, totals
from surveys.designer.studio.groups import GroupsInput, NewGroupsInput, declare
from surveys.designer.studio.meaning import TYPICAL_PRIOR
from surveys.designer.xlsform import conversion, sandbox
from surveys.drafts import proposals, protection
from surveys.drafts.proposals import BEGINNING, PEOPLE
from surveys.figures import numerals
from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Role, Survey
from surveys.models.survey import SurveyQuerySet
from surveys.rules.context import Context
from surveys.rules.draft import Draft
from surveys.rules.texts import integer
from surveys.survey.definition import DraftRefused
from surveys.survey.definition.invitations import FIELD as INVITATIONS
from surveys.web.fragments import fragments, wants_fragments

FILE_MAX = 2 << 20  # bytes; a draft of 200 questions takes a tenth
IMPORTED = AuditEntry.Action.IMPORTED


class CreationRefused(Exception):
    """No survey was created. `reasons` tell why; the page shows them beside `field`."""

    def __init__(self, field: str, *reasons: str) -> None:
        super().__init__(*reasons)
        self.field, self.reasons = field, reasons


class CreatedSurvey(NamedTuple):
    """A new survey, and the URL where its designer continues."""

    survey: Survey
    address: str


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show the three questions and the ways to begin. A POST begins a survey, or shows matching templates."""
    assert isinstance(request.user, User)
    form, groups = BasisInput(request.POST), NewGroupsInput(request.POST)
    way = WAYS.get("template" if "template" in request.POST else request.POST.get("begin", ""))
    if not form.is_valid():
        return _show(request, form, groups, status=422)
    if way is None:
        return _show(request, form, groups)
    basis = answers(form)
    if groups.is_valid() and groups.cleaned_data["groups"] and not basis.invited:
        groups.add_error("groups", _("Only the results of invited people can be shown by group."))
    if not groups.is_valid():
        return _show(request, form, groups, status=422)
    try:
        survey, address = way(request, request.user, basis)
    except CreationRefused as refused:
        return _show(request, form, groups, {"refused": refused}, 422)
    if groups.cleaned_data["groups"]:
        declare(survey, request.user, groups.cleaned_data["groups"])
    return redirect(address)


def _show(
    request: HttpRequest, form: BasisInput, groups: GroupsInput, more: Context | None = None, status: int = 200
) -> HttpResponse:
    basis = answers(form) if form.is_valid() else Basis()
    people = basis.people or PEOPLE
    offered = templates_for(people, basis.total, basis.invited)
    context: Context = (more or {}) | {
        "form": form,
        "groups": groups,
        "who": form["who"].value() or OPEN_LINK,
        "steps": totals(str(form["total"].value() or BEGINNING)),
        "fitting": [each for each in offered if each.fits],
        "larger": [each for each in offered if not each.fits],
        "people": numerals.integer(people),
        "given": basis.people is not None,
        "about": about({INVITATIONS: basis.invited}),
        "prior": TYPICAL_PRIOR,
        "margin": numerals.local(f"{100 * MARGIN:g}"),
    }
    if wants_fragments(request):
        return fragments(request, "designer/new_templates.html", context, status)
    assert isinstance(request.user, User)
    context |= {"older": older(request.user), "file_max": FILE_MAX}
    return render(request, "designer/new.html", context, status=status)


def older(user: User) -> SurveyQuerySet:
    """Return the surveys that a user may copy, because the user may see their drafts."""
    return surveys_of(user, Role.DESIGNER).order_by("-pk")


def _new_survey(survey: Survey) -> CreatedSurvey:
    return CreatedSurvey(survey, reverse("survey-questions", args=[survey.pk]))


def blank(user: User, basis: Basis = USUAL) -> Survey:
    draft = basis.give({"title": "", "introduction": "", "questions": []})
    return begin_draft(user, draft, expected_n=basis.people)


def from_template(user: User, slug: str, basis: Basis = USUAL) -> Survey | None:
    """Begin a draft with this template; return the survey, or None if no template has this name."""
    chosen = template(slug)
    if chosen is None:
        return None
    draft = chosen.draft
    protection.leave(draft, basis.total, [chosen.main])
    detail = f"from the template {chosen.slug}"
    return begin_draft(user, basis.give(draft), detail=detail, expected_n=basis.people)


def from_json(user: User, draft: Draft, basis: Basis = USUAL) -> Survey:
    """Begin a draft from JSON. The planner makes missing forms and alphas."""
    proposals.propose(draft, total=basis.total)
    return begin_draft(user, basis.give(draft), IMPORTED, "JSON", basis.people)


def from_xlsform(user: User, data: bytes, name: str, basis: Basis = USUAL) -> Survey:
    """Begin with the usable part of an XLSForm. The draft keeps the remarks. Raise sandbox.Unreadable with the reason
    if no part is usable."""
    read = conversion.draft_of(sandbox.read(data), name)
    if protection.total(read.draft) is not None:
        protection.leave(read.draft, basis.total)
    survey = begin_draft(user, basis.give(read.draft), IMPORTED, "XLSForm", basis.people)
    import_remarks.store(survey, read)
    return survey


# The ways -------------------------------------------------------------------------------------------------------------


def _blank(request: HttpRequest, user: User, basis: Basis) -> CreatedSurvey:
    return _new_survey(blank(user, basis))


def _from_template(request: HttpRequest, user: User, basis: Basis) -> CreatedSurvey:
    survey = from_template(user, request.POST.get("template", ""), basis)
    if survey is None:
        raise CreationRefused("template", _("Choose one of the templates."))
    return _new_survey(survey)


def _from_survey(request: HttpRequest, user: User, basis: Basis) -> CreatedSurvey:
    chosen = older(user).filter(pk=integer(request.POST.get("survey", "")) or 0).first()
    if chosen is None:
        raise CreationRefused("survey", _("Choose one of your surveys."))
    return _new_survey(export.copied(chosen, user, basis))


def _from_file(request: HttpRequest, user: User, basis: Basis) -> CreatedSurvey:
    file = request.FILES.get("file")
    if file is None or not file.size:
        raise CreationRefused("file", _("Choose a file that is not empty."))
    if file.size > FILE_MAX:
        raise CreationRefused("file", _("The file is larger than %(size)s.") % {"size": filesizeformat(FILE_MAX)})
    data = file.read()
    if data.startswith((b"PK", sandbox.OLD)):
        return _of_xlsform(user, data, PurePath(file.name or "").stem, basis)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        raise CreationRefused("file", _("This is neither a draft as JSON nor an XLSForm as .xlsx."))
    try:
        draft = ours.read(data)
    except DraftRefused as refused:
        raise CreationRefused("file", *map(str, refused.refusals)) from None
    return _new_survey(from_json(user, draft, basis))


def _of_xlsform(user: User, data: bytes, name: str, basis: Basis) -> CreatedSurvey:
    try:
        survey = from_xlsform(user, data, name, basis)
    except sandbox.Unreadable as refused:
        raise CreationRefused("file", str(refused)) from None
    return CreatedSurvey(survey, reverse("survey-imported", args=[survey.pk]))


WAYS = {"blank": _blank, "template": _from_template, "survey": _from_survey, "file": _from_file}
