"""The parts of a question's totals by item: an option of a multiple choice, a statement of a ranking, an item of a grid
(M9). Each item has separate reports, and separate moments where forms draw items in several ways (M45)."""

from ldp.mechanisms import SAMPLING_OPTIONS, of
from ldp.question import Drawn, about_item, has_channels
from ldp.scores import PairMoments, PooledPairs, ScoreMoments, Totals


def number(question: Drawn) -> int:
    """Return the number of items of a list or grid; 0 for a question with one answer."""
    if "items" in question:
        return len(question["items"])
    return len(question["options"]) if question["mechanism"] in SAMPLING_OPTIONS else 0


def drawn(question: Drawn, totals: Totals) -> list[int]:
    """Return how many reports drew each item, summed over the forms if forms draw items in several ways."""
    if "drawn" in totals:
        return totals["drawn"]
    if has_channels(question):
        return [sum(numbers) for numbers in zip(*(each["drawn"] for each in question["asked"]), strict=True)]
    [counts], d = totals.values(), len(question["options"])
    return [sum(counts[start : start + d]) // question["table"]["size"] for start in range(0, len(counts), d)]


def law(question: Drawn, place: int) -> tuple[ScoreMoments, PairMoments | PooledPairs | None]:
    """Return the moments of the scores of an item's reports, and the mean products of two of its options (None if it
    has one)."""
    randomizer = of(about_item(question, place))
    name, moments = randomizer.default()
    return moments, randomizer.pairs().get(name)
