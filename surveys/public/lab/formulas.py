"""docs/mathematics.md as a page, so that every figure links to its formula. The text is the same for everyone."""

import functools

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from surveys.public.lab import markdown
from surveys.public.lab.frame import frame
from surveys.public.lab.inputs import read

PATH = settings.BASE_DIR / "docs" / "mathematics.md"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    form = read(request.GET)
    form.is_valid()
    text, contents = _document()
    context = frame(None, form) | {"text": text, "contents": contents, "name": "lab-mathematics"}
    response = render(request, "public/lab/mathematics.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


@functools.cache
def _document() -> tuple[SafeString, list[markdown.Heading]]:
    """Return the document without its first heading, which is the page's."""
    _title, _, source = PATH.read_text(encoding="utf-8").partition("\n")
    text, headings = markdown.html(source)
    return mark_safe(text), [heading for heading in headings if heading.level <= 3]  # escaped by markdown
