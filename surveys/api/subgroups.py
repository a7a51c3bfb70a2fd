"""Subgroups of a release: by which strata there are, those of one, asking for another."""

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from ldp.subgroups import SubgroupsDocument
from surveys.api import counting
from surveys.api.counting import WAITS
from surveys.api.crossings import variable
from surveys.api.documents import SubgroupsPage, SubgroupsState
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute
from surveys.api.openapi_operation import BOM, NUMBER, SLUG, operation
from surveys.api.reading import Asking, Reading
from surveys.models import Release, Subgroups
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.subgroups import files, requests

STATE = schema(SubgroupsState)
STRATUM = [SLUG, NUMBER, variable("stratum", "by_bike")]


class AllSubgroupsView(Reading):
    @operation(
        "all_subgroups",
        "Its subgroups",
        "By which strata they were asked for, and how far they are.",
        {200: (schema(SubgroupsPage), "A part of them.")},
        tag="Subgroups",
        parameters=[SLUG, NUMBER, *PARTS],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        return KIND.listed(request, self.release(request, slug, number))


class SubgroupsView(Asking):
    @operation(
        "subgroups",
        "Every question by one stratum",
        "Shares within each answer to the stratum, with intervals that hold for all of them at once, for one look at "
        "one release. An answer that is too small a group has no shares, and says how many reports would do. 404 "
        "where nobody has asked for it; 409 where counting it failed, and it can be asked for again.",
        {200: (schema(SubgroupsDocument), "The subgroups."), 202: (STATE, WAITS)},
        tag="Subgroups",
        parameters=STRATUM,
        refused=[409],
    )
    def get(self, request: Request, slug: str, number: int | None, stratum: str) -> HttpResponse:
        return _file(self, request, slug, number, stratum, "json")

    @operation(
        "ask_subgroups",
        "Ask for subgroups",
        "Of the newest release. A worker then counts them, within seconds for a million reports. Asking again changes "
        "nothing, unless counting had failed. For researchers, with a token only.",
        {200: (STATE, "It was asked for before, or is ready."), 202: (STATE, "It is asked for now.")},
        tag="Subgroups",
        parameters=STRATUM,
        refused=[403, 409, 422],
        conditional=False,
        known_by=["token"],
    )
    def post(self, request: Request, slug: str, number: int | None, stratum: str) -> HttpResponse:
        release = counting.release_to_ask_of(self, request, slug, number)
        return KIND.ask(release, lambda: requests.ask(request.user, release, stratum))


class SubgroupsCsvView(Reading):
    @operation(
        "subgroups_csv",
        "Subgroups as CSV",
        "One row for each answer, stratum and confidence, then one for each answer, difference of two strata and "
        "confidence; shares are fractions of 1.",
        {(200, "text/csv"): ({"type": "string"}, "The table."), 202: (STATE, WAITS)},
        tag="Subgroups",
        parameters=[*STRATUM, BOM],
        refused=[409],
    )
    def get(self, request: Request, slug: str, number: int | None, stratum: str) -> HttpResponse:
        return _file(self, request, slug, number, stratum, "csv")


def _file(view: Reading, request: Request, slug: str, number: int | None, stratum: str, form: str) -> HttpResponse:
    """The subgroups in this form, or how far they are."""
    release = view.release(request, slug, number)
    try:
        requests.checked(release, stratum)
    except Refused as refused:
        raise Http404(str(requests.REFUSALS[refused.reason])) from None
    row = Subgroups.objects.filter(release=release, stratum=stratum).first()
    return KIND.file(request, release, number, row, form, f"subgroups-{release.number}-{stratum}")


def _state(release: Release, row: Subgroups) -> SubgroupsState:
    return {
        "release": release.number,
        "stratum": row.stratum,
        "state": row.state,
        "reason": row.get_reason_display() if row.reason else None,
        "reports": requests.reports(release, *requests.checked(release, row.stratum)),
        "counted": row.counted,
        "url": absolute("api-subgroups", release.survey.slug, release.number, row.stratum),
    }


KIND = counting.Kind(
    Subgroups,
    "subgroups",
    requests.REFUSALS,
    "Nobody has asked for subgroups of this release by this question.",
    _state,
    files.MADE,
)
