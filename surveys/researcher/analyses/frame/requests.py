"""Asking for an analysis of a release, within what one survey may ask of it, and what was asked for."""

from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import QuerySet

from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame.counted import Counted, Keyed
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.selection import digest

S = TypeVar("S", bound=Keyed)

# Of one release and analysis. Each costs a worker some seconds and a row of at most some hundred kilobytes.
KEPT_MAX = 300
# Of one analysis not yet counted of one survey, so that others' work is not kept waiting.
WAITING_MAX = 8


def ask(analysis: Counted[S], user: User | None, release: Release, specification: S) -> AnalysisRun:
    """The release's run of a specification, asked for unless it was; one that failed is tried again. AnalysisRefused
    where it cannot be computed, or no more can be asked for."""
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
    """In the order in which they were asked for."""
    return AnalysisRun.objects.filter(release=release, kind=analysis.name).order_by("pk")


def runs_of(analysis: Counted[S], release: Release, specification: S) -> QuerySet[AnalysisRun]:
    """The one of a specification, if it was asked for."""
    return runs(analysis, release).filter(digest=digest(analysis.as_json(specification)))


def ready(rows: QuerySet[AnalysisRun]) -> QuerySet[AnalysisRun]:
    return rows.filter(document__isnull=False)


def document_of(rows: QuerySet[AnalysisRun]) -> Any:
    """The first document that is ready; None where none is."""
    return ready(rows).values_list("document", flat=True).first()


def _allow(analysis: Counted[Any], release: Release) -> None:
    if not release.is_newest():
        raise AnalysisRefused("old")
    rows = AnalysisRun.objects.filter(kind=analysis.name)
    if rows.filter(release__survey=release.survey, state__in=AnalysisRun.UNDER_WAY).count() >= WAITING_MAX:
        raise AnalysisRefused("waiting")
    if rows.filter(release=release).count() >= KEPT_MAX:
        raise AnalysisRefused("kept")
