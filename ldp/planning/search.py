"""The least number of reports at which a chance is reached that grows with it."""

from bisect import bisect_left
from collections.abc import Callable

from ldp.planning.outlook import N_MOST


def fewest(chance: Callable[[int], float], wanted: float) -> int | None:
    """About how many reports, in two digits; None where N_MOST are too few."""
    numbers = sorted({digits * 10**zeros for digits in range(10, 100) for zeros in range(len(str(N_MOST)))})
    place = bisect_left(numbers, wanted, key=chance)
    return numbers[place] if place < len(numbers) and numbers[place] <= N_MOST else None
