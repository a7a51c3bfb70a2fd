"""A document for people as PDF, to sign or send, with the HTML page's parts. Importing this loads fpdf."""

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, time

from django.utils.formats import date_format
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace

from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.paper import Paper, PaperAnswer, PaperSection, PaperTable, SurveyText
from surveys.figures import numerals
from surveys.figures.palette import colour
from surveys.figures.paper import NO_DAY, SANS, PaperSheet
from surveys.figures.svg import clean
from surveys.rules.languages import direction

SIDE, TOP, BOTTOM = 18, 14, 16  # mm
TITLE, HEADING, LEAD, TEXT, CELL, NOTE = 17, 12, 11, 10, 8, 7  # points
LINE = 0.5  # mm of line height per point of letter size
RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"


class Printed(PaperSheet):
    """A document's pages."""

    def __init__(self, title: str, day: datetime) -> None:
        super().__init__(title, day)
        self.set_margins(SIDE, TOP)
        self.set_auto_page_break(True, BOTTOM)
        self.add_page()

    def footer(self) -> None:
        self.set_y(-BOTTOM + 4)
        self.write_text(f"{self.page_no()}", NOTE, "quiet")

    def write_text(self, text: str, size: float, ink: str = "ink", bold: bool = False, before: float = 0) -> None:
        """Write a paragraph, `before` mm below the previous one."""
        self.ln(before)
        self.set_font(SANS, "B" if bold else "", size)
        self.set_text_color(colour(ink, "light"))
        self.multi_cell(0, LINE * size, _words(text), align=self._side(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _side(self, text: str) -> str:
        """Return the side where lines begin. A survey's text may have another language than the document."""
        rightwards = direction(text.tag) == "rtl" if isinstance(text, SurveyText) else get_language_bidi()
        return "R" if rightwards else "L"

    def keep_together(self, lines: int) -> None:
        """Begin a new page if this many lines of text no longer fit."""
        if self.will_page_break(lines * LINE * TEXT):
            self.add_page()


def pdf(paper: Paper, facts: Facts) -> bytes:
    """Return the document in the active language. The same document gives the same bytes."""
    sheet = Printed(paper.title, _day(facts))
    sheet.write_text(facts.title, TEXT, "quiet")
    sheet.write_text(paper.title, TITLE, bold=True)
    if facts.is_draft:
        words = _("Draft: the survey is not open yet, and all of this can still change.")
        sheet.write_text(words, TEXT, "warn", bold=True, before=1)
    sheet.write_text(paper.lead, LEAD, before=1)
    for section in paper.sections:
        _section(sheet, section)
    for note in _notes(facts):
        sheet.write_text(note, NOTE, "quiet", before=2)
    return bytes(sheet.output())


def _section(sheet: Printed, section: PaperSection) -> None:
    sheet.keep_together(4)
    sheet.write_text(section.title, HEADING, bold=True, before=4)
    for text in section.paragraphs:
        sheet.write_text(text, TEXT, before=1)
    for text in section.items:
        sheet.write_text(f"• {text}", TEXT, before=0.7)
    for answer in section.answers:
        _answer(sheet, answer)
    for table in section.tables:
        _table(sheet, table)


def _answer(sheet: Printed, answer: PaperAnswer) -> None:
    sheet.keep_together(3)
    sheet.write_text(answer.question, TEXT, bold=True, before=1.5)
    sheet.write_text(answer.text, TEXT, before=0.3)


def _table(sheet: Printed, table: PaperTable) -> None:
    sheet.keep_together(5)
    sheet.write_text(table.caption, TEXT, bold=True, before=2)
    sheet.set_font(SANS, "", CELL)
    sheet.set_text_color(colour("ink", "light"))
    sheet.set_draw_color(colour("line", "light"))
    rows = [_from_start(row) for row in (table.head, *table.rows)]
    head = FontFace(emphasis="BOLD")
    with sheet.table(
        borders_layout="HORIZONTAL_LINES", col_widths=_widths(rows), headings_style=head, line_height=LINE * CELL,
        padding=0.8, text_align="RIGHT" if get_language_bidi() else "LEFT",
    ) as made:  # fmt: skip
        for row in rows:
            made.row([_words(cell) for cell in row])


def _from_start(row: Sequence[str]) -> list[str]:
    """Return the row's cells from left to right. In a right-to-left language the first column is at the right."""
    return [str(cell) for cell in (reversed(row) if get_language_bidi() else row)]


def _words(text: str) -> str:
    """Return the text for the PDF. A text with any right-to-left letter runs from right to left."""
    written = any(unicodedata.bidirectional(each) in ("R", "AL") for each in text)
    return RIGHT_TO_LEFT * written + clean(text)


def _widths(rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the columns' widths, by the longest cell. Long texts wrap; words stay whole up to 24 characters."""
    columns = list(zip(*rows, strict=True))
    words = [max(min(24, len(word)) for cell in column for word in cell.split() or [""]) for column in columns]
    return tuple(max(6, word + 2, min(40, max(map(len, column)))) for word, column in zip(words, columns, strict=True))


def _notes(facts: Facts) -> list[str]:
    """Return the lines of the footer."""
    frozen = _("SHA-256 of the frozen definition:")
    draft = _("SHA-256 of the definition, as the draft is now:")
    notes = [f"{draft if facts.is_draft else frozen} {facts.digest}"]
    if facts.release:
        words = _("Release %(number)s of %(day)s, %(n)s reports. SHA-256 of its totals:")
        day, n = date_format(facts.release.day, "DATE_FORMAT"), numerals.count(facts.release.n)
        notes.append(f"{words % {'number': facts.release.number, 'day': day, 'n': n}} {facts.release.digest}")
    last = _(
        "Every number here is computed from the definition and the releases, by the program that serves the pages and "
        "the API."
    )
    return [*notes, f"{facts.software}. {last}"]


def _day(facts: Facts) -> datetime:
    """Return the document's date. It follows from the facts alone: the release's day, or a neutral date."""
    return datetime.combine(facts.release.day, time(), UTC) if facts.release else NO_DAY
