"""Invitations to print, as PDF: eight cards on a page of A4, with marks to cut along. Importing it loads matplotlib."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import segno
from django.utils.translation import gettext as _
from django.utils.translation import override
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from surveys.figures import picture

MM = 72 / 25.4  # points
WIDTH, HEIGHT = 210 * MM, 297 * MM
COLUMNS, ROWS = 2, 4
A_PAGE = COLUMNS * ROWS
CARD = WIDTH / COLUMNS, HEIGHT / ROWS
PADDING, GAP, CODE = 8 * MM, 5 * MM, 38 * MM
COLUMN = CARD[0] - 2 * PADDING - CODE - GAP
MARK = 3 * MM  # the length of a mark's arms
TYPED = 7  # the size of letters to type


class Card(NamedTuple):
    person: str  # empty where there was only a number of people
    link: str
    typed: str = ""  # what is typed without the link; empty where the survey has no code


class Line(NamedTuple):
    """Words of a card; at most so many rows, the last of which ends with an ellipsis where there are more. A link has
    all of its own."""

    text: str
    size: float
    most: int
    weight: str = "normal"
    family: str = "sans-serif"


def pdf(title: str, language: str, cards: Sequence[Card]) -> bytes:
    """The cards of a survey with this title; what is said on each beside is in a language of the site."""
    with override(language):
        words = _("Your own link: it lets in one report, and what lets it in does not tell whose it is.")
    pages = [partial(_page, title, words, cards[k : k + A_PAGE]) for k in range(0, len(cards), A_PAGE)]
    return picture.document(WIDTH, HEIGHT, title, pages)


def _page(title: str, words: str, cards: Sequence[Card], figure: Figure) -> None:
    for k, card in enumerate(cards):
        left, top = k % COLUMNS * CARD[0], HEIGHT - k // COLUMNS * CARD[1]
        lines = [Line(title, 11, 5, "bold"), Line(card.person, 10, 2, "bold"), Line(words, 9, 6)]
        lines.append(Line(card.link, 6.5, 5, family="monospace"))
        _card(figure, left + PADDING, top - PADDING, [line for line in lines if line.text], card, _is_rtl(words))
    for column in range(COLUMNS + 1):
        for row in range(ROWS + 1):
            _mark(figure, column * CARD[0], row * CARD[1])


def _card(figure: Figure, left: float, top: float, lines: Sequence[Line], card: Card, rtl: bool) -> None:
    """Draw one card. The code stands where lines begin, with what can be typed below it, and each line begins where its
    own letters do."""
    code, column = (left + COLUMN + GAP, left) if rtl else (left, left + CODE + GAP)
    figure.add_artist(PathPatch(_code(card.link, code, top), color="black", linewidth=0))
    for place, typed in enumerate(_below(card), 1):
        y = top - CODE - 1.4 * TYPED * place
        figure.text(code / WIDTH, y / HEIGHT, typed, fontsize=TYPED, family="monospace", va="baseline", color="black")
    y = top
    for line in lines:
        right = _is_rtl(line.text)
        for row in _rows(line):
            y -= 1.3 * line.size
            x = column + COLUMN if right else column
            figure.text(
                x / WIDTH, y / HEIGHT, row, fontsize=line.size, fontweight=line.weight, family=line.family,
                ha="right" if right else "left", va="baseline", color="black",
            )  # fmt: skip
        y -= 2 * MM


def _below(card: Card) -> list[str]:
    """The rows below the QR code: the page on which to type, the survey's code, and the person's own in two rows."""
    if not card.typed:
        return []
    survey, own = card.typed.split(" ")
    return [card.link.partition("://")[2].partition("#")[0], survey, own[:20], own[20:]]


@lru_cache(maxsize=64)  # all cards have the same title and words
def _rows(line: Line) -> list[str]:
    """The text in rows that fit into the column."""
    if line.family == "monospace":
        each = int(COLUMN // _width(line, "0"))
        return [line.text[k : k + each] for k in range(0, len(line.text), each)]
    rows, row = list[str](), ""
    for word in _words(line):
        if row and _width(line, row + word.rstrip()) > COLUMN:
            rows, row = [*rows, row.rstrip()], ""
        row += word
    rows.append(row.rstrip())
    return rows if len(rows) <= line.most else [*rows[: line.most - 1], _shortened(line, rows[line.most - 1])]


def _words(line: Line) -> Iterator[str]:
    """Each with the space that follows; one that is wider than the column in single characters."""
    for word in line.text.split():
        yield from [f"{word} "] if _width(line, word) <= COLUMN else [*word, " "]


def _shortened(line: Line, row: str) -> str:
    while row and _width(line, f"{row}…") > COLUMN:
        row = row[:-1]
    return f"{row}…"


@lru_cache(maxsize=4096)
def _width(line: Line, text: str) -> float:
    """The width of a text in points."""
    return picture.width(text, line.size, line.weight, line.family)


def _is_rtl(text: str) -> bool:
    """By its first letter that has a direction."""
    strong = (unicodedata.bidirectional(character) for character in text)
    return next((each for each in strong if each in ("L", "R", "AL")), "L") != "L"


def _code(link: str, left: float, top: float) -> Path:
    """The QR code of a link, dark on the white that stands around it; each run of dark squares is one rectangle."""
    matrix = [bytes(row) for row in segno.make(link, error="m", micro=False).matrix]
    side = CODE / len(matrix)
    vertices: list[tuple[float, float]] = []
    for y, row in enumerate(matrix):
        for start, end in _runs(row):
            (x0, x1), (y1, y0) = (left + start * side, left + end * side), (top - y * side, top - (y + 1) * side)
            vertices += [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * (len(vertices) // 5)
    return Path([(x / WIDTH, y / HEIGHT) for x, y in vertices], codes)


def _runs(row: bytes) -> Iterator[tuple[int, int]]:
    start = None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            yield start, x
            start = None


def _mark(figure: Figure, x: float, y: float) -> None:
    """A cross where cuts meet."""
    for dx, dy in ((MARK, 0), (0, MARK)):
        ends = [(x - dx) / WIDTH, (x + dx) / WIDTH], [(y - dy) / HEIGHT, (y + dy) / HEIGHT]
        figure.add_artist(Line2D(*ends, color="0.4", linewidth=0.5))
