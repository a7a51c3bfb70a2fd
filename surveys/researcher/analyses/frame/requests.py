"""Requests for analyses of a release, their limits, and their runs."""

from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import QuerySet

from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame.counted import Counted, Keyed
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.selection import digest

S = TypeVar("S", bound=Keyed)

# The most runs of one analysis for one release. Each costs a worker some seconds and at most some hundred kilobytes.
KEPT_MAX = 300
# The most unfinished runs of one analysis for one survey, so that other surveys do not wait long.
WAITING_MAX = 8


def ask(analysis: Counted[S], user: User | None, release: Release, specification: S) -> AnalysisRun:
    """Return the release's run of a specification. Request one if there is none or it failed. Raise AnalysisRefused if
    the specification cannot be computed or a limit is reached."""
    analysis.check(release, specification)
    specification = analysis.ordered(release, specification)
    known = runs_of(analysis, release, specification).exclude(state=AnalysisRun.State.FAILED).first()
    if known is not None:
        return known
    _allow(analysis, release)
    data = analysis.as_json(specification)
    AnalysisRun.ask(user, release=release, kind=analysis.name, digest=digest(data), specification=data)
    return runs_of(analysis, release, specification).get()


def runs(analysis: Counted[Any], release: Release) -> QuerySet[AnalysisRun]:
    """Return the runs of an analysis in the order of their requests."""
    return AnalysisRun.objects.filter(release=release, kind=analysis.name).order_by("pk")


def runs_of(analysis: Counted[S], release: Release, specification: S) -> QuerySet[AnalysisRun]:
    """Return the run of a specification: one row or none."""
    return runs(analysis, release).filter(digest=digest(analysis.as_json(specification)))


def ready(rows: QuerySet[AnalysisRun]) -> QuerySet[AnalysisRun]:
    return rows.filter(document__isnull=False)


def document_of(rows: QuerySet[AnalysisRun]) -> Any:
    """Return the first document that is ready; None without one."""
    return ready(rows).values_list("document", flat=True).first()


def _allow(analysis: Counted[Any], release: Release) -> None:
    if not release.is_newest():
        raise AnalysisRefused("old")
    rows = AnalysisRun.objects.filter(kind=analysis.name)
    if rows.filter(release__survey=release.survey, state__in=AnalysisRun.UNDER_WAY).count() >= WAITING_MAX:
        raise AnalysisRefused("waiting")
    if rows.filter(release=release).count() >= KEPT_MAX:
        raise AnalysisRefused("kept")
