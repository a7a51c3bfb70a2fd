"""A document for people: its parts, and its page of HTML, which needs no other file."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _

from surveys.designer.evidence.facts import Facts
from surveys.figures import numerals
from surveys.figures.palette import colour
from surveys.rules.languages import direction
from surveys.survey.definition.languages import language_of

STYLE = Path(__file__).parent / "paper.css"
TABLE_MOST = 400  # characters of an integer table in a paper; longer tables show a digest


class SurveyText(str):
    """A text of the survey, with the tag of its language."""

    tag: str

    def __new__(cls, text: str, tag: str) -> "SurveyText":
        own = super().__new__(cls, text)
        own.tag = tag
        return own

    @property
    def attributes(self) -> str:
        """Return `lang` and `dir` for the text's element; "" if the whole document has this language."""
        if self.tag == get_language():
            return ""
        return format_html(' lang="{}" dir="{}"', self.tag, direction(self.tag))


class PaperTable(NamedTuple):
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class PaperAnswer(NamedTuple):
    """A question of a review board or a guideline, with its answer."""

    question: str
    text: str


class PaperSection(NamedTuple):
    title: str
    paragraphs: Sequence[str] = ()
    items: Sequence[str] = ()
    answers: Sequence[PaperAnswer] = ()
    tables: Sequence[PaperTable] = ()


def answered(title: str, answers: Mapping[str, str]) -> PaperSection:
    """Return a section of questions with their answers."""
    return PaperSection(title, answers=[PaperAnswer(question, text) for question, text in answers.items()])


class Paper(NamedTuple):
    title: str
    lead: str
    sections: Sequence[PaperSection]


@lru_cache(maxsize=1)
def style() -> str:
    """Return the style with its colours. They are always the light ones, because the document is printed."""
    text = STYLE.read_text(encoding="utf-8")
    used = sorted(set(re.findall(r"var\(--([\w-]+)", text)))
    colours = " ".join(f"--{name}: {colour(name, 'light')};" for name in used)
    return f":root {{ {colours} }}\n{text}"


def style_source() -> str:
    """Return the style's hash for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()}'"


def html(paper: Paper, facts: Facts) -> bytes:
    """Return the document as HTML, in the active language."""
    context = {
        "paper": paper,
        "title": SurveyText(facts.title, language_of(facts.definition)),
        "facts": facts,
        "style": style(),
        "tag": get_language(),
        "direction": "rtl" if get_language_bidi() else "ltr",
        "release": facts.release,
        "n": numerals.count(facts.release.n) if facts.release else "",
    }
    return render_to_string("designer/evidence/paper.html", context).encode()


def joined(texts: Sequence[str]) -> str:
    """Return the texts as a list in the active language."""
    return _(", ").join(texts)


def integers(table: object) -> str:
    """Return an integer table as canonical JSON, or only the digest of a long one, which the definition has."""
    text = json.dumps(table, sort_keys=True, separators=(",", ":"))
    if len(text) <= TABLE_MOST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    return _("%(n)s characters in definition.json, SHA-256 %(digest)s") % {"n": len(text), "digest": digest}


def missing(text: str) -> str:
    """Return the typed text, or a mark that it is missing."""
    return text.strip() or _("[not given yet]")
