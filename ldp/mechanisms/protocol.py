"""The interface of a mechanism's module. All differences between mechanisms are behind it.

d is the number of categories: options or bins; for a grid the options of one item. Mechanisms for a mean do not use d.
A `table` is JSON data as published in a definition: a dict of integers and lists of integers. A grid's table also gets
"items", the number of items (`mechanisms.of_channel`). A `report` is the JSON value that is sent.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from ldp.packing import Columns, Packing
from ldp.scores import PairMoments, ScoreMoments, Totals, mirrored
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field


class Mechanism(Protocol):
    @property
    def EXTRAS(self) -> tuple[str, ...]:
        """The names of further arguments of `table`, beside alpha and d. "sample" is the number of items that a report
        is about, from 1 to all. "delta" is the chance for which alpha need not hold, a Fraction; `certified` and
        `realized_alpha` take it too, and the mechanism is used only if a designer names it."""

    def table(self, alpha: Fraction, d: int) -> Any:
        """Return the certified table of least error for alpha in 1/100..16 and d >= 2, the same on every machine (M1).

        ValueError if there is none. Its text continues the mechanism's name: "takes at most 32 options".
        """

    def certified(self, table: Any, d: int, alpha: Fraction) -> bool:
        """Return whether no report is more than e^alpha times likelier for one answer than for another, proved in whole
        numbers (M1). It must be right for every table of the published shape, from any source."""

    def realized_alpha(self, table: Any, d: int) -> float:
        """Return the least alpha that a certified table keeps, in floating point: for readers, not a proof."""

    def randomize(self, answer: Any, table: Any, d: int, uniform: Uniform) -> Any:
        """Return the report of an answer from `Kind.answer`: an index 0..d-1, for a mean a grid point, for items a
        list. `uniform` returns integers in 0..2^53-1. Their number, and the numbers they are compared with, must not
        depend on the answer (M1). The browser's twin takes the same integers in the same order."""

    def moments(self, table: Any, d: int) -> dict[str, ScoreMoments]:
        """Return, by method, the exact mean and variance of the scores that a report adds to its totals (M12), the same
        for every category. The first method is the default, which is shown and used in planning."""

    def pairs(self, table: Any, d: int) -> dict[str, PairMoments]:
        """Return, by method, the mean product of two categories' scores (M13), if it depends only on whether the truth
        is one of the two and reports score several categories."""

    def packing(self, table: Any, d: int) -> Packing:
        """Return the one-to-one packing of a report's value into the fewest whole bits. A value that is no report of
        this table gets a ValueError that begins "must be" or "must hold" (422 in the intake)."""

    def tally(self, field: "Field", table: Any, d: int) -> Totals:
        """Return the totals of packed reports by method: score totals, or counts of outputs if scores are not whole
        numbers (the moments' `scores` computes them). All are whole numbers that add up over batches."""


class WithDelta(Mechanism, Protocol):
    """A mechanism that keeps (alpha, delta) (M6)."""

    def realized_delta(self, table: Any, alpha: Fraction) -> float:
        """Return the least delta that the table keeps at this alpha, exact up to conversion to a float."""


# A mechanism with the table and the alpha of one question -------------------------------------------------------------


class Realized(NamedTuple):
    """The least alpha that a table keeps; for a mechanism with a delta also the least delta at the stated alpha."""

    alpha: float
    delta: float | None


@dataclass(frozen=True)
class Randomizer:
    """Members are Mechanism's, for one question's table and alpha. `delta` is None if alpha always holds."""

    mechanism: Mechanism
    table: Any
    d: int
    alpha: Fraction
    delta: Fraction | None = None

    @property
    def alphas(self) -> tuple[tuple[float, float], ...]:
        """Pairs (fraction of the reports, alpha). All reports have this alpha."""
        return ((1.0, float(self.alpha)),)

    @property
    def _promise(self) -> dict[str, Any]:
        return {} if self.delta is None else {"delta": self.delta}

    def certified(self) -> bool:
        return self.mechanism.certified(self.table, self.d, self.alpha, **self._promise)

    def realized(self) -> Realized:
        alpha = self.mechanism.realized_alpha(self.table, self.d, **self._promise)
        if self.delta is None:
            return Realized(alpha, None)
        return Realized(alpha, cast(WithDelta, self.mechanism).realized_delta(self.table, self.alpha))

    def randomize(self, answer: Any, uniform: Uniform) -> Any:
        return self.mechanism.randomize(answer, self.table, self.d, uniform)

    def moments(self) -> dict[str, ScoreMoments]:
        return self.mechanism.moments(self.table, self.d)

    def default(self) -> tuple[str, ScoreMoments]:
        """Return the default method with its moments."""
        return next(iter(self.moments().items()))

    @property
    def method(self) -> str:
        """The name of the default method."""
        return self.default()[0]

    def pairs(self) -> dict[str, PairMoments]:
        return self.mechanism.pairs(self.table, self.d)

    @property
    def mirrored(self) -> bool:
        """Return whether each report supports one of two categories: their intervals are mirror images (M15)."""
        name, moments = self.default()
        return mirrored(moments, self.pairs().get(name), self.d)

    def packing(self) -> Packing:
        return self.mechanism.packing(self.table, self.d)

    @property
    def columns(self) -> Columns:
        """The columns of published reports, as they are packed."""
        return self.packing().columns

    def tally(self, field: "Field") -> Totals:
        return self.mechanism.tally(field, self.table, self.d)
