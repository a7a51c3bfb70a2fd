"""Coverage if a report is one outcome of a channel, for benchmarks.coverage: by the law of the noise if it is known,
otherwise over all outcomes or simulated surveys."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator

import numpy as np
from scipy import special, stats

from benchmarks.coverage_cells import CONFIDENCE, Cell, Scale
from ldp.inference import intervals, published, unseen
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.unseen import Unseen
from ldp.scores import ChannelMoments

# A mean by Laplace ----------------------------------------------------------------------------------------------------


def numbers(steps: int) -> dict[str, np.ndarray]:
    """Return laws of the grid points, to which numbers are rounded."""
    grid = np.arange(steps + 1)
    found = {"all at one end": (grid == 0) * 1.0, "ends, halves": ((grid == 0) + (grid == steps)) / 2}
    for share in (0.01, 0.05, 0.2):
        found[f"ends, {share:g}"] = (grid == 0) * (1 - share) + (grid == steps) * share
    found["spread evenly"] = np.where((grid == 0) | (grid == steps), 0.5, 1.0) / steps
    if steps > 1:
        found["all in the middle"] = (grid == steps // 2) * 1.0
        found["near an end and at one"] = (grid == 1) * 0.9 + (grid == steps) * 0.1
    return found


def mean_by_laplace(
    cell: tuple[str, str, str, int, int], moments: ChannelMoments, scale: Scale, generator: np.random.Generator
) -> Iterator[Cell]:
    name, method, alpha, n, d = cell
    spans = published.MeanOfScores(moments, n)
    rows = np.array(moments.weights, dtype=float) / sum(moments.weights[0])
    for answers, shares in numbers(len(rows) - 1).items():
        if spans.method("population") == "answers_at_ends":
            held, surveys = _held_at_ends(rows, shares, n), None
        else:
            held, surveys = _held_unseen(moments, rows, shares, n, scale.surveys, generator)
        yield Cell(name, method, "population", alpha, n, d, answers, held, held, surveys)
    for answers, held in _held_by_noise(spans, rows, n):
        yield Cell(name, method, "respondents", alpha, n, d, answers, held, held)


def _held_at_ends(rows: np.ndarray, shares: np.ndarray, n: int) -> float:
    """Return the true chance of the totals that neither tail of the law with all answers at the ends refuses."""
    steps = len(rows) - 1
    lowest = -((rows.shape[1] - 1 - steps) // 2)
    mean = float(shares @ np.arange(len(rows))) / steps
    assumed = TotalLaw(n, LatticeLaw(lowest, rows[-1], rows[0]))
    true = TotalLaw(n, LatticeLaw(lowest, shares @ rows, shares @ rows))
    totals, tail = range(assumed.low, assumed.high + 1), (1 - CONFIDENCE) / 2
    first = bisect_left(totals, True, key=lambda s: 1 - assumed.at_least(s + 1, mean, "population") > tail)
    last = bisect_left(totals, True, key=lambda s: assumed.at_least(s, mean, "population") <= tail)
    return true.at_least(totals[first], 0.0, "population") - true.at_least(assumed.low + last, 0.0, "population")


def _held_unseen(
    moments: ChannelMoments, rows: np.ndarray, shares: np.ndarray, n: int, surveys: int, generator: np.random.Generator
) -> tuple[float, int | None]:
    scores = np.array(moments.phi())[:, 0]
    mean = float(shares @ np.arange(len(rows))) / (len(rows) - 1)
    low, high = Unseen.drawn(scores, rows[0]), Unseen.drawn(scores, rows[-1])

    def holds(counts: np.ndarray) -> list[bool]:
        return [tails_at(scores, counts, low, high, mean) > (1 - CONFIDENCE) / 2]

    [held], walked = _weighed(shares @ rows, n, surveys, generator, holds)
    return held, walked


def tails_at(scores: np.ndarray, counts: np.ndarray, low: Unseen, high: Unseen, truth: float) -> float:
    """Return the smaller of the two chances that decide whether the interval holds the truth. Its ends are not
    computed. An interval is cut at the ends of the scale, so it never misses a truth there from outside."""
    values, numbers = scores[counts > 0], counts[counts > 0]
    above = unseen.chance_above(values, numbers, high, truth) if truth > 0 else 1.0
    below = unseen.chance_above(-values, numbers, low.mirrored(), -truth) if truth < 1 else 1.0
    return min(above, below)


def _held_by_noise(spans: published.MeanOfScores, rows: np.ndarray, n: int) -> Iterator[tuple[str, float]]:
    """Yield exact coverage under noise alone: respondents at one place, at both ends, halfway between two points."""
    steps = len(rows) - 1
    lowest = -((rows.shape[1] - 1 - steps) // 2)
    tail = (1 - CONFIDENCE) / 2
    low, high = (end * n * steps for end in spans.errors(tail))
    middle = steps // 2
    between = (rows[middle] + rows[min(middle + 1, steps)]) / 2
    places = {"all at one end": rows[0], "all in the middle": rows[middle], "halfway between two": between}
    for answers, row in places.items():
        yield answers, _within(TotalLaw(n, LatticeLaw(lowest, row, row)), 0.0, n * _mean_of(row, lowest), low, high)
    if n > 1:
        both = TotalLaw(n, LatticeLaw(lowest, rows[-1], rows[0]))
        m = n // 2
        centre = m * _mean_of(rows[-1], lowest) + (n - m) * _mean_of(rows[0], lowest)
        yield "ends, halves", _within(both, m / n, centre, low, high)


def _mean_of(row: np.ndarray, lowest: int) -> float:
    return float(row @ (lowest + np.arange(len(row))))


def _within(total: TotalLaw, share: float, centre: float, low: float, high: float) -> float:
    first, last = math.ceil(centre + low - 1e-6), math.floor(centre + high + 1e-6)
    return total.at_least(first, share, "respondents") - total.at_least(last + 1, share, "respondents")


# An inverted channel --------------------------------------------------------------------------------------------------


def inverted(
    cell: tuple[str, str, str, int, int], moments: ChannelMoments, scale: Scale, generator: np.random.Generator
) -> Iterator[Cell]:
    name, method, alpha, n, d = cell
    rows, scores = np.array(moments.weights, dtype=float) / sum(moments.weights[0]), np.array(moments.phi())
    together = intervals.bonferroni(CONFIDENCE, d)
    spread = np.eye(d)
    answers = {
        "all in one": spread[0],
        "all in the middle": spread[d // 2],
        "ends, halves": (spread[0] + spread[-1]) / 2,
    }
    answers |= {"equal": np.full(d, 1 / d), "99, 1": spread[0] * 0.99 + spread[-1] * 0.01}
    for label, shares in answers.items():

        def holds(counts: np.ndarray, shares: np.ndarray = shares) -> list[bool]:
            by = [
                tails_at(column, counts, Unseen.at(column.min()), Unseen.at(column.max()), share)
                for column, share in zip(scores.T, shares, strict=True)
            ]
            return [*(tail > (1 - CONFIDENCE) / 2 for tail in by), min(by) > (1 - together) / 2]

        held, surveys = _weighed(shares @ rows, n, max(scale.surveys // d, 20), generator, holds)
        alone = min(float(np.mean([held[j] for j in alike])) for alike in _alike(shares))
        yield Cell(name, method, "population", alpha, n, d, label, alone, held[-1], surveys)


def _alike(shares: np.ndarray) -> list[list[int]]:
    """Return groups of options with the same share, those at an end apart. Their misses are averaged."""
    last = len(shares) - 1
    kinds = [(float(share), j in (0, last)) for j, share in enumerate(shares)]
    return [[j for j, own in enumerate(kinds) if own == kind] for kind in dict.fromkeys(kinds)]


def _weighed(
    chances: np.ndarray, n: int, surveys: int, generator: np.random.Generator, holds: Callable[[np.ndarray], list[bool]]
) -> tuple[list[float], int | None]:
    """Return how often each statement holds: over all outcomes if they are few, otherwise over simulated surveys."""
    k = len(chances)
    if special.comb(n + k - 1, n) <= 2 * surveys:
        outcomes = list(_outcomes(n, k))
        weights = stats.multinomial.pmf(outcomes, n, chances / chances.sum())
        return list(np.asarray(weights) @ np.array([holds(counts) for counts in outcomes], dtype=float)), None
    drawn = [holds(counts) for counts in generator.multinomial(n, chances / chances.sum(), size=surveys)]
    return list(np.mean(np.array(drawn, dtype=float), axis=0)), surveys


def _outcomes(n: int, k: int) -> Iterator[np.ndarray]:
    if k == 1:
        yield np.array([n])
        return
    for first in range(n + 1):
        for rest in _outcomes(n - first, k - 1):
            yield np.concatenate(([first], rest))
