"""The REST API for programs: definition and estimates. The OpenAPI description also has the intake."""

import functools
import json
import threading
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from surveys.access import published_survey, visible_release
from surveys.definition.schema import schema
from surveys.models import Release
from surveys.operation import policies
from surveys.operation.compressed import compressed
from surveys.research import exports
from surveys.results import kept

_NO_RESULTS = OpenApiResponse(description="No results for this visitor.")


class DefinitionView(APIView):
    """The frozen definition of an open or closed survey."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="definition",
        summary="The definition of a survey",
        description="Exactly the canonical bytes whose SHA-256 is the digest that every report carries.",
        responses={200: OpenApiTypes.OBJECT, 404: OpenApiResponse(description="No survey has this address.")},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = published_survey(slug)
        response = HttpResponse(survey.canonical.encode(), content_type="application/json")
        response["ETag"] = f'"{survey.digest}"'
        # On a respondent's device no copy may tell later what was asked there.
        response["Cache-Control"] = "no-store"
        return compressed(request, response)


class DraftSchemaView(APIView):
    """The JSON Schema of drafts, for editors and for programs that write surveys."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="draft_schema",
        summary="The JSON Schema of a draft",
        description="What a draft may hold, as a file that is brought to the site. It is in the 2020-12 dialect.",
        responses={(200, "application/schema+json"): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> HttpResponse:
        made = json.dumps(schema(settings.SITE_URL + reverse("draft-schema")), indent=2)
        return HttpResponse(made, content_type="application/schema+json")


class _ResultsView(APIView):
    authentication_classes = [SessionAuthentication]
    permission_classes = [AllowAny]

    def release(self, request: Request, slug: str, number: int | None) -> Release:
        """404 where there is none or it is not for this visitor."""
        _, release = visible_release(request.user, slug, number)
        if release is None:
            raise Http404("The survey has no release yet.")
        return release


class EstimatesView(_ResultsView):
    """The estimates of a survey as JSON."""

    @extend_schema(
        operation_id="estimates",
        summary="The debiased estimates of the newest release",
        description=(
            "For each question and method: unbiased shares (which may lie below 0 or above 1), standard errors and "
            "intervals for two targets, with digest, n, alpha, mechanism, confidence and software version."
        ),
        responses={200: OpenApiTypes.OBJECT, 404: _NO_RESULTS},
    )
    def get(self, request: Request, slug: str, number: int | None = None) -> HttpResponse:
        made = kept.made(self.release(request, slug, number), exports.json_text)
        response = kept.respond(request, made, "application/json")
        return _download(response, f"deniable-{slug}.json", inline=True)


class EstimatesCsvView(_ResultsView):
    """The estimates of a survey as CSV."""

    @extend_schema(
        operation_id="estimates_csv",
        summary="The debiased estimates of the newest release as CSV",
        description="One row per question, method, option, target and confidence. Text cells are safe to open in a "
        "spreadsheet; some need bom=1 to take it for UTF-8.",
        parameters=[OpenApiParameter("bom", OpenApiTypes.STR, enum=["1"], description="Begin with a byte order mark.")],
        responses={(200, "text/csv"): OpenApiTypes.STR, 404: _NO_RESULTS},
    )
    def get(self, request: Request, slug: str, number: int | None = None) -> HttpResponse:
        make = exports.csv_with_bom if request.GET.get("bom") == "1" else exports.csv_text
        made = kept.made(self.release(request, slug, number), make)
        response = kept.respond(request, made, "text/csv; charset=utf-8")
        return _download(response, f"deniable-{slug}.csv", inline=False)


_GENERATING = threading.Lock()


@functools.cache
def _description() -> dict[str, Any]:
    return dict(SchemaGenerator().get_schema(request=None, public=True))


class DescriptionView(SpectacularAPIView):
    """The OpenAPI description. Its generator keeps state of its own between calls and takes a tenth of a second, so it
    runs once."""

    def _get_schema_response(self, request: Request) -> Response:
        with _GENERATING:
            return Response(_description())


@extend_schema_view(get=extend_schema(operation_id="release_estimates", summary="One release of a survey, for ever"))
class ReleaseEstimatesView(EstimatesView):
    """The estimates of one release as JSON."""


@extend_schema_view(get=extend_schema(operation_id="release_estimates_csv", summary="One release as CSV, for ever"))
class ReleaseEstimatesCsvView(EstimatesCsvView):
    """The estimates of one release as CSV."""


class DocumentationView(SpectacularSwaggerSplitView):
    """The OpenAPI description as a page, all of it served from here."""

    schema = None
    http_method_names = ["get", "head"]

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        response = super().get(request, *args, **kwargs)
        response["Content-Security-Policy"] = policies.DOCUMENTATION
        return response


def _download(response: HttpResponse, name: str, inline: bool) -> HttpResponse:
    response["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    response["Cache-Control"] = "no-cache"
    return response
