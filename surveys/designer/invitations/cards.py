"""Invitations to print as PDF: eight cards on an A4 page, with crop marks. Importing this module loads fpdf."""

import io
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import segno
from django.utils.translation import gettext as _
from django.utils.translation import override
from fpdf.enums import MethodReturnValue, WrapMode, XPos, YPos

from surveys.figures.paper import MONO, SANS, PaperSheet
from surveys.figures.svg import clean

# Millimetres; letter sizes in points.
WIDTH, HEIGHT = 210.0, 297.0
COLUMNS, ROWS = 2, 4
A_PAGE = COLUMNS * ROWS
CARD = WIDTH / COLUMNS, HEIGHT / ROWS
PADDING, GAP, CODE = 8.0, 5.0, 38.0
COLUMN = CARD[0] - 2 * PADDING - CODE - GAP
MARK = 3.0  # the length of a crop mark's arms
POINT = 25.4 / 72
TYPED = 7  # the size of typed codes


class InvitationCard(NamedTuple):
    person: str  # "" if the designer gave only a number of people
    link: str
    typed: str = ""  # typed by a person without the link; empty where the survey has no code


class CardLine(NamedTuple):
    """A line of a card, in at most `most` rows. Longer text ends with an ellipsis; a link takes all rows it needs."""

    text: str
    size: float
    most: int
    style: str = ""
    family: str = SANS


def pdf(title: str, language: str, cards: Sequence[InvitationCard]) -> bytes:
    """Return the cards of a survey with this title. Their other texts are in `language`, one of the site's."""
    with override(language):
        words = _("Your own link: it allows one report, and the site cannot see whose report that is.")
        sheet = PaperSheet(title, families=(SANS, MONO))
    sheet.set_margin(0)
    sheet.c_margin = 0
    sheet.take_fonts_for([title, words, *(card.person for card in cards)])
    fitted = lru_cache(maxsize=64)(partial(_fitted, sheet))  # caches, because all cards share the title and words
    for k, card in enumerate(cards):
        if k % A_PAGE == 0:
            sheet.add_page()
            _marks(sheet)
        left, top = k % COLUMNS * CARD[0], k % A_PAGE // COLUMNS * CARD[1]
        lines = [CardLine(title, 11, 5, "B"), CardLine(card.person, 10, 2, "B"), CardLine(words, 9, 6)]
        lines = [fitted(line) for line in lines if line.text]
        lines.append(CardLine(card.link, 6.5, 5, family=MONO))
        _card(sheet, left + PADDING, top + PADDING, lines, card, _is_rtl(words))
    return bytes(sheet.output())


def _card(
    sheet: PaperSheet, left: float, top: float, lines: Sequence[CardLine], card: InvitationCard, rtl: bool
) -> None:
    """Draw one card. The code is at the side where lines begin, with its typed form below. Each line begins at the side
    of its script."""
    code, column = (left + COLUMN + GAP, left) if rtl else (left, left + CODE + GAP)
    drawn = io.BytesIO()
    segno.make(card.link, error="m", micro=False).save(drawn, kind="svg", border=0, omitsize=True)
    sheet.image(drawn, code, top, CODE)
    sheet.set_font(MONO, "", TYPED)
    for place, typed in enumerate(_below(card), 1):
        sheet.text(code, top + CODE + 1.4 * TYPED * POINT * place, typed)
    sheet.set_xy(column, top)
    for line in lines:
        _write(sheet, line)
        sheet.set_xy(column, sheet.y + 2)


def _below(card: InvitationCard) -> list[str]:
    """Return the rows below the QR code: the page for typed codes, the survey's code, and the person's code in two
    rows."""
    if not card.typed:
        return []
    survey, own = card.typed.split(" ")
    return [card.link.partition("://")[2].partition("#")[0], survey, own[:20], own[20:]]


def _fitted(sheet: PaperSheet, line: CardLine) -> CardLine:
    """Return the line, shortened to the rows that it may have."""

    def rows(text: str) -> int:
        return len(_write(sheet, line._replace(text=text), dry_run=True))

    text = clean(line.text)
    if rows(text) <= line.most:
        return line._replace(text=text)
    kept = bisect_right(range(len(text)), line.most, key=lambda length: rows(f"{text[:length]}…")) - 1
    return line._replace(text=f"{text[:kept].rstrip()}…")


def _write(sheet: PaperSheet, line: CardLine, dry_run: bool = False) -> list[str]:
    """Write a line below the previous one, wrapped to the column. Return its rows."""
    sheet.set_font(line.family, line.style, line.size)
    rows = sheet.multi_cell(
        COLUMN, 1.3 * line.size * POINT, line.text, align="R" if _is_rtl(line.text) else "L", new_x=XPos.LEFT,
        new_y=YPos.NEXT, wrapmode=WrapMode.CHAR if line.family == MONO else WrapMode.WORD, dry_run=dry_run,
        output=MethodReturnValue.LINES,
    )  # fmt: skip
    assert isinstance(rows, list)
    return rows


def _is_rtl(text: str) -> bool:
    """Return whether the first letter with a direction runs from right to left."""
    strong = (unicodedata.bidirectional(character) for character in text)
    return next((each for each in strong if each in ("L", "R", "AL")), "L") != "L"


def _marks(sheet: PaperSheet) -> None:
    """Draw crosses where the cuts meet."""
    sheet.set_draw_color(102)
    sheet.set_line_width(0.5 * POINT)
    for x, y in _corners():
        sheet.line(x - MARK, y, x + MARK, y)
        sheet.line(x, y - MARK, x, y + MARK)


def _corners() -> Iterator[tuple[float, float]]:
    for column in range(COLUMNS + 1):
        for row in range(ROWS + 1):
            yield column * CARD[0], row * CARD[1]
