"""What a worker counts of a release, for programs: which there are, asking for another, how far it is, its files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.access import has_role
from surveys.api.listing import in_parts
from surveys.api.problems import Refusal
from surveys.api.reading import Asking, InsufficientScope, answer, of_release, of_today, with_bom
from surveys.models import Counting, Release, Role, Scope
from surveys.researcher.analyses.frame import addresses, requests
from surveys.researcher.analyses.frame.addresses import Named
from surveys.researcher.analyses.frame.responses import Made
from surveys.researcher.downloads import tables
from surveys.researcher.results import response_cache

WAITS = "It is asked for, or being counted: ask again in some seconds."
_NOW = ("kept", "waiting", "old")


@dataclass(frozen=True)
class Kind:
    """A kind of counting. `name` begins the codes of its refusals; `state` says how far a row is; `absent` is said
    where nobody has asked for one."""

    rows: type[Counting]
    name: str
    refusals: Mapping[str, Any]
    absent: str
    state: Callable[[Release, Any], Any]
    made: Made

    def refusal(self, refused: requests.Refused) -> Refusal:
        """What cannot be counted, or not now, in the sentence of the pages."""
        status = 404 if refused.reason == "unknown" else 409 if refused.reason in _NOW else 422
        return Refusal(status, f"{self.name}_{refused.reason.replace(' ', '_')}", str(self.refusals[refused.reason]))

    def listed(self, request: Request, release: Release) -> HttpResponse:
        rows = self.rows._default_manager.filter(release=release).defer("document")
        return of_today(answer(request, in_parts(request, rows, lambda row: self.state(release, row), "pk")))

    def ask(self, release: Release, make: Callable[[], Counting]) -> HttpResponse:
        """How far the row is that `make` asks for: 202 where it is asked for now."""
        known = self.rows._default_manager.filter(release=release).exclude(state=Counting.State.FAILED)
        before = set(known.values_list("pk", flat=True))
        try:
            row = make()
        except requests.Refused as refused:
            raise self.refusal(refused) from None
        row.refresh_from_db(fields=["state", "reason", "counted"])
        response = JsonResponse(self.state(release, row), status=200 if row.pk in before else 202)
        patch_cache_control(response, no_store=True)
        return response

    def file(
        self, request: Request, release: Release, number: int | None, row: Counting | None, form: str, name: str
    ) -> HttpResponse:
        """The row in this form, or how far it is. `name` is the file's, without its ending."""
        bom = form == "csv" and with_bom(request)
        if row is None:
            raise Http404(self.absent)
        if row.state == Counting.State.FAILED:
            raise Refusal(409, f"{self.name}_failed", f"Counting it failed: {row.get_reason_display()}.")
        if row.document is None:
            response = of_today(answer(request, self.state(release, row)))
            response.status_code = 202 if response.status_code == 200 else response.status_code
            return response
        content_type, make = self.made[form]
        body = tables.marked(make(row.document)) if bom else make(row.document)
        response = response_cache.respond(request, response_cache.content(body), content_type)
        disposition = "inline" if form == "json" else "attachment"
        response["Content-Disposition"] = f'{disposition}; filename="{name}.{form}"'
        return of_release(response, release.survey, number)


def typed(request: Request, name: str, code: str, from_json: Callable[[Any], Named]) -> Named:
    """What a parameter names as JSON: 400 where it is missing, 422 where it is none."""
    given = request.query_params.get(name)
    if given is None:
        raise ParseError(f"“{name}” is missing.")
    try:
        return addresses.parsed(given, from_json)
    except ValueError as wrong:
        raise Refusal(422, code, f"“{name}”: {wrong}") from None


def release_to_ask_of(view: Asking, request: Request, slug: str, number: int | None) -> Release:
    """For whoever may ask for more of it: 401, 403 or 404 for others."""
    view.require_token(request)
    release = view.release(request, slug, number)
    if has_role(view.visitor(request, slug), release.survey, Role.RESEARCHER):
        return release
    if has_role(view.visitor(request, slug, Scope.MICRODATA), release.survey, Role.RESEARCHER):
        raise InsufficientScope
    raise Http404
