"""What a question's estimates allow to be said, in sentences.

All of it follows from the simultaneous intervals of the population and from nothing else: wherever these hold, every
sentence is true, so that all sentences about one question (of a grid about all its items) hold together at the stated
confidence. Numbers in them are rounded outward. While the intervals span too much, no sentence but one is said.
"""

from itertools import combinations

from surveys.results import numerals

NAMED = 3  # options named in a sentence; more are counted instead
TOO_WIDE = 0.5  # of what is possible: where no interval is narrower, expect no result (planning's HOPELESS)


def findings(question: dict) -> list[str]:
    """Sentences about `question` (an element of an estimate's document) by its first method."""
    categories = question["methods"][0]["categories"]
    if too_early(question):
        said = [_left_out(question, categories), _too_early(question)]
    elif question["kind"] == "mean":
        said = _mean(question, categories[0])
    elif question["kind"] == "multiple_choice":
        said = _several(question, categories)
    else:
        said = [_most_common(categories), _near_zero(categories), _apart(categories)]
    return [sentence for sentence in said if sentence]


# Too few reports --------------------------------------------------------------------------------------------


def too_early(question: dict) -> bool:
    """Whether every interval spans half of what is possible or more, and none of them singles an answer out."""
    categories = question["methods"][0]["categories"]
    scale = float(question["high"]) - float(question["low"]) if question["kind"] == "mean" else 1.0
    wide = all(_high(category) - _low(category) >= TOO_WIDE * scale for category in categories)
    return wide and (question["kind"] == "mean" or not _pairs_apart(categories))


def _too_early(question: dict) -> str:
    """The number is the survey's: of a multiple choice and a grid only a part of the reports is about one answer."""
    needed = question["informative_n"]
    if needed is None:
        return "It is too early to say anything, and at this α no number of reports would change that."
    return f"It is too early to say anything. About {numerals.count_up(needed)} reports would say something."


# One answer of several --------------------------------------------------------------------------------------


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


def _apart(categories: list[dict]) -> str:
    """Two answers whose intervals do not overlap are told apart: which of them is more common is known."""
    pairs, apart = len(categories) * (len(categories) - 1) // 2, _pairs_apart(categories)
    if pairs < 2:
        widest = max(_high(category) - _low(category) for category in categories)
        return f"The interval of each share is at most {numerals.rounded_up(100 * widest)} percentage points wide."
    if not apart:
        return "No two answers are told apart: all their intervals overlap."
    if apart == pairs:
        return f"All {pairs} pairs of answers are told apart: their intervals do not overlap."
    verb = "is" if apart == 1 else "are"
    return f"Of {pairs} pairs of answers {apart} {verb} told apart: their intervals do not overlap."


def _pairs_apart(categories: list[dict]) -> int:
    return sum(_high(one) < _low(other) or _high(other) < _low(one) for one, other in combinations(categories, 2))


# Any number of answers --------------------------------------------------------------------------------------


def _several(question: dict, categories: list[dict]) -> list[str]:
    """Each answer has reports of its own. About one that no report is about, nothing is known: not even whether
    it is the most common one."""
    left_out = _left_out(question, categories)
    apart = "Several answers can apply to the same person, so the shares need not add up to 100%."
    if left_out:
        return [left_out, _near_zero(categories), apart]
    return [_most_common(categories), _near_zero(categories), _apart(categories), apart]


def _left_out(question: dict, categories: list[dict]) -> str:
    missing = question["d"] - len(categories) if question["kind"] == "multiple_choice" else 0
    if not missing:
        return ""
    return f"No report is about {missing} of the {question['d']} answers, so nothing is known about them."


# A number ---------------------------------------------------------------------------------------------------


def _mean(question: dict, category: dict) -> list[str]:
    low, high = _low(category), _high(category)
    decimals = numerals.places(category["population"]["standard_error"])
    between = " and ".join(numerals.outward(low, high, decimals))
    width = numerals.with_unit(numerals.rounded_up(high - low), question["unit"])
    ends = f"{numerals.decimal(question['low'])} to {numerals.decimal(question['high'])}"
    return [
        f"The mean lies between {numerals.with_unit(between, question['unit'])}.",
        f"That is a range of {width} on a scale from {ends}.",
    ]


# Impossible estimates ---------------------------------------------------------------------------------------


def possible(question: dict, category: dict) -> bool:
    """Whether the estimate is one that the truth can be."""
    low, high = (float(question["low"]), float(question["high"])) if question["kind"] == "mean" else (0, 1)
    return low <= category["estimate"] <= high


def impossible(question: dict, method: dict) -> bool:
    """Whether an estimate lies where no truth can."""
    return not all(possible(question, category) for category in method["categories"])


def _either(options: list[str]) -> str:
    quoted = [f"“{option}”" for option in options]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _low(category: dict) -> float:
    return category["population"]["simultaneous"][0]


def _high(category: dict) -> float:
    return category["population"]["simultaneous"][1]
