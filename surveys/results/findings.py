"""What a question's estimates allow to be said, in sentences.

All of it follows from the simultaneous intervals of the population, so that the sentences about one question
hold together at the stated confidence.
"""

from surveys.results import numerals

NAMED = 3  # options named in a sentence; more are counted instead
NOTHING_KNOWN = 0.995  # of what is possible: an interval that wide says nothing


def findings(question: dict) -> list[str]:
    """Sentences about `question` (an element of an estimate's document) by its first method."""
    categories = question["methods"][0]["categories"]
    if question["kind"] == "mean":
        said = _mean(question, categories[0])
    elif question["kind"] == "multiple_choice":
        said = _several(question, categories)
    else:
        said = [_most_common(categories), _near_zero(categories), _resolution(categories)]
    return [sentence for sentence in said if sentence]


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


def _resolution(categories: list[dict]) -> str:
    widest = max(_high(category) - _low(category) for category in categories)
    if widest > NOTHING_KNOWN:
        return "There are too few reports to compare shares at all."
    if len(categories) == 2:
        return f"Each share is known to about ±{numerals.rounded_up(50 * widest)} percentage points."
    points = numerals.rounded_up(100 * widest)
    return f"Shares less than about {points} percentage points apart cannot be told apart with so many reports."


# Any number of answers --------------------------------------------------------------------------------------


def _several(question: dict, categories: list[dict]) -> list[str]:
    """Each answer has reports of its own. About one that no report is about, nothing is known: not even whether
    it is the most common one."""
    missing = question["d"] - len(categories)
    apart = "Several answers can apply to the same person, so the shares need not add up to 100%."
    if missing:
        left_out = f"No report is about {missing} of the {question['d']} answers, so nothing is known about them."
        return [left_out, _near_zero(categories), apart]
    return [_most_common(categories), _near_zero(categories), _resolution(categories), apart]


# A number ---------------------------------------------------------------------------------------------------


def _mean(question: dict, category: dict) -> list[str]:
    low, high = _low(category), _high(category)
    scale = float(question["high"]) - float(question["low"])
    if high - low > NOTHING_KNOWN * scale:
        return ["There are too few reports to say where on its scale the mean lies."]
    decimals = numerals.places(category["population"]["standard_error"])
    between = f"{numerals.number(low, decimals)} and {numerals.number(high, decimals)}"
    half = numerals.with_unit(numerals.rounded_up((high - low) / 2), question["unit"])
    ends = f"{numerals.decimal(question['low'])} to {numerals.decimal(question['high'])}"
    return [
        f"The mean lies between {numerals.with_unit(between, question['unit'])}.",
        f"It is known to about ±{half} on a scale from {ends}.",
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
