"""The lab's pages, figures and numbers: for everyone, the same for the same URL, at a bounded cost."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from surveys import __version__
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.public.lab import layout
from surveys.public.lab.curves import charts
from surveys.public.lab.curves.numbers import Numbers
from surveys.public.lab.figures import FIGURES
from surveys.public.lab.frame import frame, words
from surveys.public.lab.inputs import NumbersInput, address, chosen_numbers, read
from surveys.public.lab.rooms import ROOMS, Room
from surveys.researcher.results import response_cache
from surveys.rules.context import Context
from surveys.web.gate import Gate, GateBusy, later
from surveys.web.language import with_language

PICTURES_KEPT, TABLES_KEPT, PAGES_KEPT = 256, 128, 64  # in memory, about 40 kB each with its compressed form
FRESH = 600  # seconds
GATE = Gate()


# Pages ----------------------------------------------------------------------------------------------------------------


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a room with the numbers in the URL. Numbers that the room does not show are kept for its links."""
    form, room = read(request.GET), ROOMS[name]
    if not form.is_valid():
        response = render(request, "public/lab/refused.html", frame(room, form), status=422)
        patch_cache_control(response, private=True, no_cache=True)
        return response
    try:
        texts = tuple((field, str(text)) for field, text in form.data.items())  # the fields show these texts again
        made = _page(name, texts, request.user.is_authenticated, _language())
    except GateBusy:
        return later(request, "public/lab/busy.html", 5)
    response = response_cache.respond(request, made, "text/html; charset=utf-8")
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


@functools.lru_cache(maxsize=PAGES_KEPT)
def _page(name: str, texts: tuple[tuple[str, str], ...], signed_in: bool, language: str) -> response_cache.Content:
    form, room = read(dict(texts)), ROOMS[name]
    form.full_clean()
    numbers = chosen_numbers(form)
    with GATE.turn():
        context = frame(room, form) | room.facts(numbers)
        context |= {"figures": {each: _figure_context(each, form, room) for each in room.figures}}
        context |= words(numbers) | {"numbers": numbers, "user": {"is_authenticated": signed_in}}
        return response_cache.content(render_to_string(room.template, context).encode())


def _figure_context(name: str, form: NumbersInput, room: Room) -> Context:
    """Return a figure's URLs, sizes and words. Its data are computed for the alternative text."""
    figure = FIGURES[name]
    query = "&".join(filter(None, [address(form, figure.uses), with_language(_VERSION)]))
    sizes = {width: layout.size(figure.rows, width) for width in WIDTHS}
    return {
        "name": name,
        "title": figure.title,
        "query": f"?{query}",
        "formulas": figure.formulas,
        "wide": dict(zip(("width", "height"), sizes["wide"], strict=True)),
        "narrow": dict(zip(("width", "height"), sizes["narrow"], strict=True)),
        "says": _chart(name, _needed(name, form.data)).says,
        "lazy": name != room.figures[0],
    }


_VERSION = f"v={__version__}"  # new software may draw differently


# Figures --------------------------------------------------------------------------------------------------------------


@require_safe
def picture(request: HttpRequest, figure: str, theme: str, width: str) -> HttpResponse:
    if theme not in THEMES or width not in WIDTHS:
        raise Http404
    numbers = _numbers(request, figure)
    return _answer(request, lambda: _picture(figure, numbers, theme, width, _language()), "image/svg+xml")


@require_safe
def numbers(request: HttpRequest, figure: str) -> HttpResponse:
    """Return the points of a figure as CSV."""
    numbers = _numbers(request, figure)
    response = _answer(request, lambda: _table(figure, numbers, _language()), "text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{figure}.csv"'
    return response


def _numbers(request: HttpRequest, figure: str) -> Numbers:
    """Return the numbers of the figure. Raise 404 for numbers that a page would refuse."""
    if figure not in FIGURES:
        raise Http404
    return _needed(figure, request.GET)


def _needed(figure: str, given: Mapping[str, Any]) -> Numbers:
    """Return the numbers, with defaults for those that the figure does not use, so that its URL alone identifies it."""
    form = read(given, FIGURES[figure].uses)
    if not form.is_valid():
        raise Http404
    return chosen_numbers(form)


def _answer(request: HttpRequest, make: Callable[[], response_cache.Content], content_type: str) -> HttpResponse:
    try:
        made = make()
    except GateBusy:
        return later(request, "public/lab/busy.html", 5)
    response = response_cache.respond(request, made, content_type)
    patch_cache_control(response, public=True, max_age=FRESH)
    return response


@functools.lru_cache(maxsize=PICTURES_KEPT)
def _picture(figure: str, numbers: Numbers, theme: str, width: str, language: str) -> response_cache.Content:
    from surveys.public.lab import (
        drawing,  # matplotlib takes half a second and 50 MB: only processes that draw load it
    )

    with GATE.turn():
        return response_cache.content(drawing.draw(_chart(figure, numbers), str(FIGURES[figure].title), theme, width))


@functools.lru_cache(maxsize=TABLES_KEPT)
def _table(figure: str, numbers: Numbers, language: str) -> response_cache.Content:
    with GATE.turn():
        return response_cache.content(charts.table(_chart(figure, numbers)).encode())


def _chart(figure: str, numbers: Numbers) -> charts.Chart:
    return _computed(figure, numbers, _language())


@functools.lru_cache(maxsize=PICTURES_KEPT)
def _computed(figure: str, numbers: Numbers, language: str) -> charts.Chart:
    return FIGURES[figure].chart(numbers)


def _language() -> str:
    return translation.get_language() or ""
