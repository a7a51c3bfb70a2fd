"""The number of people that shows a share to differ from the publicly known one (M42).

A departure shows if the share's published interval excludes the known share, which is a test of that value (M33d). The
share may be larger or smaller by the departure; the direction that is harder to show counts.
"""

from ldp import search
from ldp.planning import arms, share_comparisons
from ldp.planning.arms import Arm
from ldp.planning.share_comparisons import ComparisonDesign
from ldp.search import LEVEL, POWER

STEP = 0.001  # of departures


def design(one: Arm, known: float) -> ComparisonDesign:
    """Return the design for any option, of any item, of a question against its known share; n counts all people.
    ValueError if the known share is outside 0..1, and for a mean."""
    if not 0 <= known <= 1:
        raise ValueError("a known share must be from 0 to 1")
    tallied, place, rarity = arms.row(one)
    if tallied.d == 1:
        raise ValueError("a number that is averaged has no shares")
    return share_comparisons.of_value(tallied, place, known, rarity)


def departures(known: float, size: float) -> list[float]:
    """Return the departures upward and downward that lead to shares in 0..1."""
    return [signed for signed in (size, -size) if 0 <= known + signed <= 1]


def power(one: Arm, known: float, size: float, n: int, level: float = LEVEL) -> float:
    """Return the chance that n people show a departure of this size. ValueError if no share can depart that much."""
    planned, signed = design(one, known), departures(known, size)
    if not signed:
        raise ValueError("no share departs so much from the known one")
    return min(share_comparisons.power(planned, each, level, n) for each in signed)


def needed(one: Arm, known: float, size: float, level: float = LEVEL, wanted: float = POWER) -> int | None:
    """Return how many people show a departure of this size with this chance; None if no number does."""
    planned = design(one, known)
    people = [share_comparisons.needed(planned, each, level, wanted) for each in departures(known, size)]
    return None if None in people else max(filter(None, people), default=None)


def smallest(one: Arm, known: float, n: int, level: float = LEVEL, wanted: float = POWER) -> float | None:
    """Return the least departure, in STEPs, that n people show with this chance; None if there is none."""
    steps = int(max(known, 1 - known) / STEP)
    return search.smallest(lambda size: power(one, known, size, n, level), wanted, STEP, steps)
