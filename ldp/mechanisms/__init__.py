"""The mechanisms by name, and the mechanisms of each kind of question."""

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

# By kind. Among equally precise mechanisms the first is used.
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

# The mechanism of a draw of several questions (M44).
TOGETHER = "randomized_response"

# By kind, the mechanism of a single answer in a joint draw (M44, M9c). Other kinds cannot be in one.
MARGINAL: dict[str, str] = {
    "yes_no": "randomized_response",
    "single_choice": "randomized_response",
    "ordered": "randomized_response",
    "histogram": "randomized_response",
    "date": "randomized_response",
    "mean": "one_bit",
    "multiple_choice": "multiple",
    "grid": "grid",
}

# A question may have these mechanisms in several forms with different tables: scores are 0 or 1, and are pooled (M45).
POOLED = ("randomized_response", "one_bit", "multiple", "grid")

# Mechanisms whose reports name some of the options, each with a bit.
SAMPLING_OPTIONS = ("multiple", "ranking")

# Mechanisms whose table takes a size, the number of options that a report lists. The default is the best size.
SIZED = ("randomized_response", "grid")

# Mechanisms that keep alpha up to a delta. They are used only if a designer names them.
WITH_DELTA = tuple(name for name, mechanism in MECHANISMS.items() if "delta" in mechanism.EXTRAS)


def of(question: Mapping[str, Any]) -> Randomizer | PooledRandomizer:
    """Return the randomizer of a definition's question; a pooled one if forms randomize it in several ways."""
    return pooled.of(question, of_channel) if has_channels(question) else of_channel(question)


def of_channel(question: Mapping[str, Any]) -> Randomizer:
    """Return the randomizer of a question with one channel. A grid's table gets its number of items. KeyError for a
    question that forms randomize in several ways."""
    mechanism, table = MECHANISMS[question["mechanism"]], question["table"]
    if "items" in question:
        table = table | {"items": len(question["items"])}
    delta = Fraction(question["delta"]) if "delta" in mechanism.EXTRAS else None
    return Randomizer(mechanism, table, len(question.get("options", ())), Fraction(question["alpha"]), delta)
