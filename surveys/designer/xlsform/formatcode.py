"""The code of a number format, such as `#,##0.00;[Red]-0`, split into sections and tokens (ECMA-376, part 1, 18.8.31).

It runs in reader.py's process, and imports only site modules that run there too.
"""

import re
from decimal import Decimal
from typing import NamedTuple

_LONGEST = 255  # characters of a format

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|(?P<space>_.)|(?P<fill>\*.)|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<noon>AM/PM|A/P)|(?P<power>E[+-])|(?P<unit>y+|m+|d+|h+|s+)|(?P<digit>[0#?])|(?P<sign>[.,%/@])"
    r"|(?P<plain>[-$+()!^&'~{}<>:= 1-9]|[^\x00-\x7f])",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[_*].|[^;])*', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[0-9]+(?:\.[0-9]+)?)", re.ASCII)
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|colou?r *[0-9]{1,2}", re.IGNORECASE)
_CURRENCY = re.compile(r"\$(?P<sign>[^-]*)(?:-(?P<language>[A-Za-z0-9-]*))?")
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)


class UnknownFormat(ValueError):
    """The displayed text of the cell is unknown."""


class FormatToken(NamedTuple):
    kind: str
    text: str


class FormatSection(NamedTuple):
    tokens: list[FormatToken]
    condition: tuple[str, Decimal] | None
    english: bool  # whether names of months and days are English

    def has(self, *kinds: str) -> bool:
        return any(token.kind in kinds for token in self.tokens)


def sections(code: str) -> list[FormatSection]:
    """Return the sections of a code. Raise UnknownFormat if one is unknown here."""
    return [_section(each) for each in _split(code)]


def _split(code: str) -> list[str]:
    if len(code) > _LONGEST:
        raise UnknownFormat
    parts: list[str] = []
    place = 0
    while True:
        match = _SECTION.match(code, place)
        assert match is not None
        parts.append(match[0])
        place = match.end() + 1
        if place > len(code):
            return parts


def _section(code: str) -> FormatSection:
    tokens, condition, english, place = [], None, True, 0
    while place < len(code):
        match = _TOKEN.match(code, place)
        if match is None or match.lastgroup is None:
            raise UnknownFormat
        place = match.end()
        kind, text = match.lastgroup, match[match.lastgroup]
        if kind != "bracket":
            tokens.append(FormatToken(kind, text))
        elif comparison := _CONDITION.fullmatch(text):
            condition = comparison[1], Decimal(comparison[2])
        elif _ELAPSED.fullmatch(text):
            tokens.append(FormatToken("elapsed", text.lower()))
        elif currency := _CURRENCY.fullmatch(text):
            tokens.append(FormatToken("quoted", currency["sign"]))
            english = english and _is_english(currency["language"] or "")
        elif not _COLOUR.fullmatch(text):
            raise UnknownFormat
    return FormatSection(tokens, condition, english)


def _is_english(language: str) -> bool:
    """Return whether a format's language is English or missing. Raise UnknownFormat if it sets digits, a calendar or a
    style."""
    if not re.fullmatch("[0-9A-Fa-f]+", language):
        return language.lower().startswith("en") or not language
    number = int(language, 16)
    if number >> 16 or number & 0xFFFF in (0xF800, 0xF400):
        raise UnknownFormat
    return number & 0x3FF in (0, 2, 9)


def literal(token: FormatToken) -> str:
    return token.text if token.kind in ("quoted", "escaped", "plain") else " " if token.kind == "space" else ""
