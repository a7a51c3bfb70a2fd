"""What is published of a release: estimates, covariances, codebook."""

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from surveys.api.file_documents import Codebook, Covariance
from surveys.api.json_schema import schema
from surveys.api.openapi_estimates import CSV, ESTIMATES
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Reading, of_release, streamed, with_bom
from surveys.researcher.downloads import catalog, exports, shares
from surveys.researcher.downloads.tables import json_text
from surveys.researcher.results import response_cache

_ESTIMATES = (
    "For each question and method: unbiased shares (which may lie below 0 or above 1), standard errors and "
    "intervals for two targets, with digest, n, alpha, mechanism, confidence and software version."
)
_ROWS = "Text cells are safe to open in a spreadsheet; some need bom=1 to take it for UTF-8."
_TEXT = {"type": "string"}


class ReleaseEstimatesView(Reading):
    """The estimates of one release as JSON."""

    @operation(
        "release_estimates",
        "Its estimates",
        _ESTIMATES,
        {200: (ESTIMATES, "The published document.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None = None) -> HttpResponse:
        release = self.release(request, slug, number)
        response = response_cache.respond(request, response_cache.made(release, json_text), catalog.JSON)
        return _named(of_release(response, release.survey, number), f"deniable-{slug}.json", inline=True)


class EstimatesView(ReleaseEstimatesView):
    """The estimates of the newest release."""

    get = operation(
        "estimates",
        "The estimates of the newest release",
        "The same as those of releases/latest. " + _ESTIMATES,
        {200: (ESTIMATES, "The published document.")},
        tag="Releases",
        parameters=[SLUG],
    )(lambda self, request, slug: ReleaseEstimatesView.get(self, request, slug))


class ReleaseEstimatesCsvView(Reading):
    """The estimates of one release as CSV."""

    @operation(
        "release_estimates_csv",
        "Its estimates as CSV",
        _ROWS,
        {(200, "text/csv"): (_TEXT | {"description": CSV}, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER, BOM],
    )
    def get(self, request: Request, slug: str, number: int | None = None) -> HttpResponse:
        release = self.release(request, slug, number)
        make = exports.csv_file if with_bom(request) else exports.csv_text
        response = response_cache.respond(request, response_cache.made(release, make), catalog.CSV)
        return _named(of_release(response, release.survey, number), f"deniable-{slug}.csv", inline=False)


class EstimatesCsvView(ReleaseEstimatesCsvView):
    """The estimates, as CSV, of the newest release."""

    get = operation(
        "estimates_csv",
        "The estimates of the newest release as CSV",
        "The same as those of releases/latest. " + _ROWS,
        {(200, "text/csv"): (_TEXT | {"description": CSV}, "The table.")},
        tag="Releases",
        parameters=[SLUG, BOM],
    )(lambda self, request, slug: ReleaseEstimatesCsvView.get(self, request, slug))


class SharesCsvView(Reading):
    @operation(
        "release_shares_csv",
        "Its shares as CSV",
        "One row for each answer and nothing twice, by each question’s usual method, about whom the results page is at "
        "first, at one confidence: for whoever sums a column.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        content = response_cache.content(shares.csv_text(release).encode())
        return of_release(response_cache.respond(request, content, catalog.CSV), release.survey, number)


class CodebookView(Reading):
    @operation(
        "release_codebook",
        "Its codebook",
        "Questions, the tables by which answers were randomized, formulas, and what columns of the microdata hold.",
        {200: (schema(Codebook), "The codebook.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.downloadable(request, slug, number)
        made, content_type = catalog.made(release, catalog.CODEBOOK[0])
        return of_release(response_cache.respond(request, made, content_type), release.survey, number)


class CovariancesView(Reading):
    """Covariances as whole matrices, sent as they are computed."""

    @operation(
        "release_covariances",
        "The covariances of its estimates",
        "Estimates of one question move together: sums, differences and regressions of them need this. Means and "
        "multiple choice have no matrix.",
        {200: ({"type": "array", "items": schema(Covariance)}, "A matrix for each result, method and target.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "covariances.json")


class CovariancesCsvView(Reading):
    @operation(
        "release_covariances_csv",
        "The covariances as CSV",
        "The upper triangles, one row for each pair of options.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "covariances.csv")


def _named(response: HttpResponse, name: str, inline: bool) -> HttpResponse:
    response["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    return response
