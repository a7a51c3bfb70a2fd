"""Operations in the OpenAPI description, with the answers that every URL can return."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from surveys.api.documents import Problem
from surveys.api.json_schema import schema
from surveys.respondent.intake.problems import CONTENT_TYPE

PROBLEM = schema(Problem)
PROBLEMS = {
    400: "The request is not as this description says.",
    401: "The token is not valid, or a token is needed and missing.",
    403: "Your token is not for this.",
    404: "There is no such thing, or you may not see it: the answer does not say which.",
    409: "It cannot be done now.",
    410: "The thing it made has been deleted.",
    413: "It is too large.",
    416: "The file has no such bytes.",
    422: "It cannot be done with these: the detail says why.",
    429: "Too many requests in a minute.",
    503: "It cannot be made now: try again later.",
}

NUMBER = OpenApiParameter(
    "number",
    {"type": "string", "pattern": "^(latest|[1-9][0-9]{0,8})$", "examples": ["latest"]},
    OpenApiParameter.PATH,
    description="The number of the release, from 1 on; or “latest”.",
)
SLUG = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "examples": ["travel"]},
    OpenApiParameter.PATH,
    description="The survey’s name in URLs.",
)
BOM = OpenApiParameter(
    "bom", OpenApiTypes.STR, enum=["1"], description="Begin with a byte order mark, which some spreadsheets need."
)
_ASKED = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="ETags that you have: 304 if it is one of them.",
)
_WAIT = OpenApiParameter(
    "Retry-After", OpenApiTypes.INT, OpenApiParameter.HEADER, response=[429], description="Seconds."
)
_HOW = OpenApiParameter(
    "WWW-Authenticate", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[401], description="Bearer."
)


def operation(
    name: str,
    summary: str,
    description: str,
    answers: Mapping[int | tuple[int, str], tuple[Any, str]],
    *,
    tag: str,
    parameters: Sequence[OpenApiParameter] = (),
    refused: Sequence[int] = (),
    conditional: bool = True,
    known_by: Sequence[str] = ("token", "session", ""),
    body: Any = None,
    media_type: str = "application/json",
) -> Callable[[Any], Any]:
    """Describe a method for OpenAPI.

    `answers` maps each status, or a status and a media type, to a schema and a sentence. `refused` are additional
    statuses. A `conditional` method has an ETag. `known_by` says who may call it; "" is anyone. `body` is the schema of
    the body with `media_type`. The method's `query` has the query parameters that it reads.
    """
    responses: dict[Any, Any] = {
        status: OpenApiResponse(made, description=sentence) for status, (made, sentence) in answers.items()
    }
    in_path = any(each.location == OpenApiParameter.PATH for each in parameters)
    codes = {status for status in (key if isinstance(key, int) else key[0] for key in answers) if status < 300}
    more = [*parameters, _WAIT, _HOW]
    if conditional:
        more += [_ASKED, _etag([*sorted(codes), 304])]
        responses[304] = OpenApiResponse(None, description="You have it already.")
    for status in sorted({400, 401, 429, *refused} | ({404} if in_path else set())):
        responses[status, CONTENT_TYPE] = OpenApiResponse(PROBLEM, description=PROBLEMS[status])
    # A body has no other fields than those in its schema.
    closed = {"additionalProperties": False} if body and "properties" in body else {}
    security: list[Any] = [{way: []} if way else {} for way in known_by]
    described = extend_schema(
        operation_id=name,
        summary=summary,
        description=description,
        tags=[tag],
        parameters=more,
        request={media_type: body | closed} if body else None,
        responses=responses,
        auth=security,
    )
    query = frozenset(each.name for each in parameters if each.location == OpenApiParameter.QUERY)

    def known(method: Any) -> Any:
        method.query = query
        return described(method)

    return known


def _etag(statuses: list[int]) -> OpenApiParameter:
    return OpenApiParameter(
        "ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=statuses, description="Names these bytes."
    )
