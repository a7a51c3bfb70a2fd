"""Responses about a release, made and compressed once per process. A release never changes.

Each has a tag by its content. A reader who has the response already gets only a 304. The bytes contain nothing secret
beside the request's data, so their compressed length reveals nothing.
"""

import gzip
import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from ldp.document import Document
from surveys.models import Release

COMPRESSED_FROM = 1024  # bytes; smaller responses are not compressed


class Content(NamedTuple):
    tag: str
    plain: bytes
    packed: bytes


def content(text: str | bytes, name: str = "") -> Content:
    """Return the text and its compressed form. The ETag is `name`, or the digest of the text."""
    body = text.encode() if isinstance(text, str) else text
    tag = f'W/"{name or hashlib.sha256(body).hexdigest()[:32]}"'  # weak: the same for both forms
    return Content(tag, body, gzip.compress(body, 6, mtime=0) if len(body) >= COMPRESSED_FROM else b"")


def respond(request: HttpRequest, kept: Content, content_type: str) -> HttpResponse:
    """Return the cached bytes in an encoding that the client accepts, or 304."""
    response = get_conditional_response(request, etag=kept.tag)
    if response is None:
        packed = bool(kept.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(kept.packed if packed else kept.plain, content_type=content_type)
        if packed:
            response["Content-Encoding"] = "gzip"
    response["ETag"] = kept.tag
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def document(release: Release) -> Document:
    """Return the estimates of a release. Its field may be deferred."""
    return document_of(release.survey.slug or "", release.number)


@lru_cache(maxsize=16)
def document_of(slug: str, number: int) -> Document:
    document = Release.objects.values_list("document", flat=True).get(survey__slug=slug, number=number)
    assert document is not None
    return cast(Document, document)


def generated(release: Release, make: Callable[[Document], str | bytes]) -> Content:
    """Return the cached result of `make`, a function of a module, for a release's estimates."""
    return _generated(release.survey.slug or "", release.number, make)


@lru_cache(maxsize=32)
def _generated(slug: str, number: int, make: Callable[[Document], str | bytes]) -> Content:
    body = make(document_of(slug, number))
    return content(body)
