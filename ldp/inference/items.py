"""The parts of a question's totals that are about one item each: the options of a multiple choice or the statements of
a ranking, and the items of a grid (M9). Each has reports of its own, and where forms draw items in different ways
moments of its own (M45)."""

from ldp.mechanisms import SAMPLING_OPTIONS, of
from ldp.question import Drawn, about_item, has_channels
from ldp.scores import PairMoments, PooledPairs, ScoreMoments, Totals


def number(question: Drawn) -> int:
    """Return the number of a list's or grid's items; 0 of a question with one answer."""
    if "items" in question:
        return len(question["items"])
    return len(question["options"]) if question["mechanism"] in SAMPLING_OPTIONS else 0


def drawn(question: Drawn, totals: Totals) -> list[int]:
    """Return how many reports drew each item of a question with these totals by form or, where all forms draw items
    alike, in all."""
    if "drawn" in totals:
        return totals["drawn"]
    if has_channels(question):
        return [sum(numbers) for numbers in zip(*(each["drawn"] for each in question["asked"]), strict=True)]
    [counts], d = totals.values(), len(question["options"])
    return [sum(counts[start : start + d]) // question["table"]["size"] for start in range(0, len(counts), d)]


def law(question: Drawn, place: int) -> tuple[ScoreMoments, PairMoments | PooledPairs | None]:
    """Return the moments of the scores of an item's reports, and the mean products of two of its options; None of an
    item with one option."""
    randomizer = of(about_item(question, place))
    name, moments = randomizer.default()
    return moments, randomizer.pairs().get(name)
