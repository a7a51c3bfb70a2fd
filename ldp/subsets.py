"""Numbers of options in a draw, and numbers of options that a report lists (M44, M9c)."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class Items(NamedTuple):
    """A multiple choice or grid in a draw of several questions: its number of items, and of options for each item."""

    items: int
    d: int


# Options: the number of a question's options. Size: how many a report lists; for Items (drawn items, options for each).
Options = int | Items
Size = int | Sequence[int]
Counts = Sequence[Options]
Sizes = Sequence[Size]

# A tally of a draw counts every combination of answers, at most this many.
CELLS_MAX = 4096


def symbols(options: Options) -> int:
    """Return the number of a question's options; for Items, of all items together."""
    return options if isinstance(options, int) else options.items * options.d


def listed(size: Size) -> int:
    """Return how many of a question's options a report lists."""
    return size if isinstance(size, int) else math.prod(size)


def answers_of(counts: Counts, sizes: Sizes) -> Iterator[tuple[int, int]]:
    """Yield (options, listed options) for each randomized answer: one for a question, one for each drawn item."""
    for options, size in zip(counts, sizes, strict=True):
        if isinstance(options, Items):
            drawn, each = size  # type: ignore[misc]
            yield from [(options.d, each)] * drawn
        else:
            assert isinstance(size, int)
            yield options, size


def rarity(counts: Counts, sizes: Sizes) -> Fraction:
    """Return D: one of every D product sets contains a certain combination of answers."""
    return math.prod((Fraction(d, a) for d, a in answers_of(counts, sizes)), start=Fraction(1))


def fits(options: Options, size: Any) -> bool:
    """Return whether a size fits a question: a report lists at least one option, and not all. For Items the size is
    (drawn items, options listed for each), with at most CELLS_MAX combinations of options."""
    if isinstance(options, int):
        return type(size) is int and 1 <= size < options
    if not isinstance(size, list | tuple) or len(size) != 2 or not all(type(each) is int for each in size):
        return False
    drawn, each = map(int, size)
    return 1 <= drawn <= options.items and options.d**drawn <= CELLS_MAX and 1 <= each < options.d
