"""Searches for the least number that meets a condition: reports, differences, alphas, noise."""

import math
from bisect import bisect_left
from collections.abc import Callable

# Planned power, and level of the planned test.
POWER, LEVEL = 0.8, 0.05

# No number of people above this is stated.
N_MOST = 10**10

ALPHA_STEP, ALPHA_MOST, TINY = 0.1, 16.0, 1e-60


def least(reached: Callable[[float], bool], high: float = 1.0) -> float:
    """Return the least positive number from which a condition holds, to the last digit; at least TINY."""
    low = 0.0
    while not reached(high):
        low, high = high, 2 * high
    while (middle := (low + high) / 2) > TINY and low < middle < high:
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def fewest(chance: Callable[[int], float], wanted: float) -> int | None:
    """Return about how many reports reach the wanted chance, in two digits; None if more than N_MOST."""
    numbers = sorted({digits * 10**zeros for digits in range(10, 100) for zeros in range(len(str(N_MOST)))})
    place = bisect_left(numbers, wanted, key=chance)
    return numbers[place] if place < len(numbers) and numbers[place] <= N_MOST else None


def smallest(chance: Callable[[float], float], wanted: float, step: float, steps: int) -> float | None:
    """Return the least of 1 to `steps` times `step` that reaches the wanted chance; None if none does."""
    numbers = range(1, steps + 1)
    place = bisect_left(numbers, wanted, key=lambda number: chance(number * step))
    return numbers[place] * step if place < steps else None


def least_alpha(total: float, chance: Callable[[float], float], wanted: float) -> float | None:
    """Return the least alpha that reaches the wanted chance, in steps of ALPHA_STEP from `total` to ALPHA_MOST; None if
    none does or `chance` raises ValueError."""
    steps = range(math.ceil(total / ALPHA_STEP), round(ALPHA_MOST / ALPHA_STEP) + 1)
    alphas = [round(step * ALPHA_STEP, 1) for step in steps]
    try:
        place = bisect_left(alphas, wanted, key=chance)
    except ValueError:
        return None
    return alphas[place] if place < len(alphas) else None


def least_people(half_width_of: Callable[[int], float], wished: float) -> int | None:
    """Return the least n with at most the wished half-width; None if N_MOST people are too few."""
    if half_width_of(N_MOST) > wished:
        return None
    low, high = 0, N_MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width_of(middle) <= wished else (middle, high)
    return high
