"""The interface of a mechanism's module, behind which all differences between mechanisms are.

d is the number of categories: of options or bins, for a grid of the options of one item. A mean has none, and its
mechanisms do not use d. A `table` is JSON data as published in a definition: a dict of integers and lists of integers;
a grid's also gets "items", the number of items (`mechanisms.of_channel`). A `report` is the JSON value that is sent.
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
        """The names of what `table` needs beside alpha and d: "sample", the number of items that a report is about,
        from 1 to all; "delta", the chance for which alpha need not hold, a Fraction. A mechanism with a delta takes it
        in `certified` and `realized_alpha` too, and is used only where a designer names it."""

    def table(self, alpha: Fraction, d: int) -> Any:
        """Return the certified table of least error for alpha in 1/100..16 and d >= 2, the same on every machine (M1).

        ValueError where there is none; its text continues the mechanism's name: "takes at most 32 options".
        """

    def certified(self, table: Any, d: int, alpha: Fraction) -> bool:
        """Return whether no report is more than e^alpha times likelier for one answer than for another, proved in whole
        numbers (M1). It must be right for every table of the published shape, from any source."""

    def realized_alpha(self, table: Any, d: int) -> float:
        """Return the least alpha that a certified table keeps, in floating point: for people to read, not a proof."""

    def randomize(self, answer: Any, table: Any, d: int, uniform: Uniform) -> Any:
        """Return the report of an answer as `Kind.answer` returns it: an index 0..d-1, for a mean a grid point, for
        items a list. `uniform` returns integers in 0..2^53-1; their number, and the numbers to which they are compared,
        must not depend on the answer (M1). The browser's twin takes the same integers in the same order."""

    def moments(self, table: Any, d: int) -> dict[str, ScoreMoments]:
        """Return, by method, the exact mean and variance of the scores that a report adds to its totals (M12), the same
        for every category. The first method is the default, which is shown and planned with."""

    def pairs(self, table: Any, d: int) -> dict[str, PairMoments]:
        """Return, by method, the mean product of two categories' scores (M13), where it depends only on whether the
        truth is one of the two, and reports score several categories."""

    def packing(self, table: Any, d: int) -> Packing:
        """Return the packing of a report's value, one to one, into as few whole bits as it needs. It refuses a value
        that is no report of this table by a ValueError that begins "must be" or "must hold" (422 in the intake)."""

    def tally(self, field: "Field", table: Any, d: int) -> Totals:
        """Return the totals of packed reports by method: score totals, or where scores are not whole numbers the counts
        of outputs from which `scores` of the moments computes them. All are whole numbers that add up over batches."""


class WithDelta(Mechanism, Protocol):
    """A mechanism that keeps (alpha, delta) (M6)."""

    def realized_delta(self, table: Any, alpha: Fraction) -> float:
        """Return the least delta that the table keeps at this alpha, exact up to the conversion to a float."""


# A mechanism with the table and the alpha of one question -------------------------------------------------------------


class Realized(NamedTuple):
    """The least alpha that a table keeps, and for a mechanism with a delta the least delta at the stated alpha."""

    alpha: float
    delta: float | None


@dataclass(frozen=True)
class Randomizer:
    """`delta` is None where the mechanism keeps alpha without exception. The members are Mechanism's."""

    mechanism: Mechanism
    table: Any
    d: int
    alpha: Fraction
    delta: Fraction | None = None

    @property
    def alphas(self) -> tuple[tuple[float, float], ...]:
        """The part of the reports with each alpha: all have this one."""
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
        """Return whether each report supports one of two categories, whose intervals are then mirror images (M15)."""
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
