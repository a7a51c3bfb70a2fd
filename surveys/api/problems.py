"""Django REST framework's own refusals as problem documents."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

from surveys.intake.problems import CONTENT_TYPE, problem_document


def handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal in the form that the intake's have."""
    response = exception_handler(exception, context)
    if response is not None:
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        name = getattr(exception, "default_code", "refused")
        response.data = problem_document(response.status_code, name, response.status_text, detail)
        response.content_type = CONTENT_TYPE
    return response
