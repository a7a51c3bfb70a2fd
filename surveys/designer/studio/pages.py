"""The frame of a survey's pages in the studio: its title, its state, and a tab for each part of its life."""

from collections.abc import Callable
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.access import doer, role_of
from surveys.drafts import history
from surveys.models import ImportNotes, Role, Survey
from surveys.rules.context import Context
from surveys.survey.definition import invitations

DRAFT, OPEN, CLOSED = Survey.State.DRAFT, Survey.State.OPEN, Survey.State.CLOSED


def by_invitation(survey: Survey) -> bool:
    """Whether only who was invited can answer an opened survey."""
    return not survey.is_draft and invitations.FIELD in survey.definition


def by_open_link(survey: Survey) -> bool:
    return not by_invitation(survey)


class Tab(NamedTuple):
    """A page of a survey: the name of its URL, its label, who may see it, and the states, and surveys, in which it has
    content. `public`: everyone may see it. `first`: the states in which it is before the others, which a narrow screen
    folds."""

    name: str
    label: Promise
    needed: Role
    states: tuple[str, ...] = (DRAFT, OPEN, CLOSED)
    kinds: Callable[[Survey], bool] = lambda survey: True
    public: bool = False
    first: tuple[str, ...] = ()

    def is_of(self, survey: Survey) -> bool:
        return survey.state in self.states and self.kinds(survey)

    def address(self, survey: Survey) -> str:
        return reverse(self.name, args=[survey.slug if self.public else survey.pk])


TABS = (
    Tab("survey", _("Overview"), Role.VIEWER, first=(DRAFT, OPEN, CLOSED)),
    Tab("survey-questions", _("Questions"), Role.DESIGNER, first=(DRAFT,)),
    Tab("survey-languages", _("Languages"), Role.DESIGNER),
    Tab("survey-alpha", _("Privacy"), Role.DESIGNER, first=(DRAFT,)),
    Tab("survey-open", pgettext_lazy("tab", "Open"), Role.DESIGNER, (DRAFT,), first=(DRAFT,)),
    Tab("survey-share", pgettext_lazy("tab", "Share"), Role.DESIGNER, (OPEN,), by_open_link, first=(OPEN,)),
    Tab("survey-invitations", _("Invitations"), Role.DESIGNER, (OPEN,), by_invitation, first=(OPEN,)),
    Tab("survey-progress", _("Progress"), Role.VIEWER, (OPEN, CLOSED), first=(OPEN, CLOSED)),
    Tab("results", _("Results"), Role.VIEWER, (OPEN, CLOSED), public=True, first=(OPEN, CLOSED)),
    Tab("survey-evidence", _("Evidence"), Role.DESIGNER),
    Tab("survey-files", _("Files"), Role.DESIGNER),
    Tab("survey-settings", _("Settings"), Role.DESIGNER),
    Tab("survey-alerts", _("Alerts"), Role.VIEWER),
    Tab("team", _("People"), Role.OWNER),
    Tab("audit", _("Log"), Role.OWNER),
)
EDITING = {"survey", "survey-questions", "survey-languages", "survey-alpha", "survey-imported", "survey-open"}
# Where something is typed that can be undone.
UNDOING = {"survey-questions", "survey-languages", "survey-alpha"}
STATES = {
    "draft": _("Draft"),
    "early": _("Begins later"),
    "open": _("Open"),
    "closed": _("Ended"),
}


def state_of(survey: Survey) -> Promise:
    return STATES["early" if survey.begins_later else survey.state]


def page(request: HttpRequest, survey: Survey, template: str, context: Context) -> HttpResponse:
    """A page of a survey, with the tabs that the visitor's role may see. Its template extends design/survey.html."""
    role = role_of(request.user, survey)
    tabs = [(tab, tab.address(survey)) for tab in TABS if role and role.covers(tab.needed) and tab.is_of(survey)]
    shown: Context = {
        "survey": survey,
        "state": state_of(survey),
        "role": role,
        "first_tabs": [pair for pair in tabs if survey.state in pair[0].first],
        "more_tabs": [pair for pair in tabs if survey.state not in pair[0].first],
        "current": request.resolver_match.url_name if request.resolver_match else "",
    }
    if survey.is_draft and role and role.covers(Role.DESIGNER):
        shown |= _beside(survey, doer(request), (shown | context)["current"])
    return render(request, template, shown | context)


def _beside(survey: Survey, user: User, current: str) -> Context:
    """The parts above the pages for editing a draft: the designer's undo, and the list of an import."""
    if current not in EDITING:
        return {}
    return {
        "undoable": history.last(survey, user) if current in UNDOING else None,
        "has_notes": current != "survey-imported" and ImportNotes.objects.filter(survey=survey).exists(),
    }
