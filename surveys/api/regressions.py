"""Regressions of a release: which there are, one of them, asking for another."""

from django.http import HttpResponse
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from ldp.regression.document import RegressionDocument
from ldp.regression.specification import Specification, from_json
from surveys.api import counting
from surveys.api.counting import WAITS
from surveys.api.documents import RegressionPage, RegressionState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, Reading
from surveys.models import Regression, Release
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.regressions import files, requests
from surveys.researcher.analyses.regressions.selection import digest, text

STATE = schema(RegressionState)
MODEL = OpenApiParameter(
    "model",
    OpenApiTypes.STR,
    required=True,
    description="The model as JSON: `model` (linear, logistic, multinomial or ordered), `outcome`, `covariates` with "
    "`key` and either `scores` or the place of a `reference`, `interactions` as pairs of keys, and for a linear model "
    'the outcome\'s `scores`: {"model":"logistic","outcome":"by_bike","covariates":[{"key":"reasons.2"}]}.',
)


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
        return KIND.listed(request, self.release(request, slug, number))


class RegressionView(Asking):
    @operation(
        "regression",
        "A model",
        "Coefficients with robust standard errors and intervals, predicted shares and marginal effects, for one look "
        "at one release and for a population. Where there are too few reports it has a `refusal` in their place. 404 "
        "where nobody has asked for it; 409 where counting failed, and it can be asked for again.",
        {200: (schema(RegressionDocument), "The model."), 202: (STATE, WAITS)},
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
        release = counting.release_to_ask_of(self, request, slug, number)
        model = _model(request)
        return KIND.ask(release, lambda: requests.ask(request.user, release, model))


class RegressionCsvView(Reading):
    @operation(
        "regression_csv",
        "A model as CSV",
        "One row for each coefficient, predicted share and marginal effect, and confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table."), 202: (STATE, WAITS)},
        tag="Models",
        parameters=[SLUG, NUMBER, MODEL, BOM],
        refused=[409, 422],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return _file(self, request, slug, number, "csv")


def _model(request: Request) -> Specification:
    return counting.typed(request, "model", "regression_model", from_json)


def _file(view: Reading, request: Request, slug: str, number: int | None, form: str) -> HttpResponse:
    """The model in this form, or how far it is."""
    release, model = view.release(request, slug, number), _model(request)
    try:
        requests.checked(release, model)
    except Refused as refused:
        raise KIND.refusal(refused) from None
    row = Regression.objects.filter(release=release, digest=digest(model)).first()
    return KIND.file(request, release, number, row, form, f"regression-{release.number}")


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


KIND = counting.Kind(
    Regression, "regression", requests.REFUSALS, "Nobody has asked for this model of this release.", _state, files.MADE
)
