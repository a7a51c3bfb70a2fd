"""Refusals as problem documents (RFC 9457): which rule, which field, never a value that was sent."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

CONTENT_TYPE = "application/problem+json"


def problem_document(status: int, name: str, title: str, detail: Any) -> dict[str, Any]:
    """A problem document. `name` is the last part of its type and stays the same between versions."""
    return {"type": f"/problems/{name}", "title": title, "status": status, "detail": detail}


def handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's own refusals in the same form."""
    response = exception_handler(exception, context)
    if response is not None:
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        name = getattr(exception, "default_code", "refused")
        response.data = problem_document(response.status_code, name, response.status_text, detail)
        response.content_type = CONTENT_TYPE
    return response
