"""The cells of benchmarks.coverage: which ones there are, and the result in one."""

import math
from dataclasses import dataclass

from scipy import stats

from ldp.scores import Target

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Scale:
    """The cells to compute, and the number of surveys to simulate in a cell that is not a sum."""

    alphas: tuple[str, ...]
    sizes: tuple[int, ...]
    categories: tuple[int, ...]
    surveys: int


FULL = Scale(("0.01", "0.5", "1", "2", "4", "16"), (1, 5, 50, 1000, 100_000), (2, 8, 64), 400)
SHORT = Scale(("0.5", "4", "16"), (1, 5, 50), (2, 5), 60)


@dataclass(frozen=True)
class Cell:
    mechanism: str
    method: str
    target: Target
    alpha: str
    n: int
    d: int
    law: str
    alone: float
    at_once: float
    surveys: int | None = None
    """None if the coverage is a sum."""

    @property
    def error(self) -> float:
        """The standard error at a coverage of .95."""
        return 0.0 if self.surveys is None else math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / self.surveys)

    @property
    def luck(self) -> float:
        """Return how often a simulation at exactly .95 is at least as far below as this one; 0 or 1 for a sum."""
        least = min(self.alone, self.at_once)
        if self.surveys is None:
            return float(least >= CONFIDENCE - 1e-6)
        misses = math.floor((1 - least) * self.surveys + 1e-9)
        return float(stats.binom.sf(misses - 1, self.surveys, 1 - CONFIDENCE))
