"""The numbers that determine the lab's figures."""

from typing import NamedTuple

N_MAX, D_MAX, TIMES_MAX, QUESTIONS_MAX = 100_000, 256, 1000, 50


class Numbers(NamedTuple):
    """Chances are fractions here, and percent on the page. `shares` add up to 1."""

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
        """Return the share of the first option, the subject of figures about one share."""
        return self.shares[0]

    @property
    def level(self) -> float:
        """Return how often a test may refuse a true claim: 1 minus the confidence."""
        return round(1 - self.confidence, 12)
