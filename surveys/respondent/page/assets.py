"""The files that the respondents' page loads, joined from the repository's modules by a rule that anyone can follow.

page.js is its modules one after the other, in the order of trust, without comment lines (which begin with // or /* or
*), imports, empty lines, indentation, and the line ends, spaces and semicolons beside brackets and signs that
JavaScript does not need. So page.js is

    cat uniform.js generator.js ... respond.js | grep -vE '^(import | *(//|/[*]|[*])|$)' | sed -E 's/^ +//' |
      sed -zE 's/([[;{,(])\\n/\\1/g; s/ ?([=<>?:&|*+%!-]+|[,{]) /\\1/g; s/ ([({])/\\1/g; s/;? ?\\}/}/g'

In a file that is loaded later, imports from page.js's modules become imports from page.js. The style has no comment
lines, indentation, line ends, or spaces beside marks. docs/respondents/check.md describes the comparison.

The document pins the files that most visits need. It names other files without a pin, so no browser runs them yet. The
page adds their pins from pins.js, which the document pins.
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

# In order of trust: the modules before dom.js decide what is sent; the others ask, deliver and explain. Each module
# comes after its imports.
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
# Rare kinds of question, each in a file of its name in static/respond/kinds.
KINDS = tuple(sorted(path.name for path in (Path(__file__).parents[2] / "static/respond/kinds").glob("*.js")))
# Files that load when they are needed: when the respondent opens a part or has sent a report; when the survey has a
# consent, sections, invitations, a relay, markup, a colour, pictures, translations, a long list, an earlier wave,
# numbers with limits or one of these kinds; when the page is in a frame or lacks its link. The survey's needs follow
# from its definition, never from an answer.
LATER = (
    *("long.js", "invitation.js", "relay.js", "markup.js", "accent.js", "pictures.js", "translations.js", "wave_of.js"),
    *("limits.js", *KINDS),
    *("framed.js", "beliefs.js", "outcome.js", "lost.js", "check.js", "audit.js", "budget.js"),
)
# Only a designer's preview loads this.
PREVIEW = "preview.js"
# Generated from the other files' integrity values.
PINS = "pins.js"
# Each language has a table of words; the page loads the one that it needs.
TABLES = {language: f"{language}.js" for language in languages.PAGE}
MORE = {language: f"{language}-more.js" for language in languages.PAGE}  # words for later
WORDS = (*TABLES.values(), *MORE.values())
# The files that pins.js pins: those for rare visits, and all languages except English.
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
    """A file that the page loads: its URL, its bytes, and its integrity value."""

    url: str
    content: bytes
    integrity: str


def asset(name: str) -> Asset:
    """Return one of FILES. Raise FileNotFoundError if a module is missing."""
    if name == PINS:
        return _pins(tuple(asset(each).integrity for each in LISTED))
    paths = tuple(_path(source) for source in sources(name))
    # Files change under a running process only during development. Elsewhere a process reads them once.
    return _read(name, paths, max(path.stat().st_mtime_ns for path in paths) if settings.DEBUG else 0)


def sources(name: str) -> tuple[str, ...]:
    """Return the files of static/respond that a file is joined from, in order; () for the file of pins."""
    if name == PINS:
        return ()
    for folder, names in (("words", WORDS), ("kinds", KINDS)):
        if name in names:
            return (f"{folder}/{name}",)
    return MODULES if name == PAGE else (name,)


def source_integrity(name: str) -> str:
    """Return the integrity value of a file of static/respond in the repository."""
    return integrity(_path(name).read_bytes())


def integrity(content: bytes) -> str:
    """Return the SHA-384 in Subresource Integrity's notation."""
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


def joined(texts: list[str]) -> str:
    """Return the modules as one file."""
    lines = _GOES_ON.sub(r"\1", "".join(_lines(text, _LEFT_OUT) for text in texts))
    return _END.sub("}", _BEFORE_BRACKET.sub(r"\1", _BESIDE_SIGN.sub(r"\1", lines)))


def _alone(name: str, text: str) -> str:
    """Return a style, or a module that is loaded later, as it is served."""
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
