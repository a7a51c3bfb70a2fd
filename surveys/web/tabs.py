"""The tabs of a survey: the pages of a draft, or of an open or ended survey. Users with a role see them on the results,
too."""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.access import role_of
from surveys.models import Role, Survey
from surveys.rules.context import Context
from surveys.survey.definition import invitations

DRAFT, OPEN, ENDED = Survey.State.DRAFT, Survey.State.OPEN, Survey.State.CLOSED


def by_invitation(survey: Survey) -> bool:
    """Return whether only invited people can answer the open or ended survey."""
    return not survey.is_draft and invitations.FIELD in survey.definition


def by_open_link(survey: Survey) -> bool:
    return not by_invitation(survey)


class Tab(NamedTuple):
    """A page of a survey: its URL's name, its label, the role that it needs, and the surveys that have it. `also` has
    the URL names of the tab's other pages. A tab with `more` is in the menu."""

    name: str
    label: Promise
    needed: Role
    states: tuple[str, ...] = (DRAFT, OPEN, ENDED)
    kinds: Callable[[Survey], bool] = lambda survey: True
    also: tuple[str, ...] = ()
    more: bool = False

    def is_of(self, survey: Survey) -> bool:
        return survey.state in self.states and self.kinds(survey)

    def address(self, survey: Survey) -> str:
        return reverse(self.name, args=[survey.slug if self.name == RESULTS else survey.pk])


RESULTS = "results"
OPENED = (OPEN, ENDED)
TABS = (
    Tab("survey-questions", _("Questions"), Role.DESIGNER, (DRAFT,), also=("survey-imported",)),
    Tab("survey-alpha", _("People and protection"), Role.DESIGNER, (DRAFT,)),
    Tab("survey-texts", _("Texts and languages"), Role.DESIGNER, (DRAFT,)),
    Tab("survey-try", pgettext_lazy("tab", "Try it"), Role.DESIGNER, (DRAFT,)),
    Tab("survey-open", pgettext_lazy("tab", "Open"), Role.DESIGNER, (DRAFT,)),
    Tab("survey", _("Overview"), Role.VIEWER, OPENED, also=("survey-close", "survey-delete")),
    Tab("survey-share", pgettext_lazy("tab", "Share"), Role.DESIGNER, (OPEN,), by_open_link),
    Tab(
        "survey-invitations",
        pgettext_lazy("tab", "Share"),
        Role.DESIGNER,
        (OPEN,),
        by_invitation,
        ("survey-invitations-mail",),
    ),
    Tab("survey-progress", _("Progress"), Role.VIEWER, OPENED),
    Tab(RESULTS, _("Results"), Role.VIEWER, OPENED),
    Tab("survey-asked", _("What was asked"), Role.VIEWER, OPENED, also=("survey-alpha", "survey-try")),
    Tab("survey-files", _("Files"), Role.DESIGNER, more=True),
    Tab("team", _("Team"), Role.OWNER, more=True),
    Tab("survey-alerts", _("Alerts"), Role.VIEWER, more=True),
    Tab("survey-evidence", _("Evidence"), Role.DESIGNER, more=True),
    Tab("audit", _("Log"), Role.OWNER, more=True),
    Tab("survey-history", _("History"), Role.DESIGNER, (DRAFT,), also=("survey-snapshot",), more=True),
    Tab("survey-delete", _("Archive or delete"), Role.OWNER, (DRAFT,), more=True),
)


class TabLink(NamedTuple):
    label: Promise
    address: str
    is_current: bool


def tabs_of(survey: Survey, role: Role | None, current: str) -> Context:
    """Return the context of designer/tabs.html: the tabs that `role` may see, on the page with this URL name."""
    listed = [tab for tab in TABS if role and role.covers(tab.needed) and tab.is_of(survey)]
    shown = {tab: TabLink(tab.label, tab.address(survey), current in (tab.name, *tab.also)) for tab in listed}
    return {
        "first_tabs": [each for tab, each in shown.items() if not tab.more],
        "more_tabs": [each for tab, each in shown.items() if tab.more],
    }


class ResultsReader(NamedTuple):
    """Everything that a cached results page depends on: whether the reader is signed in, the reader's role, and the
    survey's state."""

    signed_in: bool
    role: Role | None
    state: str

    def context(self, survey: Survey) -> Context:
        return {"user": {"is_authenticated": self.signed_in}} | tabs_of(survey, self.role, RESULTS)


def reader_of(request: HttpRequest, survey: Survey) -> ResultsReader:
    return ResultsReader(request.user.is_authenticated, role_of(request.user, survey), survey.state)


def of_results(request: HttpRequest) -> Context:
    """Return the tabs of a page below /r/<slug>/ for a signed-in user with a role. This is a context processor."""
    match = request.resolver_match
    if match is None or not match.route.startswith("r/<slug:slug>/") or not request.user.is_authenticated:
        return {}
    survey = Survey.objects.filter(slug=match.kwargs["slug"]).first()
    role = role_of(request.user, survey) if survey else None
    return tabs_of(survey, role, RESULTS) if survey and role else {}
