"""The frame of a survey's pages in the studio: its title, its state, and a tab for each stage of its life."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.access import doer, role_of
from surveys.drafts import history
from surveys.models import ImportNotes, Role, Survey
from surveys.rules.context import Context
from surveys.web.tabs import tabs_of

# The pages that edit a draft and offer undo.
EDITING = {"survey-questions", "survey-alpha", "survey-texts"}
STATES = {
    "draft": _("Draft"),
    "early": _("Begins later"),
    "open": _("Open"),
    "closed": _("Ended"),
}


def state_of(survey: Survey) -> Promise:
    return STATES["early" if survey.begins_later else survey.state]


def page(request: HttpRequest, survey: Survey, template: str, context: Context) -> HttpResponse:
    """Return a survey's page with the role's tabs. Its template extends designer/survey.html."""
    role = role_of(request.user, survey)
    current = request.resolver_match.url_name if request.resolver_match else ""
    shown: Context = {"survey": survey, "state": state_of(survey), "role": role, "current": current} | context
    shown |= tabs_of(survey, role, shown["current"])
    if survey.is_draft and role and role.covers(Role.DESIGNER):
        shown |= _beside(survey, doer(request), shown["current"])
    return render(request, template, shown)


def _beside(survey: Survey, user: User, current: str) -> Context:
    """Return the parts above the editing pages: the undo, and the list of an import."""
    if current not in {*EDITING, "survey-open"}:
        return {}
    return {
        "undoable": history.last(survey, user) if current in EDITING else None,
        "has_notes": ImportNotes.objects.filter(survey=survey).exists(),
    }
