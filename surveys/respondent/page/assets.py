"""The files that the respondents' page loads, joined from the repository's modules by a rule that anybody can follow.

A file is its modules one after the other, in the order of trust, without three sorts of whole lines, comments (which
begin with // or /* or *), imports and empty ones, without the spaces that lines begin with, and without the ends of
lines, spaces and semicolons beside brackets and signs that JavaScript does not need. So page.js is

    cat uniform.js generator.js ... respond.js | grep -vE '^(import | *(//|/[*]|[*])|$)' | sed -E 's/^ +//' |
      sed -zE 's/([[;{,(])\\n/\\1/g; s/ ?([=<>?:&|*+%!-]+|[,{]) /\\1/g; s/ ([({])/\\1/g; s/;? ?\\}/}/g'

A file that is loaded later imports from page.js what its module imports from page.js's modules. Of the style
lines that are a comment are left out, the spaces that lines begin with, their ends, and the spaces beside marks.
docs/respondents/check.md says how to compare.

The document pins what most visits need. What only some of them need it names without a pin, and so no browser runs it
until the page has given it the one that stands in pins.js, which the document pins.
"""

import base64
import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse

from surveys.rules import languages

# In order of trust: those before dom.js decide what is sent; the rest ask, deliver and explain. Each module stands
# after those that it imports.
MODULES = (
    *("uniform.js", "generator.js", "rules.js", "exact.js", "mechanisms.js", "kinds.js"),
    *("routing.js", "lot.js", "privatize.js"),
    *("languages.js", "shape.js", "certificate.js"),
    *("dom.js", "words.js", "later.js", "link.js", "language.js", "arrival.js", "choice.js"),
    *("typed.js", "number.js", "fields.js"),
    *("promise.js", "form.js", "store.js", "lock.js", "delivery.js", "notice.js", "questionnaire.js"),
    *("view.js", "seldom.js"),
    "respond.js",
)
PAGE, STYLE = "page.js", "respond.css"
# The kinds of question that few surveys have, each in a file of static/respond/kinds under its name.
KINDS = tuple(sorted(path.name for path in (Path(__file__).parents[2] / "static/respond/kinds").glob("*.js")))
# Each fetched for what it shows: when somebody opens that, or has sent a report, or the survey needs it for a consent,
# sections, invitations, a relay, markup, a colour, pictures, translations, a long list, an earlier wave, numbers with
# limits or one of these kinds, or the page is in a frame or lacks its link. What a survey needs follows from its
# definition alone, never from an answer.
LATER = (
    *("long.js", "invitation.js", "relay.js", "markup.js", "accent.js", "pictures.js", "translations.js", "wave_of.js"),
    *("limits.js", *KINDS),
    *("framed.js", "beliefs.js", "outcome.js", "lost.js", "check.js", "audit.js", "budget.js"),
)
# Loaded by a designer's preview, which alone names it.
PREVIEW = "preview.js"
# Written from the fingerprints of the others.
PINS = "pins.js"
# Each language of the page has a table of its words, and the page loads the one that it needs.
TABLES = {language: f"{language}.js" for language in languages.PAGE}
MORE = {language: f"{language}-more.js" for language in languages.PAGE}  # what they say
WORDS = (*TABLES.values(), *MORE.values())
# The files that pins.js pins: what few open, and all languages but English.
SELDOM = (*(name for name in LATER if name not in ("long.js", "invitation.js", "outcome.js")),)
LISTED = (*SELDOM, *(table[tag] for table in (TABLES, MORE) for tag in table if tag != languages.DEFAULT))
FILES = (PAGE, STYLE, PINS, *LATER, *WORDS)

_LEFT_OUT = re.compile(r"import | *(//|/\*|\*)|$")
_COMMENT = re.compile(r" *(//|/\*|\*)")
_STYLE_COMMENT = re.compile(r" */\*[^*]*\*/$")
_GOES_ON, _END = re.compile(r"([\[;{,(])\n"), re.compile(";? ?}")
_BESIDE_SIGN, _BEFORE_BRACKET = re.compile(" ?([=<>?:&|*+%!-]+|[,{]) "), re.compile(" ([({])")
_BESIDE_MARK, _AFTER_MARK = re.compile(" *([{},>]) *"), re.compile("([:;]) ")
_FROM = re.compile(r'^(import .* from ")[./]+\w+', re.MULTILINE)


class Asset(NamedTuple):
    """A file the page loads: its address, its bytes, and the integrity value it is held to."""

    url: str
    content: bytes
    integrity: str


def asset(name: str) -> Asset:
    """One of FILES. Raises FileNotFoundError when a module is missing."""
    if name == PINS:
        return _pins(tuple(asset(each).integrity for each in LISTED))
    paths = tuple(_path(source) for source in sources(name))
    # Files change under a running process only while developing; elsewhere one reading per process is enough.
    return _read(name, paths, max(path.stat().st_mtime_ns for path in paths) if settings.DEBUG else 0)


def sources(name: str) -> tuple[str, ...]:
    """The repository's files in static/respond that a file is made of, in order; none of the one that holds pins."""
    if name == PINS:
        return ()
    for folder, names in (("words", WORDS), ("kinds", KINDS)):
        if name in names:
            return (f"{folder}/{name}",)
    return MODULES if name == PAGE else (name,)


def source_integrity(name: str) -> str:
    """The integrity value of a file of static/respond as it stands in the repository."""
    return integrity(_path(name).read_bytes())


def integrity(content: bytes) -> str:
    """SHA-384 in the notation of Subresource Integrity."""
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


def joined(texts: list[str]) -> str:
    """The modules as one."""
    lines = _GOES_ON.sub(r"\1", "".join(_lines(text, _LEFT_OUT) for text in texts))
    return _END.sub("}", _BEFORE_BRACKET.sub(r"\1", _BESIDE_SIGN.sub(r"\1", lines)))


def _alone(name: str, text: str) -> str:
    """The style, or a module that is loaded later."""
    if name == STYLE:
        rules = _lines(text, _STYLE_COMMENT).replace("\n", "")
        return _AFTER_MARK.sub(r"\1", _BESIDE_MARK.sub(r"\1", rules)).replace(";}", "}")
    return _FROM.sub(r"\1./page", _lines(text, _COMMENT))


def _lines(text: str, left_out: re.Pattern[str]) -> str:
    kept = (line for line in text.splitlines(keepends=True) if not left_out.match(line))
    return "".join(line.lstrip(" ") for line in kept)


@lru_cache(maxsize=2)
def _pins(pins: tuple[str, ...]) -> Asset:
    rows = json.dumps(dict(zip(LISTED, pins, strict=True)), indent=0)
    content = f"export const PINS = {rows};\n".encode()
    return Asset(reverse("respond-file", args=[PINS]), content, integrity(content))


@lru_cache(maxsize=64)
def _read(name: str, paths: tuple[Path, ...], _modified: int) -> Asset:
    texts = [path.read_text(encoding="utf-8") for path in paths]
    text = joined(texts) if name == PAGE else _alone(name, texts[0])
    content = text.encode()
    url = reverse("respond-file", args=[name])
    return Asset(url, content, integrity(content))


def _path(name: str) -> Path:
    file = finders.find(f"respond/{name}")
    if file is None:
        raise FileNotFoundError(f"static file respond/{name} is missing")
    return Path(file)
