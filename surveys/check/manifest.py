"""The manifest: the fingerprints of everything that a respondent's browser runs, and the page's own text.

It depends on the program alone, so `manage.py manifest` writes the same bytes from the same commit on any machine. A
page differs from survey to survey by a few texts; what stands between them is listed for each state of a survey, so
that whoever knows the definition can write the page byte for byte and compare (verify.py does). Under "sources" stand
the repository's files that each file is joined of (surveys/respond/assets.py), with their own fingerprints.
"""

import hashlib
import json
import re
from datetime import UTC, datetime
from functools import lru_cache
from itertools import product
from typing import Any

from django.template.loader import render_to_string

from surveys import __version__
from surveys.models import Survey
from surveys.respond.assets import FILES, asset, source_integrity, sources
from surveys.respond.notices import WORDS, notice
from surveys.respond.views import STATES, shell
from surveys.rules import languages

FORMAT = 2
SOURCES = "surveys/static/respond"
# Stand-ins for what a survey puts into the page. They need no escaping, and occur nowhere else.
SLOTS = {name: f"slot-{name}-{hashlib.sha256(name.encode()).hexdigest()[:16]}" for name in (
    "title", "introduction", "slug", "digest",
    "language", "direction", "page_language", "page_direction", "languages", "notices", "tag", "tag_direction",
)}  # fmt: skip
# A page that begins later says when, in two notations.
BEGINS = datetime(2001, 2, 3, 4, 5, tzinfo=UTC)
_SLOT = re.compile(
    "|".join(f"(?P<{name}>{mark})" for name, mark in SLOTS.items())
    + r"|(?P<time>2001-02-03T04:05:00\+00:00|2001-02-03, 04:05)"
)


@lru_cache(maxsize=1)
def manifest() -> dict[str, Any]:
    return {
        "format": FORMAT,
        "software": f"deniable {__version__}",
        "files": {asset(name).url: asset(name).integrity for name in FILES},
        "sources": {
            asset(name).url: [[f"{SOURCES}/{source}", source_integrity(source)] for source in sources(name)]
            for name in FILES
        },
        "pages": {
            state + (", results published" if public else ""): _page(state, public)
            for state, public in product(STATES, (False, True))
        },
        # What each page says in each language; those of a survey stand one after the other in the slot "notices".
        "notices": {
            state + (", results published" if public else ""): {
                language: _notice(state, public, language) for language in languages.PAGE
            }
            for state, public in product(STATES, (False, True))
        },
    }


@lru_cache(maxsize=1)
def text() -> str:
    return json.dumps(manifest(), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


@lru_cache(maxsize=1)
def digest() -> str:
    """SHA-384 of the manifest's text, in hexadecimal."""
    return hashlib.sha384(text().encode()).hexdigest()


def _context(state: str, public: bool) -> dict[str, Any]:
    definition = {"title": SLOTS["title"], "introduction": SLOTS["introduction"], "questions": []}
    survey = Survey(slug=SLOTS["slug"], digest=SLOTS["digest"], canonical=json.dumps(definition), results_public=public)
    return shell(survey, state) | {"opens_at": BEGINS} | SLOTS


def _page(state: str, public: bool) -> list[dict[str, str]]:
    """The page as literal texts and slots, in order."""
    return _parts(render_to_string("respond/page.html", _context(state, public)))


def _notice(state: str, public: bool, language: str) -> list[dict[str, str]]:
    return _parts(notice(SLOTS["tag"], SLOTS["tag_direction"], WORDS[language], _context(state, public)))


def _parts(html: str) -> list[dict[str, str]]:
    parts: list[dict[str, str]] = []
    end = 0
    for found in _SLOT.finditer(html):
        parts += [{"text": html[end : found.start()]}, {"slot": str(found.lastgroup)}]
        end = found.end()
    return [*parts, {"text": html[end:]}]
