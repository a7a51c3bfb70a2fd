"""The numbers that the figures of the lab are made of."""

from typing import NamedTuple

N_MAX, D_MAX, TIMES_MAX, QUESTIONS_MAX = 100_000, 256, 1000, 50


class Numbers(NamedTuple):
    """Chances are fractions of 1 here, and percent on the page. `shares` adds up to 1."""

    n: int
    alpha: float
    d: int
    shares: tuple[float, ...]
    delta: float
    confidence: float
    null: float
    atom: float
    times: int
    questions: int

    @property
    def share(self) -> float:
        """The share of the first option, which figures of one share are about."""
        return self.shares[0]

    @property
    def level(self) -> float:
        """Return how often a test may refuse what is true: what is left of the confidence."""
        return round(1 - self.confidence, 12)
