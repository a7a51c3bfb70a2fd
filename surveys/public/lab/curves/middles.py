"""Quartiles released by a curator, with and without many equal answers (M24, "Several quantiles at once").

The answers are invented and fixed: integers 0..SIZE in a triangle with its top at TOP, and a fraction of them exactly
TOP. The distributions are computed. Only the steps that move answers are drawn, with a seed.
"""

import random
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext as _

from ldp.central import quantiles
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, IntervalSpans, Lines, Role, Span
from surveys.public.lab.curves.numbers import Numbers

SIZE, TOP, STEPS = 1000, 400, 10
LEVELS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
PEOPLE_MAX = 300
_SEED = 1974
_ATOMS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95)

Floats = npt.NDArray[np.float64]


class Released(NamedTuple):
    """The possible releases of a quartile: the chance of each cell 0..SIZE-1. `true` is the true one."""

    true: int
    law: Floats

    def within(self, confidence: float) -> tuple[int, int]:
        """Return the cells between which the release falls with this chance, with equal tails."""
        below, tail = np.cumsum(self.law), (1 - confidence) / 2
        return int(np.searchsorted(below, tail)), int(np.searchsorted(below, 1 - tail))

    @property
    def error(self) -> float:
        """Return the mean distance from the true quartile."""
        return float(self.law @ np.abs(np.arange(len(self.law)) - self.true))


def answers(n: int, atom: float) -> list[int]:
    """Return sorted answers. `atom` is the fraction that is exactly TOP."""
    equal = round(n * atom)
    levels = (np.arange(n - equal) + 0.5) / max(n - equal, 1)
    top = TOP / SIZE
    inverse = np.where(levels < top, np.sqrt(levels * top), 1 - np.sqrt((1 - levels) * (1 - top)))
    return sorted([TOP] * equal + np.rint(inverse * SIZE).astype(int).tolist())


def people(numbers: Numbers) -> int:
    return min(numbers.n, PEOPLE_MAX)


@lru_cache(maxsize=64)
def released(n: int, alpha: float, atom: float, smooth: bool) -> tuple[Released, ...]:
    """Return the three quartiles. If `smooth`, each answer is first moved by a few steps."""
    true = answers(n, atom)
    given = true
    if smooth:
        chance = random.Random(_SEED)
        given = quantiles.smoothed(true, SIZE, STEPS, lambda: chance.getrandbits(53))
    return releases_of(given, true, alpha)


def releases_of(given: list[int], true: list[int], alpha: float) -> tuple[Released, ...]:
    """Return the mechanism's three quartiles of `given`, with the true ones of `true` (sorted)."""
    law = quantiles.law(given, SIZE, LEVELS, alpha)
    cells = [_cells(chances, law.lengths) for chances in law.chances]
    quartiles = (true[int(level * (len(true) - 1))] for level in LEVELS)
    return tuple(Released(one, law) for one, law in zip(quartiles, cells, strict=True))


def _cells(chances: Floats, lengths: npt.NDArray[np.int64]) -> Floats:
    """Return the chance of each cell. All cells of an interval are equally likely."""
    return np.repeat(np.divide(chances, lengths, out=np.zeros_like(chances), where=lengths > 0), lengths)


def both(numbers: Numbers) -> tuple[tuple[Released, ...], tuple[Released, ...]]:
    n = people(numbers)
    plain, smooth = (released(n, numbers.alpha, numbers.atom, smooth) for smooth in (False, True))
    return plain, smooth


def reaches(numbers: Numbers) -> IntervalSpans:
    """Return the numbers between which each release falls with the reader's confidence."""
    names = _("Lower quartile"), _("Median"), _("Upper quartile")
    ways: tuple[tuple[str, Role], ...] = (_("as they are"), "fourth"), (_("moved first"), "curator")
    rows = tuple(
        Span(f"{name}, {way}", role, *one.within(numbers.confidence), one.true)
        for name, pair in zip(names, zip(*both(numbers), strict=True), strict=True)
        for (way, role), one in zip(ways, pair, strict=True)
    )
    text = "; ".join(f"{row.label}: {_integer(row.low)} to {_integer(row.high)}" for row in rows)
    return IntervalSpans(Axis(_("Number that is released")), rows, text)


def by_atom(numbers: Numbers) -> Lines:
    """Return the mean distance of the three releases from the truth against the fraction of equal answers."""
    n = people(numbers)
    ways: tuple[tuple[str, Role, bool], ...] = (
        (_("answers as they are"), "fourth", False),
        (_("answers moved first"), "curator", True),
    )
    series = tuple(
        grids.curve(label, role, partial(error_at, n, numbers.alpha, smooth), _ATOMS, -1)
        for label, role, smooth in ways
    )
    text = _(
        "With the chosen part of equal answers the quartiles are off by %(plain)s on average as answers are, and "
        "by %(smooth)s where they are moved first."
    )
    plain, smooth = (numerals.count(mean_error(errors)) for errors in both(numbers))
    sentence = text % {"plain": plain, "smooth": smooth}
    x, y = Axis(_("Equal answers"), unit="%"), Axis(_("Mean distance from the true quartile"), low=0)
    return Lines(x, y, series, sentence, numbers.atom, _("the chosen part"))


def error_at(n: int, alpha: float, smooth: bool, atom: float) -> float:
    return mean_error(released(n, alpha, atom, smooth))


def mean_error(releases: tuple[Released, ...]) -> float:
    return sum(one.error for one in releases) / len(releases)


def _integer(value: float) -> str:
    return numerals.number(value, 0)
