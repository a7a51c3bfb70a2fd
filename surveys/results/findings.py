"""What a question's estimates allow to be said, in sentences.

All of it follows from the simultaneous intervals of the population and from nothing else: wherever these hold, every
sentence is true, so that all sentences about one question (of a grid about all its items) hold together at the stated
confidence. Numbers in them are rounded outward. While the intervals span too much, no sentence but one is said.
"""

from typing import Any

from ldp.planning.outlook import HOPELESS
from surveys import kinds
from surveys.figures import numerals
from surveys.figures.sentences import high, low, pairs_apart

Result = dict[str, Any]

TOO_WIDE = 2 * HOPELESS  # of what is possible: where no interval is narrower, expect no result


def findings(result: Result) -> list[str]:
    """Sentences about a question of an estimate's document, by its first method."""
    kind = kinds.of(result)
    sentences = [kind.left_out(result), _too_early(result)] if too_early(result) else kind.sentences(result)
    return [sentence for sentence in sentences if sentence]


def too_early(result: Result) -> bool:
    """Whether every interval spans half of what is possible or more, and none of them singles an answer out."""
    categories = result["methods"][0]["categories"]
    limit = TOO_WIDE * kinds.of(result).scale(result).width
    return all(high(category) - low(category) >= limit for category in categories) and not pairs_apart(categories)


def impossible(result: Result, method: dict[str, Any]) -> bool:
    """Whether an estimate lies where no truth can."""
    return not all(map(kinds.of(result).scale(result).possible, method["categories"]))


def _too_early(result: Result) -> str:
    """The number is the survey's: of a multiple choice and a grid only a part of the reports is about one answer."""
    needed = result["informative_n"]
    if needed is None:
        return "It is too early to say anything, and at this α no number of reports would change that."
    return f"It is too early to say anything. About {numerals.count_up(needed)} reports would say something."
