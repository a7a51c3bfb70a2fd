"""The published files that need only a release: estimates, shares, covariances, codebook, and tables by row."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from ldp.document import Document
from surveys.api.file_documents import Codebook, Covariance
from surveys.api.json_schema import Schema, schema
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.research_view import ResearchView, of_release, streamed, with_bom
from surveys.researcher.downloads import catalog, exports, shares
from surveys.researcher.downloads.row_files import TABLES, RowTable
from surveys.researcher.results import response_cache
from surveys.researcher.sheets.column import Column
from surveys.researcher.sheets.common_columns import HEADER
from surveys.researcher.sheets.tables import json_text

_ESTIMATES = (
    "For each question and method: unbiased shares (which may lie below 0 or above 1), standard errors and "
    "intervals for two targets, with digest, n, alpha, mechanism, confidence and software version."
)
_ROWS = "Text cells are safe to open in a spreadsheet; some need bom=1 to take it for UTF-8."
_CSV = (
    "One row per question, method, option, target and confidence. An estimate has one row for each target and "
    "confidence: keep one of each before adding anything up, and only the rows with default_method, since other "
    "methods repeat the same reports. n is the number of reports of the survey, n_about the number of reports that "
    "the row is about. Where quantity is share, estimates are fractions of 1; where it is mean, they are numbers in "
    "the unit, on the scale from scale_low to scale_high; asked_or_not counts people who were not asked as one of the "
    "answers. Cells that do not apply are empty. columns.csv among the downloads says what each column holds. Where "
    "the survey has forms there are two columns more: form, which is the question's, and joint; n_about is then the "
    "number of those who were asked."
)
_TEXT: Schema = {"type": "string"}

Serve = Callable[[ResearchView, Request, str, int | None], Any]


def _file(
    name: str,
    summary: str,
    description: str,
    serve: Serve,
    document: Schema | None = None,
    sentence: str = "The table.",
    *,
    table: Schema = _TEXT,
    parameters: Sequence[OpenApiParameter] = (NUMBER,),
) -> Callable[..., Any]:
    """Return the view of a file: a document as JSON, or a table as CSV."""

    class ReleaseFile(ResearchView):
        @operation(
            name,
            summary,
            description,
            {200: (document, sentence)} if document else {(200, "text/csv"): (table, sentence)},
            tag="Releases",
            parameters=[SLUG, *parameters],
        )
        def get(self, request: Request, slug: str, number: int | None = None) -> Any:
            return serve(self, request, slug, number)

    view: Callable[..., Any] = ReleaseFile.as_view()
    return view


# Estimates ------------------------------------------------------------------------------------------------------------


def _estimates_json(view: ResearchView, request: Request, slug: str, number: int | None) -> HttpResponse:
    release = view.release(request, slug, number)
    response = response_cache.respond(request, response_cache.generated(release, json_text), catalog.JSON)
    response["Content-Disposition"] = f'inline; filename="deniable-{slug}.json"'
    return of_release(response, release.survey, number)


def _estimates_csv(view: ResearchView, request: Request, slug: str, number: int | None) -> HttpResponse:
    release = view.release(request, slug, number)
    make = exports.csv_file if with_bom(request) else exports.csv_text
    response = response_cache.respond(request, response_cache.generated(release, make), catalog.CSV)
    response["Content-Disposition"] = f'attachment; filename="deniable-{slug}.csv"'
    return of_release(response, release.survey, number)


ESTIMATES = _file(
    "release_estimates", "Its estimates", _ESTIMATES, _estimates_json, schema(Document), "The published document."
)
NEWEST_ESTIMATES = _file(
    "estimates",
    "The estimates of the newest release",
    "The same as those of releases/latest. " + _ESTIMATES,
    _estimates_json,
    schema(Document),
    "The published document.",
    parameters=(),
)
ESTIMATES_CSV = _file(
    "release_estimates_csv",
    "Its estimates as CSV",
    _ROWS,
    _estimates_csv,
    table=_TEXT | {"description": _CSV},
    parameters=[NUMBER, BOM],
)
NEWEST_ESTIMATES_CSV = _file(
    "estimates_csv",
    "The estimates of the newest release as CSV",
    "The same as those of releases/latest. " + _ROWS,
    _estimates_csv,
    table=_TEXT | {"description": _CSV},
    parameters=[BOM],
)


# What is read with them -----------------------------------------------------------------------------------------------


def _shares_csv(view: ResearchView, request: Request, slug: str, number: int | None) -> HttpResponse:
    release = view.release(request, slug, number)
    content = response_cache.content(shares.csv_text(release).encode())
    return of_release(response_cache.respond(request, content, catalog.CSV), release.survey, number)


def _codebook(view: ResearchView, request: Request, slug: str, number: int | None) -> HttpResponse:
    release = view.downloadable(request, slug, number)
    made = catalog.codebook(release.pk)
    return of_release(response_cache.respond(request, made, catalog.JSON), release.survey, number)


SHARES_CSV = _file(
    "release_shares_csv",
    "Its shares as CSV",
    "One row for each answer, so that you can sum columns: by each question’s default method, at one confidence, for "
    "the results page’s default target.",
    _shares_csv,
)
CODEBOOK = _file(
    "release_codebook",
    "Its codebook",
    "Questions, the tables that randomized the answers, formulas, and the meaning of the microdata’s columns.",
    _codebook,
    schema(Codebook),
    "The codebook.",
)
COVARIANCES = _file(
    "release_covariances",
    "The covariances of its estimates",
    "Estimates of one question are correlated. Sums, differences and regressions of them need the matrix. Means and "
    "multiple choice have no matrix.",
    partial(streamed, name="covariances.json"),
    {"type": "array", "items": schema(Covariance)},
    "A matrix for each result, method and target.",
)
COVARIANCES_CSV = _file(
    "release_covariances_csv",
    "The covariances as CSV",
    "The upper triangles, one row for each pair of options.",
    partial(streamed, name="covariances.csv"),
)


# Tables by row, sent as they are computed -----------------------------------------------------------------------------


def _rows(table: RowTable) -> Schema:
    """Return the schema of an object with the release's fields and a list of rows."""
    rows = {"type": "array", "items": _object(table.columns)}
    release = _object(HEADER)
    return release | {
        "required": [*release["required"], table.name],
        "properties": release["properties"] | {table.name: rows},
    }


def _object(columns: Sequence[Column]) -> Schema:
    properties = {column.name: column.schema for column in columns}
    return {"type": "object", "required": list(properties), "properties": properties}


def _json(name: str, summary: str, description: str, sentence: str) -> Callable[..., Any]:
    serve = partial(streamed, name=f"{name}.json")
    return _file(f"release_{name}", summary, description, serve, _rows(TABLES[name]), sentence)


def _csv(name: str, summary: str, description: str) -> Callable[..., Any]:
    return _file(f"release_{name}_csv", summary, description, partial(streamed, name=f"{name}.csv"))


READINGS = _json(
    "readings",
    "Numbers of its question pages",
    "Quantiles, mean ranks, means of bins, cumulative and projected shares, densities, and shares among those who "
    "said something, each with its intervals for both targets at every confidence.",
    "The readings.",
)
READINGS_CSV = _csv(
    "readings", "The readings as CSV", "One row for each reading, target and confidence; shares are fractions of 1."
)
PAIRS = _json(
    "pairs",
    "Its pairs of answers",
    "For each question the pairs of answers that its page of comparisons shows first: differences of shares in the "
    "population with simultaneous intervals, p-values alone and corrected for all pairs of the question, or why "
    "there is none.",
    "The pairs of answers.",
)
PAIRS_CSV = _csv(
    "pairs",
    "Its pairs of answers as CSV",
    "One row for each pair of answers and confidence; differences are fractions of 1.",
)
TREND = _json(
    "trend",
    "Its answers over the releases",
    "Each answer at this release and those before it, up to twelve, with intervals that hold at all releases and "
    "for all answers of the question together.",
    "The trends.",
)
TREND_CSV = _csv(
    "trend",
    "The trend as CSV",
    "One row for each answer, release, target and confidence; shares are fractions of 1, means in their unit.",
)
FORGED = _json(
    "forged",
    "What forged reports could do",
    "For each answer the interval that holds the honest population’s share if at most this many reports are forged, "
    "from none to a tenth of them, and how many forged reports would hide the most common answer.",
    "The intervals.",
)
FORGED_CSV = _csv(
    "forged",
    "What forged reports could do, as CSV",
    "One row for each answer, number of forged reports and confidence; shares are fractions of 1, means in their unit.",
)
