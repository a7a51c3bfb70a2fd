"""Mean and variance of a report's score for one category (M12)."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

# The people that an estimate describes. Errors and intervals differ between the two.
Target = Literal["population", "respondents"]

# A tally's score totals by method, one for each category.
Totals = dict[str, list[int]]
Counts = list[int]
Weights = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ScoreMoments:
    """Exact mean and variance of a category's score: a and v_a if the category is the truth, b and v_b if not (M12)."""

    a: Fraction
    v_a: Fraction
    b: Fraction
    v_b: Fraction

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.a, self.v_a, self.b, self.v_b))

    @property
    def gap(self) -> Fraction:
        return self.a - self.b

    @property
    def binary(self) -> bool:
        """Return whether the score is 0 or 1, so that a total is a sum of Bernoulli variables."""
        return self.v_a == self.a * (1 - self.a) and self.v_b == self.b * (1 - self.b)

    def scores(self, totals: Counts) -> list[Any]:
        """Return the score totals, one per category, from a tally. Here they are the tally."""
        return totals

    def sampling(self, target: Target) -> float:
        """Return the factor of theta (1 - theta), the sampling part, in n times an estimate's variance (M12)."""
        return 1.0 if target == "population" else 0.0


def indicator(p: Fraction, q: Fraction) -> ScoreMoments:
    """Return the moments of a 0/1 score: 1 with probability p if the category is the truth, q if not."""
    return ScoreMoments(p, p * (1 - p), q, q * (1 - q))


@dataclass(frozen=True)
class PairMoments:
    """E[s_j s_k] for j != k, exactly (M13): `among` if j or k is the truth, `neither` if not."""

    among: Fraction
    neither: Fraction


# A report supports one category, never two.
EXCLUSIVE = PairMoments(Fraction(0), Fraction(0))


@dataclass(frozen=True)
class PooledPairs:
    """E[s_j s_k] for the 0/1 scores of each part of a pooled score (M45), in the order of the parts."""

    parts: tuple[PairMoments, ...]

    @property
    def exclusive(self) -> bool:
        """Return whether every report supports just one category."""
        return all(part == EXCLUSIVE for part in self.parts)


def mirrored(moments: ScoreMoments, pair: "PairMoments | PooledPairs | None", d: int) -> bool:
    """Return whether there are two categories whose scores have the same sum in every report of a form. Their estimates
    then add up to 1, their intervals are mirror images, and a statement about one is about both (M15)."""
    if isinstance(moments, ChannelMoments):
        return moments.targets == 2
    if isinstance(moments, PooledMoments):
        return d == 2 and all(mirrored(part.moments, EXCLUSIVE, d) for part in moments.parts)
    return d == 2 and pair == EXCLUSIVE and moments.binary and moments.a + moments.b == 1


def independent(moments: ScoreMoments) -> PairMoments:
    """Return the mean products of independent bits or noisy bins: the products of their means."""
    return PairMoments(moments.a * moments.b, moments.b**2)


@dataclass(frozen=True)
class SumMoments(ScoreMoments):
    """An integer score with its law: chances of low, low+1, ..., `inside` if the category is the truth, `outside` if
    not.

    Both tuples have the same length. `inside` is stochastically larger.
    """

    low: int
    inside: tuple[float, ...]
    outside: tuple[float, ...]


@dataclass(frozen=True)
class Part:
    """n reports whose 0/1 scores have the same moments, and the weight of a 1 in the pooled score (M45)."""

    n: int
    moments: ScoreMoments
    score: int


@dataclass(frozen=True)
class PooledMoments(ScoreMoments):
    """Mean and variance of a report's pooled score over two or more channels (M45). a and b are means over the reports;
    v_a and v_b are the variances of the draws, given each person's form."""

    parts: tuple[Part, ...]

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def binary(self) -> bool:
        return False

    def sampling(self, target: Target) -> float:
        """Return the factor of theta (1 - theta) in n times the estimate's variance. It comes from sampling; for the
        respondents, from the lot that assigns forms."""
        excess = self._excess
        return excess if target == "population" else (excess - 1) * self.n / max(self.n - 1, 1)

    @cached_property
    def _excess(self) -> float:
        squares = sum((part.n * (part.score * part.moments.gap) ** 2 for part in self.parts), Fraction(0)) / self.n
        return float(squares / self.gap**2)


@dataclass(frozen=True)
class ChannelMoments(ScoreMoments):
    """The scores of a channel with integer weights (M7, M8). Output z adds phi_j(z) to target j.

    phi_j has mean 1 if input j is the truth and 0 if not, so a = 1 and b = 0. Its exact variance depends on the true
    input x: `variances[x][j]`. v_a and v_b are averages at equal shares. A mean (M8) has one target, and phi has mean
    x/G at grid point x.
    """

    weights: Weights  # [x][z]; all rows add up to the same total
    numerators: Weights  # [z][j]: phi_j(z) = numerators[z][j] / denominator
    denominator: int
    variances: tuple[tuple[Fraction, ...], ...]

    def scores(self, totals: Counts) -> list[float]:
        """Return the totals of phi_j, (targets,), from the counts of outputs: exact integers until one division."""
        columns = zip(*self.numerators, strict=True)
        return [sum(n * c for n, c in zip(column, totals, strict=True)) / self.denominator for column in columns]

    def squares(self, totals: Counts) -> list[float]:
        """Return the totals of phi_j^2, (targets,), from the counts of outputs."""
        columns = zip(*self.numerators, strict=True)
        square = self.denominator**2
        return [sum(n * n * c for n, c in zip(column, totals, strict=True)) / square for column in columns]

    @property
    def targets(self) -> int:
        """The number of estimated shares; 1 for a mean."""
        return len(self.numerators[0])

    def phi(self) -> list[list[float]]:
        """Return the scores phi_j(z): a row for each output z, a column for each target j."""
        return [[numerator / self.denominator for numerator in row] for row in self.numerators]


def channel_moments(weights: Weights, numerators: Weights, denominator: int) -> ChannelMoments:
    """Return the moments of phi_j(z) = numerators[z][j] / denominator under the channel with these weights, d rows."""
    moments = [_moments(row, numerators, denominator) for row in weights]
    variances = tuple(tuple(variance for _, variance in row) for row in moments)
    d, targets = len(weights), len(numerators[0])
    own = [variances[j][j] for j in range(targets)]
    v_a = sum(own, Fraction(0)) / targets
    v_b = (sum((sum(row, Fraction(0)) for row in variances), Fraction(0)) - sum(own, Fraction(0))) / (targets * (d - 1))
    return ChannelMoments(Fraction(1), v_a, Fraction(0), v_b, weights, numerators, denominator, variances)


def _moments(row: tuple[int, ...], numerators: Weights, denominator: int) -> list[tuple[Fraction, Fraction]]:
    """Return each target's mean and variance for one input. Sums are integers until the end."""
    total, moments = sum(row), []
    for column in zip(*numerators, strict=True):
        mean = Fraction(sum(w * n for w, n in zip(row, column, strict=True)), total * denominator)
        square = Fraction(sum(w * n * n for w, n in zip(row, column, strict=True)), total * denominator**2)
        moments.append((mean, square - mean**2))
    return moments


def inverted(weights: Weights) -> ChannelMoments:
    """Return the moments of scores that invert a square channel (M7): phi = Q^-1, so E[phi_j | x] = [x = j] exactly."""
    d, total = len(weights), sum(weights[0])
    identity = [[total * (x == j) for j in range(d)] for x in range(d)]
    numerators, denominator = solve([list(row) for row in weights], identity)
    return channel_moments(weights, tuple(map(tuple, numerators)), denominator)


# Linear equations in integers, without rounding -----------------------------------------------------------------------


def solve(a: list[list[int]], b: list[list[int]]) -> tuple[list[list[int]], int]:
    """Return integers X and D > 0 with A X = D B, for A (d, d) and B (d, k). ZeroDivisionError if A is singular.

    Fraction-free elimination (Bareiss 1968): after step k every entry is a minor of order k+1. So each division is
    exact, and the numbers stay as short as determinants.
    """
    d = len(a)
    rows = [[*left, *right] for left, right in zip(a, b, strict=True)]
    previous = 1
    for k in range(d):
        pivot = next((i for i in range(k, d) if rows[i][k]), None)
        if pivot is None:
            raise ZeroDivisionError("the matrix is singular")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        top, lead = rows[k], rows[k][k]
        for i in range(d):
            if i != k:
                factor = rows[i][k]
                rows[i] = [(lead * x - factor * y) // previous for x, y in zip(rows[i], top, strict=True)]
        previous = lead
    sign = 1 if previous > 0 else -1
    return [[sign * x for x in row[d:]] for row in rows], sign * previous
