"""What a report says about one category, as the mean and variance of a score (M12)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

# Whom an estimate is about; each has errors and intervals of its own.
Target = Literal["population", "respondents"]

# The score totals of a tally by method, one for each category.
Totals = dict[str, list[int]]
Counts = list[int]
Weights = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ScoreMoments:
    """Mean and variance of a category's score, exactly: a and v_a where it is the truth, b and v_b where not."""

    a: Fraction
    v_a: Fraction
    b: Fraction
    v_b: Fraction

    @property
    def gap(self) -> Fraction:
        return self.a - self.b

    @property
    def binary(self) -> bool:
        """Whether the score is 0 or 1, so that the total of n reports is a sum of Bernoulli variables."""
        return self.v_a == self.a * (1 - self.a) and self.v_b == self.b * (1 - self.b)

    def scores(self, totals: Counts) -> list[Any]:
        """The score totals of a tally, one per category: here the tally itself."""
        return totals

    def sampling(self, target: Target) -> float:
        """What theta (1 - theta) is to be multiplied with for the part of n times an estimate's variance that who was
        asked makes."""
        return 1.0 if target == "population" else 0.0


def indicator(p: Fraction, q: Fraction) -> ScoreMoments:
    """The moments of a 0/1 score: 1 with probability p where the category is the truth, q where it is not."""
    return ScoreMoments(p, p * (1 - p), q, q * (1 - q))


@dataclass(frozen=True)
class PairMoments:
    """E[s_j s_k] for j != k, exactly (M13): where the truth is one of the two, and where it is neither."""

    among: Fraction
    neither: Fraction


# A report supports one category, never two.
EXCLUSIVE = PairMoments(Fraction(0), Fraction(0))


@dataclass(frozen=True)
class PooledPairs:
    """E[s_j s_k] of a pooled score (M45): of the scores that are 0 or 1 of each of its parts, in their order."""

    parts: tuple[PairMoments, ...]

    @property
    def exclusive(self) -> bool:
        """Whether a report supports one category, in whatever form."""
        return all(part == EXCLUSIVE for part in self.parts)


def mirrored(moments: ScoreMoments, pair: "PairMoments | PooledPairs | None", d: int) -> bool:
    """Whether there are two categories whose scores add up to the same in every report, of a form: then their estimates
    add up to one, one interval is the other's mirror image, and what is said of one is said of both (M15)."""
    if isinstance(moments, ChannelMoments):
        return moments.targets == 2
    if isinstance(moments, PooledMoments):
        return d == 2 and all(mirrored(part.moments, EXCLUSIVE, d) for part in moments.parts)
    return d == 2 and pair == EXCLUSIVE and moments.binary and moments.a + moments.b == 1


def independent(moments: ScoreMoments) -> PairMoments:
    """Bits, or noisy bins, drawn independently: the mean of a product is the product of the means."""
    return PairMoments(moments.a * moments.b, moments.b**2)


@dataclass(frozen=True)
class SumMoments(ScoreMoments):
    """An integer score with its whole law: chances of low, low+1, ... where the category is the truth, and where not.

    Both lists have the same length, and inside is stochastically the larger.
    """

    low: int
    inside: tuple[float, ...]
    outside: tuple[float, ...]


@dataclass(frozen=True)
class Part:
    """n reports whose 0/1 scores have the same moments, and what each 1 counts in a pooled score (M45)."""

    n: int
    moments: ScoreMoments
    score: int


@dataclass(frozen=True)
class PooledMoments(ScoreMoments):
    """The mean and variance of the pooled score of a report (M45), over reports of two or more channels: a and b are
    means over them, v_a and v_b what the draws alone make of the variance, given who was asked in which form."""

    parts: tuple[Part, ...]

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def binary(self) -> bool:
        return False

    def sampling(self, target: Target) -> float:
        """What theta (1 - theta) is to be multiplied with for n times the variance of the estimate by who is in the
        sample; for the respondents, by who of them was asked in which form."""
        squares = sum((part.n * (part.score * part.moments.gap) ** 2 for part in self.parts), Fraction(0)) / self.n
        excess = float(squares / self.gap**2)
        return excess if target == "population" else (excess - 1) * self.n / max(self.n - 1, 1)


@dataclass(frozen=True)
class ChannelMoments(ScoreMoments):
    """The scores of a channel given as integer weights (M7, M8): output z adds phi_j(z) to target j.

    The mean of phi_j is 1 where input j is the truth and 0 where another is, so a = 1, b = 0; its variance depends on
    which other one is: v_a and v_b are those at equal shares, and `variances[x][j]` is all there is to know, exactly.
    For a mean (M8) there is one target, and the mean of phi at grid point x is x/G.
    """

    weights: Weights  # [x][z], each row adding up to the same total
    numerators: Weights  # [z][j]: phi_j(z) = numerators[z][j] / denominator
    denominator: int
    variances: tuple[tuple[Fraction, ...], ...]

    def scores(self, totals: Counts) -> list[float]:
        """The totals of phi_j from the counts of the outputs: exact integers until one division."""
        columns = zip(*self.numerators, strict=True)
        return [sum(n * c for n, c in zip(column, totals, strict=True)) / self.denominator for column in columns]

    def squares(self, totals: Counts) -> list[float]:
        """The totals of phi_j^2 from the counts of the outputs."""
        columns = zip(*self.numerators, strict=True)
        square = self.denominator**2
        return [sum(n * n * c for n, c in zip(column, totals, strict=True)) / square for column in columns]

    @property
    def targets(self) -> int:
        """How many shares the scores are about; 1 for a mean."""
        return len(self.numerators[0])

    def phi(self) -> list[list[float]]:
        """The scores phi_j(z), a row for each output z and in it one for each target j."""
        return [[numerator / self.denominator for numerator in row] for row in self.numerators]


def channel_moments(weights: Weights, numerators: Weights, denominator: int) -> ChannelMoments:
    """The moments of scores phi_j(z) = numerators[z][j] / denominator under the channel of the weights (d rows)."""
    moments = [_moments(row, numerators, denominator) for row in weights]
    variances = tuple(tuple(variance for _, variance in row) for row in moments)
    d, targets = len(weights), len(numerators[0])
    own = [variances[j][j] for j in range(targets)]
    v_a = sum(own, Fraction(0)) / targets
    v_b = (sum((sum(row, Fraction(0)) for row in variances), Fraction(0)) - sum(own, Fraction(0))) / (targets * (d - 1))
    return ChannelMoments(Fraction(1), v_a, Fraction(0), v_b, weights, numerators, denominator, variances)


def _moments(row: tuple[int, ...], numerators: Weights, denominator: int) -> list[tuple[Fraction, Fraction]]:
    """Mean and variance of every target's score for one input; sums stay integers until the end."""
    total, moments = sum(row), []
    for column in zip(*numerators, strict=True):
        mean = Fraction(sum(w * n for w, n in zip(row, column, strict=True)), total * denominator)
        square = Fraction(sum(w * n * n for w, n in zip(row, column, strict=True)), total * denominator**2)
        moments.append((mean, square - mean**2))
    return moments


def inverted(weights: Weights) -> ChannelMoments:
    """The moments of the scores that invert a square channel: phi = Q^-1, so E[phi_j | x] = [x = j] exactly (M7)."""
    d, total = len(weights), sum(weights[0])
    identity = [[total * (x == j) for j in range(d)] for x in range(d)]
    numerators, denominator = solve([list(row) for row in weights], identity)
    return channel_moments(weights, tuple(map(tuple, numerators)), denominator)


# Linear equations in integers, without rounding -----------------------------------------------------------------------


def solve(a: list[list[int]], b: list[list[int]]) -> tuple[list[list[int]], int]:
    """Integers X and D > 0 with A X = D B, for A (d, d) and B (d, k). ZeroDivisionError where A is singular.

    Fraction-free elimination (Bareiss 1968): after step k every entry is a minor of order k+1, so each division is
    exact and the numbers stay as short as determinants are.
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
