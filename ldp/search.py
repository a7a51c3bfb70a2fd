"""The least number of reports, difference or alpha at which a chance is reached that grows with it."""

import math
from bisect import bisect_left
from collections.abc import Callable

# The chance with which something shall show, and that with which it may seem to show where it is not there.
POWER, LEVEL = 0.8, 0.05

# Where more people than this are needed no number is given.
N_MOST = 10**10

ALPHA_STEP, ALPHA_MOST = 0.1, 16.0


def fewest(chance: Callable[[int], float], wanted: float) -> int | None:
    """About how many reports, in two digits; None where N_MOST are too few."""
    numbers = sorted({digits * 10**zeros for digits in range(10, 100) for zeros in range(len(str(N_MOST)))})
    place = bisect_left(numbers, wanted, key=chance)
    return numbers[place] if place < len(numbers) and numbers[place] <= N_MOST else None


def smallest(chance: Callable[[float], float], wanted: float, step: float, steps: int) -> float | None:
    """The least difference, of 1 to so many `steps`; None where none does."""
    numbers = range(1, steps + 1)
    place = bisect_left(numbers, wanted, key=lambda number: chance(number * step))
    return numbers[place] * step if place < steps else None


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


def least_people(half_width_of: Callable[[int], float], wished: float) -> int | None:
    """The least n with a half-width of at most the wished one, which falls with n; None where N_MOST are too few."""
    if half_width_of(N_MOST) > wished:
        return None
    low, high = 0, N_MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width_of(middle) <= wished else (middle, high)
    return high
