"""Languages: their tags, their direction, and a definition's implied words in each.

static/respond/words/ has a file <tag>.json for each language of the page, with these words and the notices of
surveys/respondent/page/notices.py. The page's tables beside these files have the same words; languages.js has the same
rules.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

DEFAULT = "en"

# BCP 47: a language, a script and a region, in their usual case, and nothing else.
TAG = r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"
_RIGHT_TO_LEFT = {"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
_RIGHT_TO_LEFT_SCRIPTS = {"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"}


class ImpliedWords(NamedTuple):
    """Implied words of a definition: the options that follow from a question's kind. Numbers have the language's
    decimal mark."""

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
    """Return the page's language for a reader of this one: the same, if the page has it, or English."""
    language = tag.split("-")[0]
    return language if language in _OWN else DEFAULT


def page_tag(tag: str) -> str:
    """Return the tag of the page's texts for a reader of this language."""
    return tag if tag.split("-")[0] in _OWN else DEFAULT


def site_language(tag: str) -> str:
    """Return the language of the site's texts for a reader of this one: the same, if the site has it, or English."""
    language = tag.split("-")[0]
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def implied_words(tag: str) -> ImpliedWords:
    return _OWN[page_language(tag)]


def says_nothing(option: str, tag: str) -> bool:
    """Return whether an option of a multiple choice means "None of these". The page's rule for its language decides
    (choice.js)."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", option) if not unicodedata.combining(each))
    return re.match(WORDS[page_language(tag)]["nothing"], plain.lower().strip()) is not None


def withheld() -> set[str]:
    """Return "Prefer not to say" in every language of the page."""
    return {words.prefer_not_to_say for words in _OWN.values()}


def read() -> dict[str, dict[str, Any]]:
    """Return the contents of the page's language files, by tag: English first, then in alphabetical order."""
    folder = Path(__file__).parents[1] / "static" / "respond" / "words"
    files = sorted(folder.glob("*.json"), key=lambda file: (file.stem != DEFAULT, file.stem))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


WORDS = read()
_OWN = {tag: ImpliedWords(**words["own"]) for tag, words in WORDS.items()}
PAGE = tuple(_OWN)  # the languages of the respondents' page
