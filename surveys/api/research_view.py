"""The base of the views for researchers: authentication, the release, and caching."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import ParseError, PermissionDenied
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from ldp.forms.definition import groups
from surveys import __version__
from surveys.access import (
    Visitor,
    downloadable_release,
    may_ask_for_microdata,
    may_take_microdata,
    through,
    visible_release,
    visible_survey,
)
from surveys.api.authentication import BearerToken
from surveys.api.throttling import Throttle
from surveys.models import Release, Scope, Survey, Token
from surveys.researcher.downloads import catalog
from surveys.researcher.results import response_cache
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets import tables

FRESH = 24 * 3600  # seconds: a release never changes, but its publication and the software may
JSON = "application/json"


class InsufficientScope(PermissionDenied):
    default_code = "insufficient_scope"
    default_detail = "You may do this, but your token does not allow it."


class AsItIs(BaseContentNegotiation):
    """Each URL has one format, whatever the client accepts."""

    def select_parser(self, request: Request, parsers: list[Any]) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: list[BaseRenderer], suffix: str = "") -> Any:
        return renderers[0], renderers[0].media_type


class ResearchView(APIView):
    """A view for clients with a token, signed-in browsers, and anyone if results are public."""

    authentication_classes = [BearerToken, SessionAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [Throttle]
    content_negotiation_class = AsItIs

    def initial(self, request: Request, *args: Any, **options: Any) -> None:
        super().initial(request, *args, **options)
        _refuse_unknown(request, getattr(self, str(request.method).lower(), None))

    def visitor(self, request: Request, slug: str, scope: Scope = Scope.RESULTS) -> Visitor:
        return through(request.user, token_of(request), slug, scope)

    def survey(self, request: Request, slug: str) -> Survey:
        """Return the survey. Raise 404 if the client may not see its results."""
        return visible_survey(self.visitor(request, slug), slug)

    def release(self, request: Request, slug: str, number: int | None) -> Release:
        """Return the release with this number, or the newest. Raise 404 if it is missing or hidden from the client."""
        return _there(*visible_release(self.visitor(request, slug), slug, number))

    def downloadable(self, request: Request, slug: str, number: int | None) -> Release:
        """Return a release whose results or microdata the user may have."""
        return _there(*downloadable_release(self.visitor(request, slug), slug, number))

    def release_with_reports(self, request: Request, slug: str, number: int | None, ask: bool = False) -> Release:
        """Return a release whose microdata the user may have or, with `ask`, may request. Raise 403 if only the token's
        scope is missing."""
        release = self.downloadable(request, slug, number)
        may = may_ask_for_microdata if ask else may_take_microdata
        if may(self.visitor(request, slug, Scope.MICRODATA), release.survey):
            return release
        if may(self.visitor(request, slug), release.survey):
            raise InsufficientScope
        raise Http404


class Asking(ResearchView):
    """A view that visitors may read, but that takes requests only with a token. So a page of another site cannot make a
    browser send a request."""

    def get_authenticators(self) -> list[object]:
        if self.request is not None and self.request.method not in SAFE_METHODS:
            return [BearerToken()]
        return super().get_authenticators()  # type: ignore[no-any-return]

    def require_token(self, request: Request) -> None:
        """Raise 401 without a token."""
        if not IsAuthenticated().has_permission(request, self):
            self.permission_denied(request)


def _refuse_unknown(request: Request, method: Any) -> None:
    """Refuse unknown parameters with 400 and list the known ones. If they were ignored, they would seem to work."""
    known: frozenset[str] | None = getattr(method, "query", None)
    if known is None or known.issuperset(request.query_params):
        return
    unknown = min(set(request.query_params) - known)
    others = ", ".join(f"“{name}”" for name in sorted(known))
    raise ParseError(
        f"“{unknown}” is no parameter of this address: " + (f"it has {others}." if others else "it has none.")
    )


def _there(survey: Survey, release: Release | None) -> Release:
    if release is not None:
        return release
    if survey.fewer_than:
        each = (
            " of each form" if "forms" in survey.definition else " of each group" if groups(survey.definition) else ""
        )
        raise Http404(f"The survey ended with fewer than {survey.fewer_than} reports{each}: nothing is published.")
    raise Http404("The survey has no release yet.")


def with_bom(request: Request) -> bool:
    """Return whether the CSV shall begin with a byte order mark."""
    value = request.query_params.get("bom")
    if value not in (None, "1"):
        raise ParseError("“bom” is 1 or absent.")
    return value is not None


def token_of(request: Request) -> Token | None:
    return request.auth if isinstance(request.auth, Token) else None


def answer(request: HttpRequest, data: Any) -> HttpResponse:
    """Return data as JSON with an ETag by content, or 304."""
    return response_cache.respond(request, response_cache.content(json.dumps(data, ensure_ascii=False).encode()), JSON)


def as_file(request: Request, made: Any, forms: Made, format: str, name: str) -> HttpResponse:
    """Return a document as JSON, or as a CSV for download."""
    content_type, make = forms[format]
    content = tables.marked(make(made)) if format == "csv" and with_bom(request) else make(made)
    response = response_cache.respond(request, response_cache.content(content), content_type)
    disposition = "inline" if format == "json" else "attachment"
    response["Content-Disposition"] = f'{disposition}; filename="{name}"'
    return response


def streamed(view: ResearchView, request: Request, slug: str, number: int | None, name: str) -> Any:
    """Return a file of the release, sent while it is computed."""
    release = view.release(request, slug, number)
    # The release and its totals determine the file.
    tag = f'W/"{release.digest[:32]}-{release.number}-{__version__}"'
    response: Any = get_conditional_response(request._request, etag=tag)
    if response is None:
        lines = (line.encode() for line in catalog.lines(release, name))
        response = StreamingHttpResponse(lines, content_type=catalog.content_type(name))
    response["ETag"] = tag
    return of_release(response, release.survey, number)


def of_today(response: HttpResponse) -> HttpResponse:
    """Return the response marked for revalidation at each request."""
    patch_cache_control(response, private=True, no_cache=True)
    return response


def of_release(response: HttpResponse, survey: Survey, number: int | None) -> HttpResponse:
    """Return the response with its cache control. A response for a release's number never changes."""
    who: Any = {"public": True} if survey.results_public else {"private": True}
    patch_cache_control(response, **who, **({"no_cache": True} if number is None else {"max_age": FRESH}))
    if not survey.results_public:
        patch_vary_headers(response, ["Authorization", "Cookie"])
    return response
