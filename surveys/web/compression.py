"""Compressed responses for the respondents' page, which must load fast on slow networks."""

import gzip
import re
from functools import lru_cache

import brotli
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

# The best first. Browsers accept Brotli over https only, which respondents use.
_ENCODINGS = {
    "br": lru_cache(maxsize=128)(lambda content: brotli.compress(content, quality=11)),
    "gzip": lru_cache(maxsize=128)(lambda content: gzip.compress(content, 9, mtime=0)),
}


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response with a compressed body, if the client accepts that.

    A body must not have both a secret and a part that an attacker chooses: its length would reveal the secret.
    """
    patch_vary_headers(response, ("Accept-Encoding",))
    accepted = _accepted(request.headers.get("Accept-Encoding", ""))
    for name, compress in _ENCODINGS.items():
        if name in accepted:
            response.content = compress(response.content)
            response["Content-Encoding"] = name
            response["Content-Length"] = str(len(response.content))
            break
    return response


def _accepted(header: str) -> set[str]:
    """Return the encodings that an Accept-Encoding header accepts (RFC 9110)."""
    parts = [part.partition(";") for part in header.lower().split(",")]
    return {name.strip() for name, _, weight in parts if not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight)}
