"""The endpoints for respondents' browsers and draft editors, and the OpenAPI description."""

import functools
import json
import threading
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from surveys.access import published_survey
from surveys.api.openapi_operation import PROBLEM, SLUG
from surveys.api.problems import nothing_here
from surveys.respondent.intake.problems import CONTENT_TYPE
from surveys.survey.definition.schema import schema
from surveys.web.compression import compressed

_ETAG = OpenApiParameter(
    "ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200], description="The digest of the definition."
)


class DefinitionView(APIView):
    """The frozen definition of an open or closed survey."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="definition",
        summary="The definition of a survey",
        description="Exactly the canonical bytes whose SHA-256 is the digest that every report carries.",
        tags=["Respondents"],
        parameters=[SLUG, _ETAG],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, description="The definition."),
            (400, CONTENT_TYPE): OpenApiResponse(PROBLEM, description="The address cannot be read."),
            (404, CONTENT_TYPE): OpenApiResponse(PROBLEM, description="No survey has this address."),
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = published_survey(slug)
        response = HttpResponse(survey.canonical.encode(), content_type="application/json")
        response["ETag"] = f'"{survey.digest}"'
        # No copy may remain on a respondent's device and reveal what was asked.
        response["Cache-Control"] = "no-store"
        return compressed(request, response)


class NothingView(APIView):
    """Every unknown URL below /api/v1/."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]
    schema = None

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        return nothing_here()


class DraftSchemaView(APIView):
    """The JSON Schema of drafts, for editors and programs that write surveys."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="draft_schema",
        summary="The JSON Schema of a draft",
        description="What a draft may hold, as a file that is brought to the site. It is in the 2020-12 dialect.",
        tags=["Surveys"],
        responses={(200, "application/schema+json"): OpenApiResponse(OpenApiTypes.OBJECT, description="The schema.")},
    )
    def get(self, request: Request) -> HttpResponse:
        made = json.dumps(schema(settings.SITE_URL + reverse("draft-schema")), indent=2)
        return HttpResponse(made, content_type="application/schema+json")


_ONE_AT_A_TIME = threading.Lock()


@functools.cache
def _description() -> dict[str, Any]:
    return dict(SchemaGenerator().get_schema(request=None, public=True))


_WRITTEN: dict[type[BaseRenderer], bytes] = {}


def _written(renderer: type[BaseRenderer]) -> bytes:
    """Return the description in a format, generated once: YAML takes a quarter of a second."""
    with _ONE_AT_A_TIME:
        if renderer not in _WRITTEN:
            _WRITTEN[renderer] = renderer().render(_description())
        return _WRITTEN[renderer]


def site_description() -> dict[str, Any]:
    """Return the OpenAPI description. Its generator keeps state and takes a tenth of a second, so it runs once."""
    with _ONE_AT_A_TIME:
        return _description()


class DescriptionView(SpectacularAPIView):
    """The OpenAPI description, as JSON or YAML."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer: type[BaseRenderer] = type(request.accepted_renderer)
        of = f"; charset={renderer.charset}" if renderer.charset else ""
        return HttpResponse(_written(renderer), content_type=renderer.media_type + of)
