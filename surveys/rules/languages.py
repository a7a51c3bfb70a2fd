"""Languages: their tags, how they are written, and the few words that a definition itself has in each.

A language of the page is what static/respond/words/ has a file <tag>.json of: these words and the notices of
surveys/respondent/page/notices.py. The page's own tables have the same words beside it, and languages.js the same
rules.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

DEFAULT = "en"

# BCP 47: a language, a script and a region, each as it is usually written, and nothing else.
TAG = r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"
_RIGHT_TO_LEFT = {"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
_RIGHT_TO_LEFT_SCRIPTS = {"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"}


class ImpliedWords(NamedTuple):
    """Implied words of a definition: the options that follow from a question's kind. Numbers are decimal strings as the
    language writes them, with its decimal mark."""

    yes: str
    no: str
    prefer_not_to_say: str
    under: str
    between: str
    or_more: str
    through: str
    decimal: str

    def number(self, number: str) -> str:
        return number.replace(".", self.decimal)


def is_tag(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(TAG, value, re.ASCII) is not None


def direction(tag: str) -> str:
    """Return "ltr" or "rtl" for the language of a tag."""
    language, *more = tag.split("-")
    script = next((part for part in more if len(part) == 4), "")
    is_rtl = script in _RIGHT_TO_LEFT_SCRIPTS if script else language in _RIGHT_TO_LEFT
    return "rtl" if is_rtl else "ltr"


def page_language(tag: str) -> str:
    """Return the page's language for a reader of this one: one that it has a table of, or English."""
    language = tag.split("-")[0]
    return language if language in _OWN else DEFAULT


def page_tag(tag: str) -> str:
    """Return the tag of the page's own texts for a reader of this language."""
    return tag if tag.split("-")[0] in _OWN else DEFAULT


def site_language(tag: str) -> str:
    """Return the language of the site's own texts for a reader of this one; English where it has none."""
    language = tag.split("-")[0]
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def implied_words(tag: str) -> ImpliedWords:
    return _OWN[page_language(tag)]


def says_nothing(option: str, tag: str) -> bool:
    """Return whether an option of a multiple choice means "None of these", as the page knows it in its language
    (choice.js)."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", option) if not unicodedata.combining(each))
    return re.match(WORDS[page_language(tag)]["nothing"], plain.lower().strip()) is not None


def withheld() -> set[str]:
    """ "Prefer not to say" in every language that the page speaks."""
    return {words.prefer_not_to_say for words in _OWN.values()}


def read() -> dict[str, dict[str, Any]]:
    """Return the contents of the page's language files, by tag: English first, then by the alphabet."""
    folder = Path(__file__).parents[1] / "static" / "respond" / "words"
    files = sorted(folder.glob("*.json"), key=lambda file: (file.stem != DEFAULT, file.stem))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


WORDS = read()
_OWN = {tag: ImpliedWords(**words["own"]) for tag, words in WORDS.items()}
PAGE = tuple(_OWN)  # the languages that the respondents' page speaks itself
