"""The least number of reports, and the least alpha, at which a chance is reached that grows with both."""

import math
from bisect import bisect_left
from collections.abc import Callable

from ldp.planning.outlook import N_MOST

ALPHA_STEP, ALPHA_MOST = 0.1, 16.0


def fewest(chance: Callable[[int], float], wanted: float) -> int | None:
    """About how many reports, in two digits; None where N_MOST are too few."""
    numbers = sorted({digits * 10**zeros for digits in range(10, 100) for zeros in range(len(str(N_MOST)))})
    place = bisect_left(numbers, wanted, key=chance)
    return numbers[place] if place < len(numbers) and numbers[place] <= N_MOST else None


def least_alpha(total: float, chance: Callable[[float], float], wanted: float) -> float | None:
    """To ALPHA_STEP, no less than there is and no more than ALPHA_MOST; None where none does, or ValueError says that
    it cannot be told."""
    steps = range(math.ceil(total / ALPHA_STEP), round(ALPHA_MOST / ALPHA_STEP) + 1)
    alphas = [round(step * ALPHA_STEP, 1) for step in steps]
    try:
        place = bisect_left(alphas, wanted, key=chance)
    except ValueError:
        return None
    return alphas[place] if place < len(alphas) else None
