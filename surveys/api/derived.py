"""Analyses that follow at once from what is published of a release, for programs."""

from functools import partial

from django.http import HttpResponse
from django.urls import URLPattern
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.api.analyses import variables
from surveys.api.document_views import document_views, patterns
from surveys.api.problems import Refusal
from surveys.api.research_view import ResearchView, as_file, of_release, of_today
from surveys.models import Release
from surveys.researcher.analyses.frame.derived import Derived, Missing, Unanswered
from surveys.researcher.analyses.registry import DERIVED


def urlpatterns(release: str) -> list[URLPattern]:
    """The addresses of all of them, below the path of a release."""
    return [pattern for analysis in DERIVED.values() for pattern in _patterns(analysis, release)]


def _patterns(analysis: Derived, release: str) -> list[URLPattern]:
    described = analysis.description
    queried = [
        OpenApiParameter(each.name, {**each.schema}, required=each.required, description=each.description)
        for each in described.parameters
    ]
    views = document_views(
        analysis.name,
        analysis.document_type,
        described.answer,
        document=described.document,
        table=described.table,
        respond=partial(_respond, analysis),
        parameters=[*variables(analysis.fields), *queried],
        tag=described.tag,
        refused=described.refused,
    )
    return patterns(f"{release}/{analysis.api_path}", analysis.name, views)


def _respond(
    analysis: Derived,
    view: ResearchView,
    request: Request,
    release: Release,
    number: int | None,
    format: str,
    **fields: str,
) -> HttpResponse:
    query = request.query_params.dict()
    try:
        document = analysis.api_document(release, partial(view.visitor, request), query, **fields)
    except Missing as missing:
        raise ParseError(str(missing)) from None
    except Unanswered as unanswered:
        raise Refusal(422, unanswered.code, unanswered.rules.strip()) from None
    name = f"{analysis.file_name(release, document)}.{format}"
    response = as_file(request, document, analysis.formats, format, name)
    return of_release(response, release.survey, number) if analysis.is_fixed else of_today(response)
