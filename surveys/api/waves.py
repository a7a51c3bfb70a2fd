"""What changed from wave to wave, for programs."""

from functools import partial

from django.http import HttpResponse
from rest_framework.request import Request

from surveys.api.json_schema import schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Reading, as_file, of_today
from surveys.researcher.analyses.waves import files
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.analyses.waves.document import WavesDocument


class WavesView(Reading):
    @operation(
        "waves",
        "Changes from wave to wave",
        "Of a survey that asks the people of an earlier one again: each answer in each wave that asked it alike, with "
        "its changes since the wave before and since the first. All intervals hold at once, whoever answered several "
        "waves. Earlier waves whose results are not for who asks are left out; empty where there is no other.",
        {200: (schema(WavesDocument), "Waves and shares.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "json")


class WavesCsvView(Reading):
    @operation(
        "waves_csv",
        "Changes from wave to wave as CSV",
        "One row for each answer, wave and confidence; shares are fractions of 1, means in their unit.",
        {(200, "text/csv"): ({"type": "string"}, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER, BOM],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "csv")


def _file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    release = view.release(request, slug, number)
    names, _hidden = visible(partial(view.visitor, request), release)
    return of_today(as_file(request, names, files.MADE, form, f"waves-{release.number}.{form}"))
