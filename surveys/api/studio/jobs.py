"""The API of a worker's jobs for a survey's releases: what was requested, and its progress."""

from typing import Annotated, TypedDict

from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.listing import absolute
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import reads
from surveys.models import AnalysisRun, Export, Role, Survey
from surveys.researcher.analyses.registry import COUNTED

# The URL that lists each kind, and that takes requests for it.
LISTS = {name: f"api-{analysis.plural}" for name, analysis in COUNTED.items()} | {"export": "api-microdata"}


class JobLine(TypedDict):
    kind: Annotated[str, {"enum": [*COUNTED, "export"]} | like("crossing")]
    release: Annotated[int, like(3)]
    state: Annotated[str, {"enum": ["asked", "working", "ready", "failed"]} | like("working")]
    reason: Annotated[str | None, "Why it failed.", like(None)]
    reports: Annotated[int, "The release's number of reports.", like(1284)]
    done: Annotated[int, "Reports that were counted or written so far.", like(400)]
    url: Annotated[
        str,
        "The list that contains it.",
        like("https://survey.example.org/api/v1/surveys/travel/releases/3/crossings"),
    ]


class JobsDocument(TypedDict):
    items: list[JobLine]


class JobsView(Studio):
    @reads(
        "jobs",
        "The jobs for its releases",
        "The requested files, cross-tables, models, subgroups and weights, newest first, with their lists. For "
        "researchers.",
        "The state of each.",
        role=Role.RESEARCHER,
    )
    def get(self, request: Request, survey: Survey) -> JobsDocument:
        return {"items": _jobs(survey)}


def _jobs(survey: Survey) -> list[JobLine]:
    rows: list[AnalysisRun | Export] = [
        *AnalysisRun.objects.filter(release__survey=survey).select_related("release"),
        *Export.objects.filter(release__survey=survey).select_related("release"),
    ]
    return [_line(survey, row) for row in sorted(rows, key=lambda row: row.worked_at, reverse=True)]


def _line(survey: Survey, row: AnalysisRun | Export) -> JobLine:
    kind = row.kind if isinstance(row, AnalysisRun) else "export"
    return {
        "kind": kind,
        "release": row.release.number,
        "state": row.state,
        "reason": str(row.get_reason_display()) or None,
        "reports": row.release.n,
        "done": getattr(row, row.progress),
        "url": absolute(LISTS[kind], survey.slug, row.release.number),
    }
