"""Regressions of a release: which there are, one of them, asking for another."""

import json

from django.http import Http404, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request

from ldp.regression.document import RegressionDocument
from ldp.regression.specification import Specification, from_json
from surveys.access import has_role
from surveys.api.documents import RegressionPage, RegressionState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, InsufficientScope, Reading, answer, of_release, of_today, with_bom
from surveys.crossings.requests import Refused as NotAsked
from surveys.models import Regression, Release, Role, Scope
from surveys.regressions import files, requests
from surveys.regressions.selection import LONGEST, digest, text
from surveys.research import tables
from surveys.results import response_cache

STATE = schema(RegressionState)
MODEL = OpenApiParameter(
    "model",
    OpenApiTypes.STR,
    required=True,
    description="The model as JSON: `model` (linear, logistic, multinomial or ordered), `outcome`, `covariates` with "
    "`key` and either `scores` or the place of a `reference`, `interactions` as pairs of keys, and for a linear model "
    'the outcome\'s `scores`: {"model":"logistic","outcome":"by_bike","covariates":[{"key":"reasons.2"}]}.',
)
_WAITS = "It is asked for, or being counted: ask again in some seconds."
_ABSENT = "Nobody has asked for this model of this release."
_NOW = ("kept", "waiting", "old")


class Refused(APIException):
    """A model that cannot be computed, or not now, in the sentence of the pages."""

    def __init__(self, reason: str) -> None:
        super().__init__(str(requests.REFUSALS[reason]))
        self.status_code = 404 if reason == "unknown" else 409 if reason in _NOW else 422
        self.default_code = "regression_" + reason.replace(" ", "_")


class NoModel(APIException):
    status_code = 422
    default_code = "regression_model"


class Failed(APIException):
    status_code = 409
    default_code = "regression_failed"


class RegressionsView(Reading):
    @operation(
        "regressions",
        "Its models",
        "Regressions that were asked for, and how far they are.",
        {200: (schema(RegressionPage), "A part of them.")},
        tag="Models",
        parameters=[SLUG, NUMBER, *PARTS],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        rows = Regression.objects.filter(release=release).defer("document").order_by("pk")
        return of_today(answer(request, in_parts(request, rows, lambda row: _state(release, row))))


class RegressionView(Asking):
    @operation(
        "regression",
        "A model",
        "Coefficients with robust standard errors and intervals, predicted shares and marginal effects, for one look "
        "at one release and for a population. Where there are too few reports it has a `refusal` in their place. 404 "
        "where nobody has asked for it; 409 where counting failed, and it can be asked for again.",
        {200: (schema(RegressionDocument), "The model."), 202: (STATE, _WAITS)},
        tag="Models",
        parameters=[SLUG, NUMBER, MODEL],
        refused=[409, 422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "json")

    @operation(
        "ask_regression",
        "Ask for a model",
        "Of the newest release. A worker then counts the reports and fits it, within seconds for a million of them. "
        "Asking again changes nothing, unless counting had failed. For researchers, with a token only.",
        {200: (STATE, "It was asked for before, or is ready."), 202: (STATE, "It is asked for now.")},
        tag="Models",
        parameters=[SLUG, NUMBER, MODEL],
        refused=[403, 409, 422],
        conditional=False,
        known_by=["token"],
    )
    def post(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        self.require_token(request)
        release = self.release(request, slug, number)
        if not has_role(self.visitor(request, slug), release.survey, Role.RESEARCHER):
            if has_role(self.visitor(request, slug, Scope.MICRODATA), release.survey, Role.RESEARCHER):
                raise InsufficientScope
            raise Http404
        model = _model(request)
        known = Regression.objects.filter(release=release).exclude(state=Regression.State.FAILED)
        before = set(known.values_list("pk", flat=True))
        try:
            row = requests.ask(request.user, release, model)
        except NotAsked as refused:
            raise Refused(refused.reason) from None
        row.refresh_from_db(fields=["state", "reason", "counted"])
        response = JsonResponse(_state(release, row), status=200 if row.pk in before else 202)
        patch_cache_control(response, no_store=True)
        return response


class RegressionCsvView(Reading):
    @operation(
        "regression_csv",
        "A model as CSV",
        "One row for each coefficient, predicted share and marginal effect, and confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table."), 202: (STATE, _WAITS)},
        tag="Models",
        parameters=[SLUG, NUMBER, MODEL, BOM],
        refused=[409, 422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "csv")


def _model(request: Request) -> Specification:
    typed = request.query_params.get("model")
    if typed is None:
        raise ParseError("“model” is missing.")
    if len(typed) > LONGEST:
        raise NoModel(f"“model” takes at most {LONGEST} characters.")
    try:
        return from_json(json.loads(typed))
    except (ValueError, RecursionError) as wrong:
        raise NoModel(f"“model” is no model: {wrong}") from None


def _file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    """The model in this form, or how far it is."""
    release, bom, model = view.release(request, slug, number), form == "csv" and with_bom(request), _model(request)
    try:
        requests.checked(release, model)
    except NotAsked as refused:
        raise Refused(refused.reason) from None
    row = Regression.objects.filter(release=release, digest=digest(model)).first()
    if row is None:
        raise Http404(_ABSENT)
    if row.state == Regression.State.FAILED:
        raise Failed(f"Counting it failed: {row.get_reason_display()}.")
    if row.document is None:
        response = of_today(answer(request, _state(release, row)))
        response.status_code = 202 if response.status_code == 200 else response.status_code
        return response
    content_type, make = files.MADE[form]
    body = (tables.BOM if bom else b"") + make(row.document).encode()
    response = response_cache.respond(request, response_cache.content(body), content_type)
    disposition = "inline" if form == "json" else "attachment"
    response["Content-Disposition"] = f'{disposition}; filename="regression-{release.number}.{form}"'
    return of_release(response, release.survey, number)


def _state(release: Release, row: Regression) -> RegressionState:
    model = from_json(row.model)
    at = absolute("api-regression", release.survey.slug, release.number)
    return {
        "release": release.number,
        "model": row.model,
        "state": row.state,
        "reason": row.get_reason_display() if row.reason else None,
        "reports": requests.reports(release, model),
        "counted": row.counted,
        "url": f"{at}?{urlencode({'model': text(model)})}",
    }
