"""What the generator of the OpenAPI description cannot see: the intake, a plain Django view for speed, and the form of
definitions, which are stored JSON."""

from typing import Any

from django.conf import settings

from surveys.api.openapi_estimates import DEFINITION
from surveys.api.openapi_operation import PROBLEM, SLUG
from surveys.api.openapi_values import report_values
from surveys.intake.problems import CONTENT_TYPE
from surveys.intake.refusals import OF_REPORTS

_PROBLEM = {CONTENT_TYPE: {"schema": PROBLEM}}
_RECORDED = {
    "application/json": {
        "schema": {
            "type": "object",
            "required": ["report_id", "status"],
            "properties": {"report_id": {"type": "string", "format": "uuid"}, "status": {"type": "string"}},
        }
    }
}
_UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
_REPORT = {
    "type": "object",
    "required": ["report_id", "digest", "answers"],
    "additionalProperties": False,
    "properties": {
        "report_id": {
            "type": "string",
            "format": "uuid",
            "pattern": _UUID,
            "description": "Random: version 4.",
        },
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "Of the survey's definition."},
        "answers": {
            "type": "object",
            "description": (
                "Every question's key with its randomized value. Its form follows from the question's mechanism in the "
                "definition; nothing else is accepted."
            ),
            "additionalProperties": {"anyOf": report_values()},
        },
    },
}


_SLUG = {
    "in": "path",
    "name": "slug",
    "required": True,
    "schema": SLUG.type,
    "description": SLUG.description,
}
_WAYS = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "dnb_ and 43 characters",
        "description": "A token of /account/tokens/. It opens what its owner may open, or less.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": settings.SESSION_COOKIE_NAME,
        "description": "Of a browser that is signed in; for reading only.",
    },
}


def add_intake(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: the intake, what definitions hold, ways to be known."""
    defined = result["paths"]["/api/v1/surveys/{slug}/definition"]["get"]["responses"]["200"]
    defined["content"]["application/json"]["schema"] = DEFINITION
    result["paths"]["/api/v1/surveys/{slug}/reports"] = {
        "post": {
            "operationId": "report",
            "summary": "Send a randomized report",
            "description": (
                "Answered only after a durable commit. Sending the same bytes again is safe: the answer is 200 and the "
                "report is counted once."
            ),
            "tags": ["Respondents"],
            "security": [{}],
            "parameters": [_SLUG],
            "requestBody": {"required": True, "content": {"application/json": {"schema": _REPORT}}},
            "responses": {
                "201": {"description": "Recorded.", "content": _RECORDED},
                "200": {
                    "description": "A report with this id had been recorded before; nothing is recorded again.",
                    "content": _RECORDED,
                },
                **_refusals(),
            },
        }
    }
    result.setdefault("components", {})["securitySchemes"] = _WAYS
    return result


def _refusals() -> dict[str, Any]:
    described = sorted((refusal.status, refusal.described) for refusal in OF_REPORTS if refusal.described)
    return {str(status): {"description": text, "content": _PROBLEM} for status, text in described}
