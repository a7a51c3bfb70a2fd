"""What changed from wave to wave, for programs."""

from functools import partial

from django.http import HttpResponse
from rest_framework.request import Request

from surveys.api.document_views import document_views
from surveys.api.reading import Reading, as_file, of_today
from surveys.models import Release
from surveys.researcher.analyses.waves import files
from surveys.researcher.analyses.waves.changes import visible
from surveys.researcher.analyses.waves.document import WavesDocument


def _respond(view: Reading, request: Request, release: Release, number: int | None, form: str) -> HttpResponse:
    names, _hidden = visible(partial(view.visitor, request), release)
    return of_today(as_file(request, names, files.MADE, form, f"waves-{release.number}.{form}"))


WAVES = document_views(
    "waves",
    WavesDocument,
    "Waves and shares.",
    document=(
        "Changes from wave to wave",
        "Of a survey that asks the people of an earlier one again: each answer in each wave that asked it alike, with "
        "its changes since the wave before and since the first. All intervals hold at once, whoever answered several "
        "waves. Earlier waves whose results are not for who asks are left out; empty where there is no other.",
    ),
    table=(
        "Changes from wave to wave as CSV",
        "One row for each answer, wave and confidence; shares are fractions of 1, means in their unit.",
    ),
    respond=_respond,
)
