"""The mechanisms by name, and which of them fit a kind of question."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from ldp import bitwise, bounds, laplace, randomized_response
from ldp.scores import ScoreLaw
from ldp.words import Uniform


class Mechanism(Protocol):
    """What the module of a mechanism offers. A table holds the published integers; d is the number of categories."""

    def table(self, alpha: Fraction, d: int) -> Any: ...
    def certified(self, table: Any, alpha: Fraction, d: int) -> bool: ...
    def realised_alpha(self, table: Any, d: int) -> float: ...
    def randomize(self, answer: int, d: int, table: Any, uniform: Uniform) -> Any: ...
    def laws(self, table: Any, d: int) -> dict[str, ScoreLaw]: ...
    def width(self, d: int, table: Any) -> int: ...
    def encoder(self, d: int, table: Any) -> Callable[[object], int]: ...


MECHANISMS: dict[str, Mechanism] = {
    "randomized_response": randomized_response,
    "bitwise": bitwise,
    "laplace": laplace,
}

FITTING: dict[str, tuple[str, ...]] = {
    "yes_no": ("randomized_response", "bitwise"),
    "single_choice": ("randomized_response", "bitwise"),
    "histogram": ("laplace", "bitwise"),
}


def best(kind: str, alpha: Fraction, d: int) -> str:
    """The mechanism of least total squared error at equal shares; of equals, the first named for the kind."""
    return min(FITTING[kind], key=lambda name: _risk(MECHANISMS[name], alpha, d))


def _risk(mechanism: Mechanism, alpha: Fraction, d: int) -> float:
    default_law = next(iter(mechanism.laws(mechanism.table(alpha, d), d).values()))
    return bounds.uniform_risk(default_law, d)
