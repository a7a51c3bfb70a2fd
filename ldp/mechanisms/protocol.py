"""What the module of a mechanism offers: everything that differs between mechanisms, and nothing else knows one.

Shapes. d is the number of categories: of options or bins, for a grid of the options of one item. A mean has none, and
its mechanisms do not look at d. A `table` is JSON data, a dict of integers and lists of integers, as published in a
definition; `grid` finds in it "items" too, how many there are, which Randomizer adds. A `report` is the JSON value that
is sent. Scores, methods and statements M1 to M13 are those of docs/mathematics.md.
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
        """What `table` needs beside alpha and d, by name: "sample", how many items a report is about, from 1 to their
        number; "delta", the chance for which alpha need not hold, a Fraction. A mechanism with a delta takes it in
        `certified` and `realized_alpha` too, and is never chosen unless named."""

    def table(self, alpha: Fraction, d: int) -> Any:
        """The table of least error that is certified for alpha in 1/100..16 and d >= 2, the same on every machine (M1).

        ValueError where there is none; its text continues the mechanism's name: "takes at most 32 options".
        """

    def certified(self, table: Any, d: int, alpha: Fraction) -> bool:
        """Whether no report is more than e^alpha times likelier for one answer than for another, proved in whole
        numbers (M1). It must be right for every table of the published shape, however it was made."""

    def realized_alpha(self, table: Any, d: int) -> float:
        """The least alpha that a certified table keeps, in floating point; for people to read, no proof."""

    def randomize(self, answer: Any, table: Any, d: int, uniform: Uniform) -> Any:
        """The report of an answer, which is what the kind of question makes of it: an index 0..d-1, for a mean a grid
        point, for items a list. `uniform` gives integers in 0..2^53-1; how many are taken, and which of them are
        compared with what, must not depend on the answer (M1, P3). The browser's twin takes the same in the same order.
        """

    def moments(self, table: Any, d: int) -> dict[str, ScoreMoments]:
        """By method, the exact mean and variance of the scores that a report adds to its totals (M12). The first is the
        default, shown and planned with. For every category the same, whatever the other answers are."""

    def pairs(self, table: Any, d: int) -> dict[str, PairMoments]:
        """By method, the mean product of two categories' scores (M13); without those methods for which it depends on
        more than whether the truth is one of the two, or whose reports score one thing only."""

    def packing(self, table: Any, d: int) -> Packing:
        """The bits of a report, to its information content but for whole bits, one to one, and their inverse. What is
        no report of this table is refused by a ValueError that begins "must be" or "must hold" (422 in the intake)."""

    def tally(self, field: "Field", table: Any, d: int) -> Totals:
        """The score totals of packed reports by method: those of `moments`, and what their `scores` method takes where
        the scores themselves are not whole numbers. Lists of whole numbers that add up over batches."""


class WithDelta(Mechanism, Protocol):
    """A mechanism that keeps alpha but for a chance of delta (M6)."""

    def realized_delta(self, table: Any, alpha: Fraction) -> float:
        """The least delta that the table keeps at this alpha, exactly but for the last conversion."""


# How the answers to one question are randomized: a mechanism with its table, and what it was asked to keep ------------


class Realized(NamedTuple):
    """What a table keeps: the least alpha, and for a mechanism with a delta the least delta at the stated alpha."""

    alpha: float
    delta: float | None


@dataclass(frozen=True)
class Randomizer:
    """`delta` is None where the mechanism keeps alpha without exception. The members are those of Mechanism."""

    mechanism: Mechanism
    table: Any
    d: int
    alpha: Fraction
    delta: Fraction | None = None

    @property
    def alphas(self) -> tuple[tuple[float, float], ...]:
        """The alpha of every report."""
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
        """The method that is shown, with its moments."""
        return next(iter(self.moments().items()))

    def pairs(self) -> dict[str, PairMoments]:
        return self.mechanism.pairs(self.table, self.d)

    @property
    def mirrored(self) -> bool:
        """Whether each report speaks for one of two categories, whose intervals are then mirror images."""
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
