"""The estimated quantity, and the numbers between which the truth lies."""

from typing import NamedTuple

from surveys.figures.display import Category


class Scale(NamedTuple):
    """`quantity` is what is estimated, `outside` says where no truth can lie."""

    quantity: str
    outside: str
    low: float
    high: float
    unit: str = ""

    @property
    def width(self) -> float:
        return self.high - self.low

    def possible(self, category: Category) -> bool:
        """Return whether the estimate is one that the truth can be."""
        return bool(self.low <= category["estimate"] <= self.high)


SHARES = Scale("share", "below 0 or above 100", 0, 1)
