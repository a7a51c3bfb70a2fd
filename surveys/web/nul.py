"""NUL bytes. They mean nothing in a text, and PostgreSQL refuses queries with one."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.views.defaults import bad_request

NUL = "\0"


class RefuseNul:
    """Answer 400 to a URL with a NUL byte, and drop a cookie with one. Forms refuse it in their fields. Any other error
    after a POST with a NUL byte becomes 400, too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        texts = (text for name, values in request.GET.lists() for text in (name, *values))
        if NUL in request.path_info or any(NUL in text for text in texts):
            raise BadRequest("The URL holds a NUL byte.")
        for name in [name for name, value in request.COOKIES.items() if NUL in name + value]:
            del request.COOKIES[name]
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if any(NUL in text for name, values in request.POST.lists() for text in (name, *values)):
            return bad_request(request, exception)
        return None
