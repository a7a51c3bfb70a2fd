"""A picture of bins in the builder: a histogram's bins, or the spans between dates. Respondents do not see it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ldp.kinds.date import are_dates
from surveys.rules.draft import Question
from surveys.rules.languages import DEFAULT, implied_words
from surveys.rules.refusals import as_text
from surveys.rules.texts import is_number
from surveys.rules.unchecked import as_list
from surveys.survey.kinds import KINDS, numbers
from surveys.survey.kinds.date import places
from surveys.survey.kinds.fields import WHOLE

WIDTH = 1000  # of the picture, in its user units
NAMED_MOST = 12


class Bin(NamedTuple):
    """A bin's name and its place in the picture, in units of WIDTH."""

    name: str
    left: float
    width: float


class BinPicture(NamedTuple):
    """All bins. `named` have room for their names; `more` counts the others."""

    drawn: list[Bin]

    @property
    def named(self) -> list[Bin]:
        return self.drawn if len(self.drawn) <= NAMED_MOST else [*self.drawn[: NAMED_MOST - 1], self.drawn[-1]]

    @property
    def more(self) -> int:
        return len(self.drawn) - len(self.named)


def bin_picture(question: Question, language: str) -> BinPicture:
    """Return a histogram's bins as a picture, empty while the edges are invalid."""
    edges = [as_text(edge) for edge in as_list(question.get("edges"))]
    if len(edges) < 3 or not all(isinstance(edge, str) and is_number(edge) for edge in edges):
        return BinPicture([])
    values = [float(str(edge)) for edge in edges]
    if any(low >= high for low, high in pairwise(values)):
        return BinPicture([])
    if question.get("limits") == WHOLE and not all(map(numbers.is_integer, map(str, edges))):
        return BinPicture([])
    own = {"edges": edges, "limits": question.get("limits")}
    names = KINDS["histogram"].implied_options(own, implied_words(language)) or []
    return BinPicture(list(_drawn(values, names)))


def span_picture(question: Question) -> BinPicture:
    """Return the spans between dates as a picture, empty while the dates are invalid."""
    dates = [as_text(each) for each in as_list(question.get("dates"))]
    if len(dates) < 3 or not are_dates(dates):
        return BinPicture([])
    names = KINDS["date"].implied_options({"dates": dates}, implied_words(DEFAULT)) or []
    return BinPicture(list(_drawn(places(list(map(str, dates))), names)))


def _drawn(values: list[float], names: list[str]) -> Iterator[Bin]:
    scale = WIDTH / (values[-1] - values[0])
    for name, (low, high) in zip(names, pairwise(values), strict=True):
        yield Bin(name, round((low - values[0]) * scale, 1), round(max((high - low) * scale - 4, 1), 1))
