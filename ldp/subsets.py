"""The numbers of options of the questions of a draw, and of those that a report lists (M44, M9c)."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class Items(NamedTuple):
    """A multiple choice or grid in a draw of several: how many items it has, and how many options each."""

    items: int
    d: int


# The number of options of a question, and how many a report lists; for a list or grid also how many items.
Options = int | Items
Size = int | Sequence[int]
Counts = Sequence[Options]
Sizes = Sequence[Size]

# The tally of a draw of several questions counts every combination of answers.
CELLS_MAX = 4096


def symbols(options: Options) -> int:
    """Return the number of options of a question; for a list or grid, of all its items together."""
    return options if isinstance(options, int) else options.items * options.d


def listed(size: Size) -> int:
    """Return how many of a question's options a report lists."""
    return size if isinstance(size, int) else math.prod(size)


def answers_of(counts: Counts, sizes: Sizes) -> Iterator[tuple[int, int]]:
    """Return the numbers of options and of listed options for each answer that is randomized: one for a question, one
    for each drawn item of a list or grid."""
    for options, size in zip(counts, sizes, strict=True):
        if isinstance(options, Items):
            drawn, each = size  # type: ignore[misc]
            yield from [(options.d, each)] * drawn
        else:
            assert isinstance(size, int)
            yield options, size


def rarity(counts: Counts, sizes: Sizes) -> Fraction:
    """Return D: every D-th product set contains given answers."""
    return math.prod((Fraction(d, a) for d, a in answers_of(counts, sizes)), start=Fraction(1))


def fits(options: Options, size: Any) -> bool:
    """Return whether a size fits a question: at least one option is listed, and not all. For a list or grid a size is
    the number of drawn items and of options listed for each, with at most as many combinations as a tally counts."""
    if isinstance(options, int):
        return type(size) is int and 1 <= size < options
    if not isinstance(size, list | tuple) or len(size) != 2 or not all(type(each) is int for each in size):
        return False
    drawn, each = map(int, size)
    return 1 <= drawn <= options.items and options.d**drawn <= CELLS_MAX and 1 <= each < options.d
