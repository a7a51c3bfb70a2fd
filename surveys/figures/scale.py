"""The quantity of an estimate, and its possible range."""

from typing import NamedTuple

from surveys.figures.display import Category


class Scale(NamedTuple):
    """`quantity` names the estimated quantity, `outside` describes the impossible values."""

    quantity: str
    outside: str
    low: float
    high: float
    unit: str = ""

    @property
    def width(self) -> float:
        return self.high - self.low

    def possible(self, category: Category) -> bool:
        """Return whether the estimate is a possible value."""
        return bool(self.low <= category["estimate"] <= self.high)


SHARES = Scale("share", "below 0 or above 100", 0, 1)
