"""The parts of the OpenAPI description that its generator cannot see. They are the intake, which is a plain Django view
for speed, and the format of definitions, which are stored JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings

from ldp.forms.schema import KEY
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import PROBLEM, SLUG
from surveys.api.openapi_webhooks import WEBHOOKS
from surveys.respondent.intake.problems import CONTENT_TYPE
from surveys.respondent.intake.refusals import OF_REPORTS, OF_SIGNATURES, ReportRefusal
from surveys.rules.spelling import PATTERN
from surveys.survey.definition.document import Definition
from surveys.survey.mechanisms import MECHANISMS
from surveys.survey.mechanisms.protocol import BITS, LIST, LISTS, PAIRS, WHOLE, ReportFormat


def _report_values() -> list[dict[str, Any]]:
    """Return the formats of a question's report, as the mechanisms state them."""
    return [form.schema | {"description": _description(form)} for form in (WHOLE, BITS, LIST, PAIRS, LISTS)]


def _description(form: ReportFormat) -> str:
    """Return the contents of a report, with the mechanisms that send it."""
    names: dict[str, list[str]] = {}
    for name, mechanism in MECHANISMS.items():
        if mechanism.report.format is form:
            names.setdefault(mechanism.report.holds, []).append(name)
    parts = [f"{', '.join(those)}: {holds}" for holds, those in names.items()]
    return "; ".join([*parts, form.together] if form.together else parts)


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
_SENT = {
    "report_id": "2265b1f5-91b7-484a-98f1-6adfcd613e30",
    "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}
_NUMBER = {"type": "string", "pattern": f"^{KEY}$", "examples": ["A" * 342]}
_INVITATION = {
    "type": "object",
    "required": ["token", "blinded"],
    "additionalProperties": False,
    "properties": {
        "token": {
            "type": "string",
            "pattern": f"^{PATTERN}{{27,28}}$",
            "description": "The last part of the invitation's link. Its last letter is a check.",
        },
        "blinded": _NUMBER | {"description": "The blinded message: 256 bytes in base64url without padding."},
    },
}
_SIGNED = {
    "application/json": {"schema": {"type": "object", "required": ["signature"], "properties": {"signature": _NUMBER}}}
}
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
        "form": {
            "type": "integer",
            "minimum": 0,
            "description": (
                "The form that was drawn by the definition's weights before anything was asked, from 0 on. It is "
                "there exactly where the definition has forms."
            ),
        },
        "group": {
            "type": "integer",
            "minimum": 0,
            "description": (
                "The group that the invitation was made for, from 0 on, whose key has signed the report. It is there "
                "exactly where the definition's invitations have groups."
            ),
        },
        "answers": {
            "type": "object",
            "description": (
                "Every question's key with its randomized value, which is written as the question's mechanism in the "
                "definition says; nothing else is accepted. Where there are forms: the questions of the report's form "
                "and those of no form. Of questions that a form randomizes together each has its own whole number."
            ),
            "additionalProperties": {"anyOf": _report_values()},
        },
        "signature": _NUMBER
        | {
            "description": (
                "The signature of the digest and the report's id by the survey's key, or the group's, unblinded. It is "
                "there exactly where the definition has invitations."
            )
        },
    },
    "examples": [
        _SENT | {"answers": {"by_bike": 1, "reasons": [[1, 0], [2, 1]], "distance": [0, -3, 6]}},
        _SENT | {"form": 0, "answers": {"region": 2, "drugs": 0, "age": 3}},
    ],
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
        "description": "A token of /account/tokens/. It can do what its owner may do, or less.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": settings.SESSION_COOKIE_NAME,
        "description": "The cookie of a browser that is signed in; for reading only.",
    },
}


def add_intake(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the intake, the format of definitions, required bodies and authentication; a hook of drf-spectacular."""
    _require_bodies(result["paths"])
    defined = result["paths"]["/api/v1/surveys/{slug}/definition"]["get"]["responses"]["200"]
    defined["content"]["application/json"]["schema"] = schema(Definition)
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
                **_refusals(OF_REPORTS),
            },
        }
    }
    result["paths"]["/api/v1/surveys/{slug}/signature"] = {
        "post": {
            "operationId": "sign",
            "summary": "Use an invitation",
            "description": (
                "For a survey by invitation: the blind signature (RFC 9474, RSABSSA-SHA384-PSS-Deterministic) that "
                "lets one report in, by the key whose modulus the definition names. What is blinded is the ASCII text "
                "“deniable report”, a line feed, the digest, a line feed and the report's id. Keep what was blinded: "
                "the same token with the same blinded message gets the same signature again, with another none."
            ),
            "tags": ["Respondents"],
            "security": [{}],
            "parameters": [_SLUG],
            "requestBody": {"required": True, "content": {"application/json": {"schema": _INVITATION}}},
            "responses": {
                "200": {"description": "The blind signature.", "content": _SIGNED},
                **_refusals(OF_SIGNATURES),
            },
        }
    }
    result["webhooks"] = WEBHOOKS
    result.setdefault("components", {})["securitySchemes"] = _WAYS
    return result


def _require_bodies(paths: Mapping[str, Any]) -> None:
    """Make bodies required, except for objects without a required field."""
    for operations in paths.values():
        for operation in operations.values():
            if body := operation.get("requestBody"):
                kinds = [content["schema"] for content in body["content"].values()]
                body["required"] = any(kind.get("type") != "object" or kind.get("required") for kind in kinds)


def _refusals(refusals: Iterable[ReportRefusal]) -> dict[str, Any]:
    described = sorted((refusal.status, refusal.described) for refusal in refusals if refusal.described)
    return {str(status): {"description": text, "content": _PROBLEM} for status, text in described}
