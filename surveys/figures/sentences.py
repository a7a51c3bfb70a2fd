"""What the simultaneous intervals of shares allow to be said. See surveys/results/findings.py for what holds them true.

Categories are those of a method in an estimate's document.
"""

from itertools import combinations
from typing import Any

from surveys.figures import numerals

Category = dict[str, Any]

NAMED = 3  # options named in a sentence; more are counted instead


def most_common(categories: list[Category]) -> str:
    """The most common option is among those whose interval reaches the highest lower end, because its share
    is at least the share that this lower end bounds."""
    bar = max(low(category) for category in categories)
    possible = [category["option"] for category in categories if high(category) >= bar]
    more = "more common answer" if len(categories) == 2 else "most common answer"
    if len(possible) == 1:
        return f"“{possible[0]}” is the {more}."
    if len(possible) <= NAMED and len(possible) < len(categories):
        return f"The {more} is {_either(possible)}; which one cannot be said."
    every = len(possible) == len(categories)
    those = "every answer" if every else f"{len(possible)} of the {len(categories)} answers"
    return f"It cannot be said which is the {more}: {those} could be."


def near_zero(categories: list[Category]) -> str:
    none = [category["option"] for category in categories if low(category) <= 0]
    if not none:
        return ""
    if len(none) == len(categories):
        return "For no answer can a share of 0 be ruled out."
    if len(none) <= NAMED:
        return f"For {_either(none)} a share of 0 cannot be ruled out."
    return f"For {len(none)} of the {len(categories)} answers a share of 0 cannot be ruled out."


def apart(categories: list[Category]) -> str:
    """Two answers whose intervals do not overlap are told apart: which of them is more common is known."""
    pairs, known = len(categories) * (len(categories) - 1) // 2, pairs_apart(categories)
    if pairs < 2:
        widest = max(high(category) - low(category) for category in categories)
        return f"The interval of each share is at most {numerals.rounded_up(100 * widest)} percentage points wide."
    if not known:
        return "No two answers are told apart: all their intervals overlap."
    if known == pairs:
        return f"All {pairs} pairs of answers are told apart: their intervals do not overlap."
    verb = "is" if known == 1 else "are"
    return f"Of {pairs} pairs of answers {known} {verb} told apart: their intervals do not overlap."


def pairs_apart(categories: list[Category]) -> int:
    return sum(high(one) < low(other) or high(other) < low(one) for one, other in combinations(categories, 2))


def low(category: Category) -> float:
    return float(category["population"]["simultaneous"][0])


def high(category: Category) -> float:
    return float(category["population"]["simultaneous"][1])


def _either(options: list[str]) -> str:
    quoted = [f"“{option}”" for option in options]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
