"""My surveys: drafts, open, ended, archived; and where a new one begins."""

from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys.access import surveys_of
from surveys.models import Survey

SHELVES = (
    ("draft", _("Drafts")),
    ("open", _("Open")),
    ("closed", _("Ended")),
    ("archived", _("Archived")),
)


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """The surveys of whoever is signed in, newest first, on the shelf of their state."""
    mine = surveys_of(request.user).annotate(released=Max("release__n", filter=Q(release__document__isnull=False)))
    shelves = {
        name: list(surveys) for name, surveys in groupby(sorted(mine.order_by("-pk"), key=shelf_of), key=shelf_of)
    }
    shown = [(label, shelves[name]) for name, label in SHELVES if name in shelves]
    return render(request, "design/listing.html", {"shelves": shown})


def shelf_of(survey: Survey) -> str:
    return "archived" if survey.archived_at else survey.state
