"""The respondents' page. Its bytes are the same for every survey, visitor and site of a version."""

from functools import lru_cache

from django.conf import settings
from django.template.loader import render_to_string

from surveys.respondent.page.assets import FILES, LATER, LISTED, MORE, PAGE, PINS, STYLE, TABLES, asset
from surveys.respondent.page.notices import NAMES, notices
from surveys.rules.context import Context

TEMPLATE = "respondent/page.html"


def document() -> bytes:
    return _rendered(tuple(asset(name).integrity for name in FILES))


@lru_cache(maxsize=2)
def _rendered(_pins: tuple[str, ...]) -> bytes:
    return render_to_string(TEMPLATE, context()).encode()


def context() -> Context:
    """Return the template's context, also for a designer's preview: the files to load with their pins, and the notices
    shown before they run."""
    words = [(language, table[language]) for table in (TABLES, MORE) for language in table]
    return {
        "names": NAMES,
        "notices": notices(),
        "script": asset(PAGE),
        "pinned": [asset(name) for name in (PINS, *LATER) if name not in LISTED],
        "listed": [asset(name) for name in LATER if name in LISTED],
        "words": [(language, asset(name)) for language, name in words if name not in LISTED],
        "other_words": [(language, asset(name)) for language, name in words if name in LISTED],
        "style": asset(STYLE),
        "icon_url": address("icon.svg"),
        "touch_icon_url": address("icon.png"),
    }


def address(name: str) -> str:
    return f"{settings.STATIC_URL}respond/{name}"
