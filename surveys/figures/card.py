"""Draw a card to share: a question, its main estimates with intervals, and below them the source. The size is that of
link previews on other sites: 1200 by 630 dots, two per pixel. Drawing imports matplotlib."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from surveys.figures.labels import display_width, led, wrap
from surveys.figures.themes import THEMES, Theme

if TYPE_CHECKING:  # only processes that draw load matplotlib
    from matplotlib.figure import Figure

Box = Callable[[float, float, float, float, str], None]

WIDTH, HEIGHT = 600, 315
SIDE, EDGE = 28, 6
TITLE, QUESTION_TOP, QUESTION_LINE, QUESTION_LINES = 26, 52, 23, 3
NOTE_LINE, NOTE_LINES = 20, 3
ROW, BAR, LOWEST = 34, 7, 256  # the last line below the bars
BELOW = 25  # from a row's words to the words below its bar
FOOT_LINE, FOOT_BOTTOM = 15, 16
LARGE, MEDIUM, SMALL = 17, 12, 9.5  # font sizes
COLUMN, FOOT_COLUMN = 0.64, 0.57  # widest character's width as a fraction of the font size; less in long texts


class CardEstimate(NamedTuple):
    """An estimate with its name and text. Numbers are fractions of the possible range. Without `interval` nothing is
    drawn, without `estimate` no dot."""

    name: str
    text: str
    interval: tuple[float, float] | None
    estimate: float | None


class Card(NamedTuple):
    """`note` is the main finding. Without rows it says why there is none. `ends` are the ends of the possible range."""

    survey: str
    question: str
    note: str
    rows: tuple[CardEstimate, ...]
    more: str
    ends: tuple[str, str]
    foot: tuple[str, ...]
    right: bool  # whether the language runs from right to left

    @property
    def alternative(self) -> str:
        """Return the card as text."""
        estimates = "; ".join(f"{row.name} {row.text}" for row in self.rows)
        parts = [self.question, self.note, estimates, self.more, *self.foot, self.survey]
        return " ".join(text if text[-1] in ".?!؟" else f"{text}." for text in parts if text)


def draw(card: Card, format: str, theme: str = "light") -> bytes:
    """Return the card as "svg" or "png"."""
    from surveys.figures.picture import picture

    def paint(figure: "Figure") -> None:
        _paint(figure, card, THEMES[theme])

    return picture(WIDTH, HEIGHT, THEMES[theme].card, card.question, paint, format)


def _paint(figure: "Figure", card: Card, colours: Theme) -> None:
    from matplotlib.patches import Rectangle

    from surveys.figures.svg import clean

    def text(words: str, y: float, size: float, colour: str, end: bool = False, weight: str = "normal") -> None:
        """Draw text from the side where the language begins. If `end`, draw it up to the other side."""
        on_left = card.right == end
        x, ha = (SIDE, "left") if on_left else (WIDTH - SIDE, "right")
        style = {"color": colour, "fontsize": size, "fontweight": weight, "ha": ha, "va": "baseline"}
        figure.text(x / WIDTH, 1 - y / HEIGHT, clean(led(words, card.right)), **style)  # type: ignore[arg-type]

    def box(x: float, y: float, width: float, height: float, colour: str) -> None:
        corner = x / WIDTH, 1 - (y + height) / HEIGHT
        figure.add_artist(Rectangle(corner, width / WIDTH, height / HEIGHT, facecolor=colour, linewidth=0))

    box(WIDTH - EDGE if card.right else 0, 0, EDGE, HEIGHT, colours.accent)
    text(_cut(card.survey, WIDTH - 2 * SIDE, SMALL), TITLE, SMALL, colours.quiet)
    top = QUESTION_TOP
    for line in _lines(card.question, LARGE, QUESTION_LINES):
        text(line, top, LARGE, colours.ink, weight="bold")
        top += QUESTION_LINE
    top += 4
    for line in _lines(card.note, MEDIUM, NOTE_LINES):
        text(line, top, MEDIUM, colours.accent)
        top += NOTE_LINE
    top += 4
    for row in card.rows:
        room = WIDTH - 2 * SIDE - display_width(row.text) * COLUMN * MEDIUM - 12
        text(_cut(row.name, room, MEDIUM), top, MEDIUM, colours.ink)
        text(row.text, top, MEDIUM, colours.ink, end=True)
        _bar(figure, row, top + 7, colours, box)
        top += ROW
    _below(card, top - ROW + BELOW, colours, figure)
    for place, line in enumerate(reversed(card.foot)):
        [shown] = wrap(line, int((WIDTH - 2 * SIDE) / (FOOT_COLUMN * SMALL)), 1)
        text(shown, HEIGHT - FOOT_BOTTOM - FOOT_LINE * place, SMALL, colours.quiet)


def _bar(figure: "Figure", row: CardEstimate, y: float, colours: Theme, box: Box) -> None:
    from matplotlib.lines import Line2D

    across = WIDTH - 2 * SIDE
    box(SIDE, y, across, BAR, colours.grid)
    if row.interval is None:
        return
    low, high = row.interval
    box(SIDE + low * across, y, max(1.5, (high - low) * across), BAR, colours.band)
    if row.estimate is not None:
        x, up = (SIDE + row.estimate * across) / WIDTH, 1 - (y + BAR / 2) / HEIGHT
        dot = {"marker": "o", "markersize": 8, "markeredgewidth": 1.4}
        figure.add_artist(Line2D([x], [up], color=colours.accent, markeredgecolor=colours.card, **dot))  # type: ignore[arg-type]


def _below(card: Card, y: float, colours: Theme, figure: "Figure") -> None:
    """Draw the ends of the possible range, as in every plot, and the lines below."""
    from surveys.figures.svg import clean

    if not card.rows:
        return
    places = ((card.ends[0], SIDE, "left"), (card.ends[1], WIDTH - SIDE, "right"), (card.more, WIDTH / 2, "center"))
    for words, x, ha in places:
        figure.text(x / WIDTH, 1 - y / HEIGHT, clean(words), color=colours.quiet, fontsize=SMALL, ha=ha, va="baseline")


def rows_that_fit(question: str, note: str) -> int:
    """Return the number of rows that fit below the question and the note."""
    top = QUESTION_TOP + QUESTION_LINE * len(_lines(question, LARGE, QUESTION_LINES)) + 4
    top += NOTE_LINE * len(_lines(note, MEDIUM, NOTE_LINES)) + 4
    return 1 + int((LOWEST - BELOW - top) / ROW)


def _lines(words: str, size: float, most: int) -> list[str]:
    return wrap(words, int((WIDTH - 2 * SIDE) / (COLUMN * size)), most)


def _cut(words: str, pixels: float, size: float) -> str:
    """Return the part that fits into one line of `pixels`."""
    return wrap(words, max(6, int(pixels / (COLUMN * size))), 1)[0]
