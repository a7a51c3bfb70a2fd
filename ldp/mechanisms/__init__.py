"""The mechanisms by name, and which of them fit a kind of question."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ldp.mechanisms import (
    bitwise,
    exponential,
    gaussian,
    grid,
    laplace,
    laplace_mean,
    multiple,
    one_bit,
    osgt,
    pooled,
    randomized_response,
    ranking,
)
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.mechanisms.protocol import Mechanism, Randomizer
from ldp.question import has_channels

MECHANISMS: dict[str, Mechanism] = {
    "randomized_response": randomized_response,
    "bitwise": bitwise,
    "exponential": exponential,
    "laplace": laplace,
    "osgt": osgt,
    "gaussian": gaussian,
    "one_bit": one_bit,
    "laplace_mean": laplace_mean,
    "multiple": multiple,
    "ranking": ranking,
    "grid": grid,
}

# By kind; of equally precise ones the first is chosen.
FITTING: dict[str, tuple[str, ...]] = {
    "yes_no": ("randomized_response", "bitwise"),
    "single_choice": ("randomized_response", "bitwise"),
    "ordered": ("randomized_response", "bitwise", "exponential"),
    "histogram": ("laplace", "bitwise", "randomized_response", "osgt", "gaussian"),
    "date": ("laplace", "bitwise", "randomized_response", "osgt", "gaussian"),
    "mean": ("one_bit", "laplace_mean"),
    "multiple_choice": ("multiple",),
    "ranking": ("ranking",),
    "grid": ("grid",),
}

# That of a draw of several questions (M44).
TOGETHER = "randomized_response"

# By kind, the mechanism that a question's answer goes through in a draw of several (M44); other kinds stand in none.
MARGINAL: dict[str, str] = {
    "yes_no": "randomized_response",
    "single_choice": "randomized_response",
    "ordered": "randomized_response",
    "histogram": "randomized_response",
    "date": "randomized_response",
    "mean": "one_bit",
}

# Those that a question may have in several forms with other tables: a report's score is 0 or 1, and they are pooled.
POOLED = ("randomized_response", "one_bit")

# Those whose reports name some of the options, each with a bit.
SAMPLING_OPTIONS = ("multiple", "ranking")

# Those whose table takes a size: how many options of a question a report lists. Without one they find the best.
SIZED = ("randomized_response", "grid")

# Those that keep alpha only but for a chance of delta; never chosen unless named.
WITH_DELTA = tuple(name for name, mechanism in MECHANISMS.items() if "delta" in mechanism.EXTRAS)


def of(question: Mapping[str, Any]) -> Randomizer | PooledRandomizer:
    """The randomizer of a definition's question. Of a grid the table does not say how many items there are: added. Of a
    question that forms randomize in different ways what they tell together."""
    return pooled.of(question, of_channel) if has_channels(question) else of_channel(question)


def of_channel(question: Mapping[str, Any]) -> Randomizer:
    """That of a question with one channel. KeyError for one that forms randomize in different ways."""
    mechanism, table = MECHANISMS[question["mechanism"]], question["table"]
    if "items" in question:
        table = table | {"items": len(question["items"])}
    delta = Fraction(question["delta"]) if "delta" in mechanism.EXTRAS else None
    return Randomizer(mechanism, table, len(question.get("options", ())), Fraction(question["alpha"]), delta)
