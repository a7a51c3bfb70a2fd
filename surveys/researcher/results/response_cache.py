"""The responses about a release, made once by each process, compressed once, and named by their content: a release
never changes. Readers who have one already get only a 304, which costs almost nothing.

Nothing secret is in these bytes beside the request's own data, so their compressed length reveals nothing.
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

COMPRESSED_FROM = 1024  # bytes; less is not worth it


class Content(NamedTuple):
    tag: str
    plain: bytes
    packed: bytes


def content(text: str | bytes, name: str = "") -> Content:
    """Return the text with its compressed form. Its ETag is `name`, or the digest of the text."""
    body = text.encode() if isinstance(text, str) else text
    tag = f'W/"{name or hashlib.sha256(body).hexdigest()[:32]}"'  # weak: it names both forms
    return Content(tag, body, gzip.compress(body, 6, mtime=0) if len(body) >= COMPRESSED_FROM else b"")


def respond(request: HttpRequest, kept: Content, content_type: str) -> HttpResponse:
    """Return the kept bytes as the client takes them, or 304."""
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
    """Return the estimates of a release, whose own field may be deferred."""
    return document_of(release.survey.slug or "", release.number)


@lru_cache(maxsize=16)
def document_of(slug: str, number: int) -> Document:
    document = Release.objects.values_list("document", flat=True).get(survey__slug=slug, number=number)
    assert document is not None
    return cast(Document, document)


def generated(release: Release, make: Callable[[Document], str | bytes]) -> Content:
    """Return what `make`, a function of a module, makes of a release's estimates."""
    return _generated(release.survey.slug or "", release.number, make)


@lru_cache(maxsize=32)
def _generated(slug: str, number: int, make: Callable[[Document], str | bytes]) -> Content:
    body = make(document_of(slug, number))
    return content(body)
