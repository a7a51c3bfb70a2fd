"""What a question's estimates allow to be said, in sentences.

All of it follows from the simultaneous intervals of the population, so that the sentences about one question
hold together at the stated confidence.
"""

from surveys import numerals

NAMED = 3  # options named in a sentence; more are counted instead


def findings(question: dict) -> list[str]:
    """Sentences about `question` (an element of an estimate's document) by its first method."""
    categories = question["methods"][0]["categories"]
    said = [_most_common(categories), _near_zero(categories), _resolution(categories)]
    return [sentence for sentence in said if sentence]


def _most_common(categories: list[dict]) -> str:
    """The most common option is among those whose interval reaches the highest lower end, because its share
    is at least the share that this lower end bounds."""
    bar = max(_low(category) for category in categories)
    possible = [category["option"] for category in categories if _high(category) >= bar]
    more = "more common answer" if len(categories) == 2 else "most common answer"
    if len(possible) == 1:
        return f"“{possible[0]}” is the {more}."
    if len(possible) <= NAMED and len(possible) < len(categories):
        return f"The {more} is {_either(possible)}; which one cannot be said."
    every = len(possible) == len(categories)
    those = "every answer" if every else f"{len(possible)} of the {len(categories)} answers"
    return f"It cannot be said which is the {more}: {those} could be."


def _near_zero(categories: list[dict]) -> str:
    none = [category["option"] for category in categories if _low(category) <= 0]
    if not none:
        return ""
    if len(none) == len(categories):
        return "For no answer can a share of 0 be ruled out."
    if len(none) <= NAMED:
        return f"For {_either(none)} a share of 0 cannot be ruled out."
    return f"For {len(none)} of the {len(categories)} answers a share of 0 cannot be ruled out."


def _resolution(categories: list[dict]) -> str:
    widest = 100 * max(_high(category) - _low(category) for category in categories)
    if widest > 99.5:
        return "There are too few reports to compare shares at all."
    if len(categories) == 2:
        return f"Each share is known to about ±{numerals.rounded_up(widest / 2)} percentage points."
    points = numerals.rounded_up(widest)
    return f"Shares less than about {points} percentage points apart cannot be told apart with so many reports."


def impossible(method: dict) -> bool:
    """Whether an estimate lies where no share can."""
    return any(not 0 <= category["estimate"] <= 1 for category in method["categories"])


def _either(options: list[str]) -> str:
    quoted = [f"“{option}”" for option in options]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _low(category: dict) -> float:
    return category["population"]["simultaneous"][0]


def _high(category: dict) -> float:
    return category["population"]["simultaneous"][1]
