"""Refusals as problem documents (RFC 9457): which rule, which field, never a value that was sent."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

CONTENT_TYPE = "application/problem+json"


def problem(status: int, name: str, title: str, detail: str, **more: Any) -> HttpResponse:
    """A problem document. `name` is the last part of its type and stays the same between versions."""
    document = {"type": f"/problems/{name}", "title": title, "status": status, "detail": detail} | more
    return JsonResponse(document, status=status, content_type=CONTENT_TYPE)


def handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's own refusals in the same form."""
    response = exception_handler(exception, context)
    if response is not None:
        name = (
            getattr(exception, "default_code", "refused")
            if isinstance(exception, exceptions.APIException)
            else "refused"
        )
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        title = response.status_text
        response.data = {"type": f"/problems/{name}", "title": title, "status": response.status_code, "detail": detail}
        response.content_type = CONTENT_TYPE
    return response
