"""Operations on a survey of the studio. Each is declared once: description, roles, input and answer. The types of a
method are its description: the return type is the answer, and `wanted` the body."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from types import NoneType
from typing import Any, get_type_hints

from django.http import HttpResponse, JsonResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.research_view import answer, of_today
from surveys.api.studio.guard import Studio
from surveys.drafts import NotDraft
from surveys.models import Role, Survey

STUDIO = "Studio"
# Changes need a token, and never get a 304.
changing = partial(operation, conditional=False, known_by=["token"])


def number(name: str, description: str, example: int = 4, most: int = 10**9) -> OpenApiParameter:
    """Return the path parameter for the number of a part of the survey."""
    kind = {"type": "integer", "minimum": 1, "maximum": most, "examples": [example]}
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, description=description)


SURVEY = number("survey", "The survey’s number, as in the URLs of the studio.", 17)


def reads(
    name: str,
    summary: str,
    description: str,
    sentence: str,
    *,
    tag: str = STUDIO,
    role: Role = Role.DESIGNER,
    draft: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
    refused: Sequence[int] = (),
) -> Callable[[Any], Any]:
    """Return a method that returns a document about a survey to people with this role; `draft`: only about drafts."""

    def declared(method: Any) -> Any:
        def handle(self: Studio, request: Request, survey: int, **place: Any) -> HttpResponse:
            return of_today(
                answer(request, method(self, request, _survey(self, request, survey, role, draft), **place))
            )

        return operation(
            name,
            summary,
            description,
            {200: (schema(_types(method)["return"]), sentence)},
            tag=tag,
            parameters=[SURVEY, *parameters],
            refused=[403, *refused],
            known_by=["token", "session"],
        )(wraps(method)(handle))

    return declared


def changes(
    name: str,
    summary: str,
    description: str,
    sentence: str,
    *,
    tag: str = STUDIO,
    role: Role = Role.DESIGNER,
    draft: bool = False,
    status: int = 200,
    keyed: bool = False,
    secret: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
    refused: Sequence[int] = (),
) -> Callable[[Any], Any]:
    """Return a method that changes a survey and returns the new state, if any. A `keyed` change is made once for each
    Idempotency-Key. The answer of a `secret` one is shown only once."""

    def declared(method: Any) -> Any:
        types = _types(method)
        body, answered = types.get("wanted"), types["return"]

        def handle(self: Studio, request: Request, survey: int, **place: Any) -> HttpResponse:
            arguments = [_survey(self, request, survey, role, draft), *([read(request, body)] if body else [])]
            make = partial(method, self, request, *arguments, **place)
            if keyed:
                return json_answer(*once(request, self.person(request), lambda: (status, make()), secret))
            document = make()
            return HttpResponse(status=status) if answered is NoneType else json_answer(status, document)

        return changing(
            name,
            summary,
            description,
            {status: (None if answered is NoneType else schema(answered), sentence)},
            tag=tag,
            parameters=[SURVEY, *parameters, *([HEADER] if keyed else [])],
            refused=[403, *refused],
            body=schema(body) if body else None,
        )(wraps(method)(handle))

    return declared


def json_answer(status: int, data: object) -> HttpResponse:
    return JsonResponse(data, status=status, safe=False, json_dumps_params={"ensure_ascii": False})


def _types(method: Any) -> dict[str, Any]:
    return get_type_hints(method, include_extras=True)


def _survey(view: Studio, request: Request, number: int, role: Role, draft: bool) -> Survey:
    survey = view.survey_for(request, number, role)
    if draft and not survey.is_draft:
        raise NotDraft
    return survey
