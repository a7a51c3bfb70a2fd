"""What people asked a worker for of a survey's releases, by program: how far each is."""

from django.http import HttpResponse
from rest_framework.request import Request

from surveys.api.json_schema import schema
from surveys.api.listing import absolute
from surveys.api.openapi_operation import operation
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import JobLine, JobsDocument
from surveys.api.studio.guard import SURVEY, Studio
from surveys.models import AnalysisRun, Export, Role, Survey
from surveys.researcher.analyses.registry import ANALYSES

# Where each kind is listed, with how to ask for more of it.
LISTS = {name: f"api-{analysis.plural}" for name, analysis in ANALYSES.items()} | {"export": "api-microdata"}


class JobsView(Studio):
    @operation(
        "jobs",
        "What is being made of its releases",
        "Files, cross-tables, models, subgroups and weights that somebody asked for, the last one first, with their "
        "lists. For researchers.",
        {200: (schema(JobsDocument), "How far each is.")},
        tag="Studio",
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.RESEARCHER)
        return of_today(answer(request, {"items": _jobs(stored)}))


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
