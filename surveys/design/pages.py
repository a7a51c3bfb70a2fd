"""The frame of a survey's pages in the studio: its title, its state, and a tab for each part of its life."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.access import role_of
from surveys.models import Role, Survey


class Tab(NamedTuple):
    """A page of a survey: the name of its address, what people read, and who may see it."""

    name: str
    label: Promise
    needed: Role


TABS = (
    Tab("survey", _("Overview"), Role.VIEWER),
    Tab("survey-alpha", _("Privacy"), Role.DESIGNER),
)


def page(request: HttpRequest, survey: Survey, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of a survey, with the tabs that the visitor's role may see. Its template extends design/survey.html."""
    role = role_of(request.user, survey)
    shown = {
        "survey": survey,
        "role": role,
        "tabs": [tab for tab in TABS if role and role.covers(tab.needed)],
        "current": request.resolver_match.url_name if request.resolver_match else "",
    }
    return render(request, template, shown | context)
