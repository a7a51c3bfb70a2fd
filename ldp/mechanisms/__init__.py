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
    randomized_response,
    subset,
)
from ldp.mechanisms.protocol import Mechanism, Randomizer

MECHANISMS: dict[str, Mechanism] = {
    "randomized_response": randomized_response,
    "subset": subset,
    "bitwise": bitwise,
    "exponential": exponential,
    "laplace": laplace,
    "osgt": osgt,
    "gaussian": gaussian,
    "one_bit": one_bit,
    "laplace_mean": laplace_mean,
    "multiple": multiple,
    "grid": grid,
}

# By kind; of equally precise ones the first is chosen.
FITTING: dict[str, tuple[str, ...]] = {
    "yes_no": ("randomized_response", "subset", "bitwise"),
    "single_choice": ("randomized_response", "subset", "bitwise"),
    "ordered": ("randomized_response", "subset", "bitwise", "exponential"),
    "histogram": ("laplace", "bitwise", "subset", "randomized_response", "osgt", "gaussian"),
    "date": ("laplace", "bitwise", "subset", "randomized_response", "osgt", "gaussian"),
    "mean": ("one_bit", "laplace_mean"),
    "multiple_choice": ("multiple",),
    "ranking": ("multiple",),
    "grid": ("grid",),
}

# By kind, what the channel of a question of a joint form is (M34b); other kinds have none.
MARGINAL: dict[str, str] = {
    "yes_no": "randomized_response",
    "single_choice": "randomized_response",
    "ordered": "randomized_response",
    "histogram": "randomized_response",
    "date": "randomized_response",
    "mean": "one_bit",
}

# Those that keep alpha only but for a chance of delta; never chosen unless named.
WITH_DELTA = tuple(name for name, mechanism in MECHANISMS.items() if "delta" in mechanism.EXTRAS)


def of(question: Mapping[str, Any]) -> Randomizer:
    """The randomizer of a definition's question. Of a grid the table does not say how many items there are: added."""
    mechanism, table = MECHANISMS[question["mechanism"]], question["table"]
    if "items" in question:
        table = table | {"items": len(question["items"])}
    delta = Fraction(question["delta"]) if "delta" in mechanism.EXTRAS else None
    return Randomizer(mechanism, table, len(question.get("options", ())), Fraction(question["alpha"]), delta)
