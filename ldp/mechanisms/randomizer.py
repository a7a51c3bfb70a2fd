"""How the answers to one question are randomized: a mechanism with its table, and what it was asked to keep."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ldp.mechanisms.protocol import Mechanism, WithDelta
from ldp.packing import Packing
from ldp.scores import PairMoments, ScoreMoments, Totals, mirrored
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field


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

    def tally(self, field: "Field") -> Totals:
        return self.mechanism.tally(field, self.table, self.d)
