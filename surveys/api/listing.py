"""The surveys that a user may see, and the releases of one."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated, ParseError
from rest_framework.request import Request

from surveys.access import role_of, surveys_of
from surveys.api.documents import ReleaseDocument, ReleasePage, SurveyDocument, SurveyPage
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import NUMBER, SLUG, operation
from surveys.api.research_view import ResearchView, answer, of_release, of_today, token_of
from surveys.models import Release, Scope, Survey

SIZE, SIZE_MAX, NUMBER_MAX = 50, 200, 10**15
PARTS = [
    *(
        OpenApiParameter(name, {"type": "integer", "minimum": 1, "maximum": NUMBER_MAX}, description=text)
        for name, text in (
            ("after", "As in “next”: the items after the one with this number."),
            ("before", "As in “previous”: the items before it."),
        )
    ),
    OpenApiParameter(
        "size",
        {"type": "integer", "minimum": 1, "maximum": SIZE_MAX, "default": SIZE},
        description="The size of a page.",
    ),
]


class SurveysView(ResearchView):
    """The surveys on which the user has a role."""

    @operation(
        "surveys",
        "Your surveys",
        "The opened surveys on which you have a role, newest first. A token for one survey shows only that one.",
        {200: (schema(SurveyPage), "Part of the list.")},
        tag="Surveys",
        parameters=PARTS,
        known_by=["token", "session"],
    )
    def get(self, request: Request) -> HttpResponse:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        surveys, token = surveys_of(request.user).exclude(state=Survey.State.DRAFT), token_of(request)
        if token is not None:
            surveys = surveys.filter(pk=token.survey_id) if token.survey_id else surveys
            surveys = surveys if token.has(Scope.RESULTS) else surveys.none()
        part = in_parts(request, surveys, lambda survey: _survey(request, survey))
        return of_today(answer(request, part))


class SurveyView(ResearchView):
    @operation(
        "survey",
        "A survey",
        "The survey and its newest release.",
        {200: (schema(SurveyDocument), "The survey.")},
        tag="Surveys",
        parameters=[SLUG],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return of_today(answer(request, _survey(request, self.survey(request, slug))))


class ReleasesView(ResearchView):
    @operation(
        "releases",
        "The releases of a survey",
        "All releases of the survey, newest first.",
        {200: (schema(ReleasePage), "Part of the list.")},
        tag="Releases",
        parameters=[SLUG, *PARTS],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        releases = Release.objects.readable(self.survey(request, slug))
        return of_today(answer(request, in_parts(request, releases, _release, "-number")))


class ReleaseView(ResearchView):
    @operation(
        "release",
        "A release",
        "Its number, day and size. The answer for a number never changes.",
        {200: (schema(ReleaseDocument), "The release.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> HttpResponse:
        release = self.release(request, slug, number)
        return of_release(answer(request, _release(release)), release.survey, number)


def _survey(request: Request, survey: Survey) -> SurveyDocument:
    token = token_of(request)
    known = token is None or token.reaches(survey.slug or "", Scope.RESULTS)
    latest = Release.objects.readable(survey).last()
    return {
        "slug": survey.slug or "",
        "title": survey.title,
        "state": "open" if survey.state == Survey.State.OPEN else "closed",
        "role": role_of(request.user, survey) if known else None,
        "results_public": survey.results_public,
        "digest": survey.digest,
        "alpha_total": survey.alpha_total,
        "questions": len(survey.questions),
        "latest": _release(latest) if latest else None,
        "too_few": survey.fewer_than is not None,
        "url": absolute("api-survey", survey.slug),
    }


def _release(release: Release) -> ReleaseDocument:
    return {
        "number": release.number,
        "day": release.day.isoformat(),
        "final": release.final,
        "n": release.n,
        "totals_digest": release.digest,
        "url": absolute("api-release", release.survey.slug, release.number),
    }


def absolute(name: str, *values: object) -> str:
    """Return a URL on the site, or on the staff host if there is one."""
    return settings.STAFF_URL + reverse(name, args=values)


def in_parts(request: Request, rows: Any, tell: Any, order: str = "-pk") -> Any:
    """Return part of the rows, with the URLs of the parts before and after. Parts are split by a row's number, so that
    no row is missing after a deletion. `order` is the field of that number, with “-” for the largest first."""
    field, size = order.removeprefix("-"), _number(request, "size", SIZE_MAX) or SIZE
    beyond, before = ("lt", "gt") if order.startswith("-") else ("gt", "lt")
    after, until = _number(request, "after", NUMBER_MAX), _number(request, "before", NUMBER_MAX)

    def some(after: int | None, until: int | None) -> Any:
        ends = {f"{field}__{beyond}": after, f"{field}__{before}": until}
        return rows.filter(**{name: number for name, number in ends.items() if number is not None})

    def address(**where: int | None) -> str:
        query = {name: number for name, number in where.items() if number is not None}
        return f"{settings.STAFF_URL}{request.path}?{urlencode({**query, 'size': size})}"

    wanted = some(after, until).order_by(order)
    backwards = until is not None and after is None
    part = list(wanted.reverse()[:size])[::-1] if backwards else list(wanted[:size])
    # Without rows there is no neighbour. Between two numbers there is no row beyond either.
    first, last = [getattr(row, field) for row in (*part[:1], *part[-1:])] or (0, 0)
    end, begin = (None, None) if until is None or after is None else (until, after)
    more, less = some(last, end), some(begin, first)
    return {
        "count": rows.count(),
        "next": address(after=last, before=end) if part and more.exists() else None,
        "previous": address(before=first) if part and less.exists() else None,
        "items": [tell(row) for row in part],
    }


def _number(request: Request, name: str, most: int) -> int | None:
    """Return the number with this name in the query, if any."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise ParseError(f"“{name}” is a whole number from 1 to {most}.")
    return int(text)
