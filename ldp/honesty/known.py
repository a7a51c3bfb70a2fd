"""A share against the true one, where that is publicly known (M42).

The difference is that of everything at once: who took part is not like everybody, or does not tell the truth, or pays
no attention. Nothing in the reports tells which.
"""

from typing import NamedTuple

from ldp.inference.intervals import Interval


class Difference(NamedTuple):
    """The estimated share less the known one, with its interval."""

    estimate: float
    interval: Interval

    @property
    def direction(self) -> int:
        """1 where surely more answer so than is known, -1 where surely fewer do, else 0."""
        return (self.interval.low > 0) - (self.interval.high < 0)


def difference(estimate: float, interval: Interval, known: float) -> Difference:
    """From an estimated share with its interval. ValueError where the known one is no share."""
    if not 0 <= known <= 1:
        raise ValueError("a known share must be from 0 to 1")
    return Difference(estimate - known, Interval(interval.low - known, interval.high - known))
