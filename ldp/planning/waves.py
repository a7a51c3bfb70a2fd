"""The change from one wave to the next that a number of people shows (M38b).

A change shows if its interval excludes 0 (ldp/inference/reading/moved.py). The interval's error chance is `error` over
`together` (surveys/researcher/analyses/waves/changes.py). Plans assume that other people answer the next wave; people
who answer both similarly make the difference of the two estimates less variable.
"""

from ldp import search
from ldp.planning import arms, share_comparisons
from ldp.planning.arms import MIDDLE, Arm
from ldp.planning.share_comparisons import ComparisonDesign
from ldp.search import LEVEL, POWER

STEP = 0.001  # of changes


def design(now: Arm, before: Arm, ratio: float, share: float = MIDDLE) -> ComparisonDesign | None:
    """Return the design for the shares of one option, half of the change on each side of `share`. n counts all people
    of the next wave; the wave before had `ratio` times as many. None for means unless their noise is one bit's."""
    own, (tallied, place, rarity) = arms.row(now), arms.row(before)
    if any(each.d == 1 and each.counted for each in (own[0], tallied)):
        return None
    return share_comparisons.of_two(own, (tallied, place, rarity / ratio), share, same_people=True)


def power(planned: ComparisonDesign, change: float, n: int, together: int, error: float = LEVEL) -> float:
    """Return the chance that n people of the next wave show the change. `together` intervals hold at once."""
    return share_comparisons.power(planned, change, _level(error, together), n)


def smallest(
    planned: ComparisonDesign, n: int, together: int, error: float = LEVEL, wanted: float = POWER
) -> float | None:
    """Return the least change, in STEPs, that n people show with this chance; None if there is none."""
    return search.smallest(lambda change: power(planned, change, n, together, error), wanted, STEP, round(1 / STEP) - 1)


def needed(
    planned: ComparisonDesign, change: float, together: int, error: float = LEVEL, wanted: float = POWER
) -> int | None:
    """Return how many people of the next wave show the change with this chance; None if no number does."""
    return share_comparisons.needed(planned, change, _level(error, together), wanted)


def _level(error: float, together: int) -> float:
    # The two intervals of a change each take half of this (ComparisonDesign.deviations).
    return 2 * error / together
