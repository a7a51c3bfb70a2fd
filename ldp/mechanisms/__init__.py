"""The mechanisms by name, and which of them fit a kind of question."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

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
from ldp.scores import ScoreLaw
from ldp.words import Uniform


class Mechanism(Protocol):
    """What the module of a mechanism offers. A table holds the published integers.

    d is the number of categories: of options or bins, for a grid of the options of one item. A mean has none; there d
    is not looked at. Some tables take one more argument: `sample` for multiple and grid, `delta` for osgt and gaussian.
    """

    def table(self, alpha: Fraction, d: int) -> Any: ...
    def certified(self, table: Any, alpha: Fraction, d: int) -> bool: ...
    def realised_alpha(self, table: Any, d: int) -> float: ...
    def randomize(self, answer: Any, d: int, table: Any, uniform: Uniform) -> Any: ...
    def laws(self, table: Any, d: int) -> dict[str, ScoreLaw]: ...
    def width(self, d: int, table: Any) -> int: ...
    def encoder(self, d: int, table: Any) -> Callable[[object], int]: ...


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

# Those that keep alpha only but for a chance of delta; never chosen unless named.
WITH_DELTA = ("osgt", "gaussian")

FITTING: dict[str, tuple[str, ...]] = {
    "yes_no": ("randomized_response", "subset", "bitwise"),
    "single_choice": ("randomized_response", "subset", "bitwise"),
    "ordered": ("randomized_response", "subset", "bitwise", "exponential"),
    "histogram": ("laplace", "bitwise", "subset", "randomized_response", *WITH_DELTA),
    "mean": ("one_bit", "laplace_mean"),
    "multiple_choice": ("multiple",),
    "grid": ("grid",),
}

# Two risks that differ by less are equal: thresholds are rounded, and sums of floating-point numbers too.
_TIE = 1e-6


class Channel(NamedTuple):
    """How the answers to one question are randomized: everything that a mechanism's functions ask for."""

    mechanism: Mechanism
    d: int
    table: Any


def of(question: dict[str, Any]) -> Channel:
    """The channel of a definition's question. A grid's table does not say how many items there are; that is added."""
    table = question["table"]
    if "items" in question:
        table = table | {"items": len(question["items"])}
    return Channel(MECHANISMS[question["mechanism"]], len(question.get("options", ())), table)


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
    law = next(iter(mechanism.laws(mechanism.table(alpha, d), d).values()))
    return numeric.half_width(law) if kind == "mean" else bounds.uniform_risk(law, d)
