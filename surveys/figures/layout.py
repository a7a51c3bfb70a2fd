"""The measures of a plot in CSS pixels: width, height, and lines of labels. The page knows them without drawing, so it
reserves the space while the picture loads."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Options, Result
from surveys.figures.labels import display_width, wrap
from surveys.figures.targets import targeted
from surveys.rules.languages import withheld

WIDTHS = {"wide": 600, "narrow": 358}
TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}  # the content types of pictures
CHARACTER = 7.0  # the width of an average character at 13 px, with a margin
SMALL = 6.6  # the same at 12 px
LINE = 17
GAP = 12  # between an interval and the estimate behind it
LEGEND = {"wide": 34, "narrow": 50}
AXIS = 48
FOOT = 62  # below the bars of a histogram, at least
NAME_LINE = 15
UPRIGHT = 24  # columns of a vertical name
LABEL_LINES = 3
APART = 74  # the width of the label "Prefer not to say" beside a histogram
SCALE_LEAST, SCALE_MOST = 5, 11  # the numbers of steps that are drawn side by side; all fit in a narrow plot
WHOLE = re.compile(r"-?[0-9]{1,3}")
MANY = 14  # from this number on, rows are closer together


@dataclass(frozen=True)
class Rows:
    """A row per option: label, interval, value. In a narrow plot the label is above its interval."""

    width: int
    height: int
    left: int
    right: int
    labels: tuple[tuple[str, ...], ...]  # lines
    centres: tuple[float, ...]  # of the interval, from the top
    label_tops: tuple[float, ...]
    beside: bool  # the label is left of the interval, not above it


class NumberLine(Rows):
    """A single row, on the question's scale."""


@dataclass(frozen=True)
class Bins:
    """Equally wide slots for bins, with "Prefer not to say" apart on the right."""

    width: int
    height: int
    left: int
    right: int
    slot: float
    centres: tuple[float, ...]  # in slots; bin i spans i to i + 1
    number: int  # the number of bins without "Prefer not to say"
    ticks: tuple[tuple[float, tuple[str, ...]], ...]  # lines of the labels that fit, with their places in slots
    turned: bool  # whether labels are vertical: a word is wider than a slot
    foot: float  # the height of the text below the bars
    to_scale: bool  # whether the bins are equally wide, so that the axis is ordinary
    dense: bool  # whether bins are too narrow for whiskers and have a stepped band


@dataclass(frozen=True)
class Cells:
    """A grid as a table: a row of cells per item. In a narrow plot the item is above its cells."""

    width: int
    height: int
    left: int
    right: int
    cell: float  # the width
    heads: tuple[tuple[str, ...], ...]  # lines of each option
    head: float  # the largest height
    turned: bool  # whether options are vertical: a word is wider than a cell
    labels: tuple[tuple[str, ...], ...]  # lines of each item
    label_tops: tuple[float, ...]
    tops: tuple[float, ...]  # of the cells
    beside: bool


Plan = Rows | Bins | Cells


def aside(result: Options) -> int | None:
    """Return the index of "Prefer not to say", which is apart from the answers; None without it."""
    options: list[str] = result["options"]
    refusing = result["prefer_not_to_say"] and options[-1] in withheld()
    return len(options) - 1 if refusing else None


def number_line(result: Result, width: str) -> NumberLine:
    """Return the row, with space for numbers on both sides."""
    ends = [numerals.decimal(result[end]) for end in ("low", "high")]
    value = len(numerals.number(*mean_and_places(result)))
    room = int(max(map(len, ends)) * SMALL / 2) + 8
    beside = width == "wide"
    left = max(_label_column([_("Mean")]), room) if beside else max(16, room)
    right = max(70, room, int(value * CHARACTER) + 24) if beside else max(16, room)
    if beside:
        height, centre, label_top = 56, LEGEND[width] + 28.0, LEGEND[width] + 20.0
    else:
        height, centre, label_top = LINE + 30, LEGEND[width] + LINE + 14.0, LEGEND[width] + 4.0
    whole = LEGEND[width] + height + AXIS
    return NumberLine(WIDTHS[width], whole, left, right, ((_("Mean"),),), (centre,), (label_top,), beside)


def mean_and_places(result: Result) -> tuple[float, int]:
    """Return the estimate and its number of meaningful decimals."""
    category = result["methods"][0]["categories"][0]
    return category["estimate"], numerals.places(targeted(category)["standard_error"])


def rows(result: Result, width: str) -> Rows:
    beside = width == "wide"
    left = _label_column(result["options"]) if beside else 16
    columns = int((left - 18 if beside else WIDTHS[width] - 32) / CHARACTER)
    wrapped = [wrap(option, columns, LABEL_LINES) for option in result["options"]]
    air = (10 if len(wrapped) > MANY else 20) if beside else (24 if len(wrapped) > MANY else 30)
    top, label_tops, centres = LEGEND[width], [], []
    for index, lines in enumerate(wrapped):
        top += 12 if index == aside(result) else 0
        text, height = LINE * len(lines), LINE * len(lines) + air
        label_tops.append(top + air / 2 if beside else top + 4)
        centres.append(top + height / 2 if beside else top + text + 14)
        top += height
    labels = tuple(tuple(lines) for lines in wrapped)
    right = GAP + int((numerals.decimals_of(result["methods"][0]) + 4) * CHARACTER) + 10
    return Rows(WIDTHS[width], top + AXIS, left, right, labels, tuple(centres), tuple(label_tops), beside)


def bins(result: Result, width: str, edges: Sequence[float] | None = None) -> Bins:
    """Return the layout of a histogram. `edges` are by default the question's."""
    apart = result["prefer_not_to_say"]
    edges = [float(edge) for edge in result["edges"]] if edges is None else edges
    number = len(edges) - 1
    left, right = 52, 16
    room = WIDTHS[width] - left - right
    slot = min(room / (number + 1.6), (room - 1.2 * APART) / number) if apart else room / number
    centres = [index + 0.5 for index in range(number)]
    if apart:
        centres.append((room - max(slot, APART) / 2) / slot)
    names, turned, high = _names(result["options"][:number], slot)
    foot = max(FOOT, high + 34)
    height = round({"wide": 308, "narrow": 278}[width] + foot)
    ticks, even = tuple((place + 0.5, lines) for place, lines in names), equally_wide(edges)
    dense = slot < 12
    return Bins(WIDTHS[width], height, left, right, slot, tuple(centres), number, ticks, turned, foot, even, dense)


def in_one_row(result: Result) -> bool:
    """Return whether the options are whole numbers such as 0 to 10, drawn as columns side by side."""
    answers = result["options"][: aside(result)]
    return SCALE_LEAST <= len(answers) <= SCALE_MOST and all(map(WHOLE.fullmatch, answers))


def columns(result: Result, width: str) -> Bins:
    """Return one slot for each step of a scale, with a label below its middle."""
    answers, apart = result["options"][: aside(result)], aside(result) is not None
    left, right = 52, 16
    room = WIDTHS[width] - left - right
    slot = (room - 1.2 * APART) / len(answers) if apart else room / len(answers)
    centres = [index + 0.5 for index in range(len(answers))]
    ticks = tuple((place, (numerals.decimal(answer),)) for place, answer in zip(centres, answers, strict=True))
    if apart:
        centres.append((room - APART / 2) / slot)
    height = {"wide": 330, "narrow": 310}[width]
    number = len(answers)
    return Bins(WIDTHS[width], height, left, right, slot, tuple(centres), number, ticks, False, FOOT, True, False)


def _names(options: list[str], slot: float) -> tuple[list[tuple[int, tuple[str, ...]]], bool, float]:
    """Return as many labels as fit without touching, with their places; whether they are vertical; and their height.
    The first and the last label are always included."""
    columns = int((slot - SMALL) / SMALL)  # with the width of a letter between two names
    if all(display_width(word) <= columns for name in options for word in name.split()):
        lines = [wrap(name, columns, LABEL_LINES + 1) for name in options]
        if max(map(len, lines)) <= LABEL_LINES:
            return [(place, tuple(own)) for place, own in enumerate(lines)], False, NAME_LINE * max(map(len, lines))
    places = list(range(0, len(options), max(1, math.ceil(NAME_LINE / slot))))
    places[-1] = len(options) - 1
    upright = [(place, tuple(wrap(options[place], UPRIGHT, 1))) for place in places]
    return upright, True, SMALL * max(display_width(name) for _place, [name] in upright) + 10  # digits are wide


def equally_wide(edges: Sequence[float]) -> bool:
    widths = [high - low for low, high in pairwise(edges)]
    return max(widths) - min(widths) <= 1e-9 * max(widths)


def _label_column(options: list[str]) -> int:
    """Return the width of the longest label, at most a third of the plot."""
    longest = max(display_width(option) for option in options)
    return int(min(max(longest, 4) * CHARACTER + 30, WIDTHS["wide"] * 0.36))
