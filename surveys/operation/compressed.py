"""Compressed answers for the respondents' page, whose every byte is waited for on a slow network."""

import gzip
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

_gzip = lru_cache(maxsize=128)(lambda content: gzip.compress(content, 9, mtime=0))


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response with its body compressed, if whoever asks understands that.

    Only for bodies in which nothing is secret from whoever can choose a part of them: lengths tell.
    """
    patch_vary_headers(response, ("Accept-Encoding",))
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = _gzip(response.content)
        response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(response.content))
    return response
