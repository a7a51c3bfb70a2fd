"""Refusals as problem documents: those of Django REST framework, and of Django before a view is found."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from surveys.api.documents import BrokenRule
from surveys.respondent.intake.problems import CONTENT_TYPE, problem_document


class Refusal(APIException):
    """The request is readable but refused, with a code and a sentence."""

    def __init__(self, status: int, code: str, sentence: str, rules: Sequence[BrokenRule] = ()) -> None:
        super().__init__(sentence)
        self.status_code, self.default_code, self.rules = status, code, list(rules)


def handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Return every refusal in the format of the intake's."""
    response = exception_handler(exception, context)
    if response is not None:
        detail = response.data.get("detail", response.data) if isinstance(response.data, dict) else response.data
        name = getattr(exception, "default_code", "not_found" if response.status_code == 404 else "refused")
        response.data = problem_document(response.status_code, name, response.status_text, detail)
        if rules := getattr(exception, "rules", None):
            response.data["rules"] = rules
        response.content_type = CONTENT_TYPE
    return response


def nothing_here() -> HttpResponse:
    return _problem(404, "not_found", "Not Found", "The API has nothing at this URL.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the site's handler400. Requests to the API get the API's format."""
    if request.path_info.startswith("/api/v1/"):
        return _problem(400, "bad_request", "Bad Request", "The request cannot be read.")
    return defaults.bad_request(request, exception)


def _problem(status: int, name: str, title: str, detail: str) -> HttpResponse:
    return JsonResponse(problem_document(status, name, title, detail), status=status, content_type=CONTENT_TYPE)
