"""The mechanisms by name, and which of them fit a kind of question."""

from fractions import Fraction
from typing import Any

from ldp import bounds
from ldp.mechanisms import (
    bitwise,
    exponential,
    gaussian,
    grid,
    laplace,
    laplace_mean,
    multiple,
    numeric,
    one_bit,
    osgt,
    randomized_response,
    subset,
)
from ldp.mechanisms.protocol import Mechanism
from ldp.mechanisms.randomizer import Randomizer

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
    "mean": ("one_bit", "laplace_mean"),
    "multiple_choice": ("multiple",),
    "grid": ("grid",),
}

# Those that keep alpha only but for a chance of delta; never chosen unless named.
WITH_DELTA = tuple(name for name, mechanism in MECHANISMS.items() if "delta" in mechanism.EXTRAS)


def of(question: dict[str, Any]) -> Randomizer:
    """The randomizer of a definition's question. Of a grid the table does not say how many items there are: added."""
    mechanism, table = MECHANISMS[question["mechanism"]], question["table"]
    if "items" in question:
        table = table | {"items": len(question["items"])}
    delta = Fraction(question["delta"]) if "delta" in mechanism.EXTRAS else None
    return Randomizer(mechanism, table, len(question.get("options", ())), Fraction(question["alpha"]), delta)


# Two risks that differ by less are equal: thresholds are rounded, and sums of floating-point numbers too.
_TIE = 1e-6


def fitting(kind: str, d: int) -> tuple[str, ...]:
    """The mechanisms for a kind of question with d categories."""
    return tuple(name for name in FITTING[kind] if name != "exponential" or d <= exponential.CATEGORIES_MAX)


def best(kind: str, alpha: Fraction, d: int) -> str:
    """The alpha-private mechanism of least squared error at equal shares, or for a mean of the narrowest interval.

    Of equals it is the first named for the kind.
    """
    names = [name for name in fitting(kind, d) if name not in WITH_DELTA]
    if len(names) == 1:
        return names[0]
    risks = {name: risk(kind, name, alpha, d) for name in names}
    least = min(risks.values())
    return next(name for name in names if risks[name] <= least * (1 + _TIE))


def risk(kind: str, name: str, alpha: Fraction, d: int) -> float:
    """n times the total squared error of the default estimate at equal shares; for a mean the half-width of the
    published interval, which honest intervals of different kinds are compared by, for answers spread evenly."""
    mechanism = MECHANISMS[name]
    moments = next(iter(mechanism.moments(mechanism.table(alpha, d), d).values()))
    return numeric.half_width(moments) if kind == "mean" else bounds.uniform_risk(moments, d)
