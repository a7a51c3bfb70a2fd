"""My surveys: drafts, open, ended, archived; their open tasks; and a button for a new one."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.db.models import F, Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys.access import may_run_site, surveys_of
from surveys.designer.studio import status, versions
from surveys.designer.studio.overview import question_count
from surveys.designer.studio.pages import state_of
from surveys.figures import numerals
from surveys.life.versions import Versions, all_linked
from surveys.models import Survey
from surveys.operation import heartbeat, troubles

SHELVES = (
    ("draft", _("Drafts")),
    ("open", _("Open")),
    ("closed", _("Ended")),
    ("archived", _("Archived")),
)
SOON = timedelta(days=2)
FEW = 6  # surveys that need no search


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """List the user's surveys by state. A search selects titles; the order is newest first or by title."""
    released = Max("release__n", filter=Q(release__document__isnull=False))
    mine = surveys_of(request.user).annotate(released=released, too_few=F("tally__fewer_than"))
    every = list(mine.order_by("-pk"))
    words, by_title = request.GET.get("q", "").strip(), request.GET.get("order") == "title"
    surveys = [survey for survey in every if words.casefold() in survey.title.casefold()]
    if by_title:
        surveys.sort(key=lambda survey: survey.title.casefold())
    among = all_linked(surveys, request.user)
    listed = folded(surveys, among)
    shelves = {name: list(own) for name, own in groupby(sorted(listed, key=shelf_of), key=shelf_of)}
    for survey in surveys:
        survey.standing = state_of(survey)  # type: ignore[attr-defined]
        survey.version = versions.version_name(among[survey.pk])  # type: ignore[attr-defined]
        survey.related = versions.related(among[survey.pk])  # type: ignore[attr-defined]
        survey.needs = [*needs(survey, timezone.now()), *filter(None, [versions.need(among[survey.pk])])]  # type: ignore[attr-defined]
        survey.shown = numerals.count(survey.released) if survey.released else ""  # type: ignore[attr-defined]
        survey.asked = question_count(survey.draft)  # type: ignore[attr-defined]
    for survey in listed:
        survey.unfolded = any(older.needs for older in survey.older)  # type: ignore[attr-defined]
    context = {
        "shelves": [(label, shelves[name]) for name, label in SHELVES if name in shelves],
        "worker": _worker(every),
        "troubles": troubles.reported() if may_run_site(request.user) else [],
        "searchable": len(every) > FEW,
        "none": not every,
        "words": words,
        "by_title": by_title,
    }
    return render(request, "designer/listing.html", context)


def folded(surveys: list[Survey], among: dict[int, Versions]) -> list[Survey]:
    """Return the surveys that are listed directly. A newer version has older ones as `older`, newest first. Drafts are
    always listed directly, and an open survey is only below an open one."""
    below: dict[int, list[Survey]] = {survey.pk: [] for survey in surveys}
    shown = {survey.pk for survey in surveys if not survey.is_draft}
    for survey in sorted(surveys, key=lambda survey: -survey.pk):
        newer = [
            each.survey for each in among[survey.pk].others if each.survey.pk in shown and each.survey.pk > survey.pk
        ]
        over = max(newer, key=lambda each: each.pk, default=None)
        if over and survey.pk in shown and _rank(survey) >= _rank(over):
            below[over.pk].append(survey)
    for survey in surveys:
        survey.older = below[survey.pk]  # type: ignore[attr-defined]
    away = {older.pk for group in below.values() for older in group}
    return [survey for survey in surveys if survey.pk not in away]


def _rank(survey: Survey) -> int:
    return [name for name, _label in SHELVES].index(shelf_of(survey))


def _worker(surveys: Iterable[Survey]) -> str | Promise:
    """Return the worker's failure if the worker has work for these surveys."""
    if all(survey.is_draft for survey in surveys):
        return ""
    return status.WORKER.get(heartbeat.status(), "")


def needs(survey: Survey, now: datetime) -> list[str | Promise]:
    """Return the open tasks of a survey."""
    if survey.is_draft:
        return []
    ends = survey.state == Survey.State.OPEN and survey.closes_at is not None and survey.closes_at < now + SOON
    return status.failures(survey) + ([_("Ends within two days.")] if ends else [])


def shelf_of(survey: Survey) -> str:
    return "archived" if survey.archived_at else survey.state
