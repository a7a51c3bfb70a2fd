"""How often the published intervals hold, at nominal 95 %: `python -m benchmarks.coverage` writes results/coverage.md.

Every mechanism of the list, every method, both targets, one interval alone and all of a question at once, from alpha
0.01 to 16, n 1 to 100,000, 2 to 64 categories, for laws of answers that are worst somewhere. Where the total's law is
known the coverage is a sum: the ends rise with the total, so the totals whose interval holds the truth are a range. For
all at once it is a bound, 1 less the chances of all misses together. Where it is not, all outcomes are walked if they
are few, else surveys are simulated.
"""

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import special, stats

from benchmarks import tables
from ldp.inference import convolution, intervals, published, unseen
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.estimates import TARGETS, Target
from ldp.inference.unseen import Unseen
from ldp.mechanisms import MECHANISMS, WITH_DELTA, exponential
from ldp.scores import ChannelMoments, ScoreMoments, SumMoments

CONFIDENCE = 0.95
DELTA = Fraction(1, 10**6)

MEANS = ("one_bit", "laplace_mean")
ITEMS = 3
"""Of a grid. An item, or an option of a multiple choice, is about the reports that drew it, however many those are."""


@dataclass(frozen=True)
class Scale:
    """Which cells are looked at, and how many surveys are simulated in one that is not a sum."""

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
    """None where the coverage is a sum."""

    @property
    def error(self) -> float:
        """The standard error where coverage is .95."""
        return 0.0 if self.surveys is None else math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / self.surveys)

    @property
    def luck(self) -> float:
        """How often a simulation at exactly .95 is as far below as this one, or farther; 0 or 1 for a sum."""
        least = min(self.alone, self.at_once)
        if self.surveys is None:
            return float(least >= CONFIDENCE - 1e-6)
        misses = math.floor((1 - least) * self.surveys + 1e-9)
        return float(stats.binom.sf(misses - 1, self.surveys, 1 - CONFIDENCE))


def cells(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    """A mechanism that nobody has said how to look at ends it: none is forgotten."""
    for name in MECHANISMS:
        for alpha in scale.alphas:
            for d in _categories(name, scale):
                yield from _mechanism(name, alpha, d, scale, generator)


def _categories(name: str, scale: Scale) -> list[int]:
    if name in MEANS:
        return [1]
    most = exponential.CATEGORIES_MAX if name == "exponential" else max(scale.categories)
    return [min(d, most) for d in scale.categories]


def _mechanism(name: str, alpha: str, d: int, scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    try:
        table = MECHANISMS[name].table(Fraction(alpha), d, **({"delta": DELTA} if name in WITH_DELTA else {}))
    except ValueError:
        return  # not at so small an alpha, or not for so many categories
    for method, moments in MECHANISMS[name].moments(table, d).items():
        for n in scale.sizes:
            cell = (name, method, alpha, n, d)
            if isinstance(moments, ChannelMoments) and name == "laplace_mean":
                yield from _mean_by_laplace(cell, moments, scale, generator)
            elif isinstance(moments, ChannelMoments):
                yield from _inverted(cell, moments, scale, generator)
            else:
                yield from _known(cell, moments)


# Totals whose law is known --------------------------------------------------------------------------------------------


def laws_of_answers(d: int) -> dict[str, list[tuple[float, int]]]:
    """By name the shares, each with how many categories have it."""
    if d == 1:
        return {f"mean {share:g}": [(share, 1)] for share in (0.0, 0.01, 0.1, 0.5)}
    return {
        "equal": [(1 / d, d)],
        "all in one": [(1.0, 1), (0.0, d - 1)],
        "99, 1": [(0.99, 1), (0.01, 1), (0.0, d - 2)],
    }


def _known(cell: tuple[str, str, str, int, int], moments: ScoreMoments) -> Iterator[Cell]:
    name, method, alpha, n, d = cell
    spans = published.of(moments, n)
    items = ITEMS if name == "grid" else 1
    together = intervals.bonferroni(CONFIDENCE, d * items)
    beyond = Tail(moments, n)
    for target in ("population",) if name == "one_bit" else TARGETS:
        for answers, shares in (laws_of_options(d) if name == "multiple" else laws_of_answers(d)).items():
            if target == "respondents" and any((share * n) % 1 for share, _ in shares):
                continue
            missed = [
                [miss(spans, beyond, n, share, level, target) for level in (CONFIDENCE, together)]
                for share, count in shares
            ]
            at_once = items * sum(count * pair[1] for pair, (_, count) in zip(missed, shares, strict=True))
            alone = max(pair[0] for pair in missed)
            yield Cell(name, method, target, alpha, n, d, answers, 1 - alone, 1 - at_once)


def laws_of_options(d: int) -> dict[str, list[tuple[float, int]]]:
    """Every option applies to the same share of people."""
    return {f"each {share:g}": [(share, d)] for share in (0.0, 0.01, 0.2, 0.5)}


class Tail:
    """P(S >= total) at a share, and the range of totals."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._law, self._n = moments, n
        self._total = TotalLaw(n, convolution.lattice(moments)) if isinstance(moments, SumMoments) else None
        self.totals = range(self._total.low, self._total.high + 2) if self._total else range(n + 2)

    def __call__(self, total: int, share: float, target: Target) -> float:
        if self._total:
            return self._total.at_least(total, share, target)
        if target == "respondents":
            return intervals.tails(total, self._n, round(share * self._n), self._law)[1]
        return float(stats.binom.sf(total - 1, self._n, float(self._law.b + self._law.gap * Fraction(share))))


def miss(spans: published.Published, beyond: Tail, n: int, share: float, level: float, target: Target) -> float:
    """The chance that the interval does not hold the share."""
    top = beyond.totals[-1]

    def ends(total: int) -> intervals.Interval:
        return intervals.Interval(1.0, 1.0) if total == top else spans.interval([total], 0, level, target)

    first = beyond.totals[bisect_left(beyond.totals, True, key=lambda total: ends(total).high >= share - 1e-12)]
    above = bisect_left(beyond.totals, True, key=lambda total: total == top or ends(total).low > share + 1e-12)
    over = beyond(beyond.totals[above], share, target) if beyond.totals[above] < top else 0.0
    return 1 - beyond(first, share, target) + over


# A mean by Laplace ----------------------------------------------------------------------------------------------------


def numbers(steps: int) -> dict[str, np.ndarray]:
    """Laws of the grid points, which are what is left of numbers once they are rounded."""
    grid = np.arange(steps + 1)
    found = {"all at one end": (grid == 0) * 1.0, "ends, halves": ((grid == 0) + (grid == steps)) / 2}
    for share in (0.01, 0.05, 0.2):
        found[f"ends, {share:g}"] = (grid == 0) * (1 - share) + (grid == steps) * share
    found["spread evenly"] = np.where((grid == 0) | (grid == steps), 0.5, 1.0) / steps
    if steps > 1:
        found["all in the middle"] = (grid == steps // 2) * 1.0
        found["near an end and at one"] = (grid == 1) * 0.9 + (grid == steps) * 0.1
    return found


def _mean_by_laplace(
    cell: tuple[str, str, str, int, int], moments: ChannelMoments, scale: Scale, generator: np.random.Generator
) -> Iterator[Cell]:
    name, method, alpha, n, d = cell
    spans = published.Mean(moments, n)
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
    """The true chance of the totals that neither tail of the law with all answers at the ends refuses."""
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
    """The smaller of the two chances that decide whether the interval holds the truth: its ends are not looked for.

    Beyond an end of the scale an interval is cut, to that end, and so never misses it from there.
    """
    values, numbers = scores[counts > 0], counts[counts > 0]
    above = unseen.chance_above(values, numbers, high, truth) if truth > 0 else 1.0
    below = unseen.chance_above(-values, numbers, low.mirrored(), -truth) if truth < 1 else 1.0
    return min(above, below)


def _held_by_noise(spans: published.Mean, rows: np.ndarray, n: int) -> Iterator[tuple[str, float]]:
    """Respondents at one place, at both ends, and halfway between two points: the noise alone, exactly."""
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


def _inverted(
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
    """Options with the same share at an end, and those with the same share in between: their misses are averaged."""
    last = len(shares) - 1
    kinds = [(float(share), j in (0, last)) for j, share in enumerate(shares)]
    return [[j for j, own in enumerate(kinds) if own == kind] for kind in dict.fromkeys(kinds)]


def _weighed(
    chances: np.ndarray, n: int, surveys: int, generator: np.random.Generator, holds: Callable[[np.ndarray], list[bool]]
) -> tuple[list[float], int | None]:
    """How often each statement holds: over all outcomes if they are few, else over simulated surveys."""
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


# The table ------------------------------------------------------------------------------------------------------------


def summary(found: list[Cell]) -> list[str]:
    """A line for each mechanism, method and target: the least coverage and where it is."""
    header = ["mechanism", "method", "target", "cells", "alone", "where", "at once", "where", "simulated"]
    keys = dict.fromkeys((cell.mechanism, cell.method, cell.target) for cell in found)
    return tables.table(header, [_line(key, found) for key in keys])


def _line(key: tuple[str, str, str], found: list[Cell]) -> list[str]:
    own = [cell for cell in found if (cell.mechanism, cell.method, cell.target) == key]
    worst = {what: min(own, key=lambda cell: getattr(cell, what) + 3 * cell.error) for what in ("alone", "at_once")}
    simulated = sum(cell.surveys is not None for cell in own)
    texts = [
        text
        for what, cell in worst.items()
        for text in (f"{getattr(cell, what):.4f}", f"alpha {cell.alpha}, n {cell.n}, d {cell.d}, {cell.law}")
    ]
    return [*key, f"{len(own):,}", *texts, f"{simulated:,}" if simulated else ""]


def short(cell: Cell) -> bool:
    """Whether a cell is below nominal: a sum by more than rounding, a simulation as luck is once in 100,000 times."""
    return cell.luck < 1e-5


def widths(surveys: int) -> list[str]:
    """The mean's new intervals over the normal ones that they replaced, and how often those held."""
    generator, lines = np.random.default_rng(30), []
    for alpha in ("2", "4", "8", "16"):
        moments = MECHANISMS["laplace_mean"].moments(MECHANISMS["laplace_mean"].table(Fraction(alpha), 1), 1)["mean"]
        rows, scores = np.array(moments.weights, dtype=float) / sum(moments.weights[0]), np.array(moments.phi())[:, 0]
        for n in (50, 1000, 10_000):
            spans = published.of(moments, n)
            for answers, shares in numbers(len(rows) - 1).items():
                mean = float(shares @ np.arange(len(rows))) / (len(rows) - 1)
                ratios, held = [], 0
                for counts in generator.multinomial(n, shares @ rows, size=40):
                    new = spans.interval(counts.tolist(), 0, CONFIDENCE, "population")
                    old = normal(scores, counts, n)
                    ratios.append((new.high - new.low) / max(old.high - old.low, 1e-12))
                for counts in generator.multinomial(n, shares @ rows, size=surveys):
                    old = normal(scores, counts, n)
                    held += old.low <= mean <= old.high
                lines.append([alpha, n, answers, f"{held / surveys:.3f}", f"{np.median(ratios):.3f}"])
    return tables.table(["alpha", "n", "answers", "the normal one held", "new width / normal width"], lines)


def normal(scores: np.ndarray, counts: np.ndarray, n: int) -> intervals.Interval:
    mean = float(scores @ counts) / n
    reach = float(special.ndtri((1 + CONFIDENCE) / 2)) * math.sqrt(max(float(scores**2 @ counts) / n - mean**2, 0) / n)
    return intervals.cut(mean - reach, mean + reach)


def report(scale: Scale) -> tuple[list[str], list[Cell]]:
    began = time.process_time()
    found = list(cells(scale, np.random.default_rng(95)))
    least = [cell for cell in found if short(cell)]
    lines = [
        __doc__.partition("\n\n")[2].strip(),
        "",
        f"alpha {', '.join(scale.alphas)}; n {', '.join(f'{n:,}' for n in scale.sizes)}; "
        f"d {', '.join(map(str, scale.categories))}, exponential up to {exponential.CATEGORIES_MAX}. n of an item is "
        "the number of reports that drew it. Prefer not to say is a category like any other. osgt and gaussian keep a "
        f"delta of 0.000001 and begin where a table is. Simulated cells have {scale.surveys} surveys (an inverted "
        f"channel {scale.surveys} over d, at least 20): the least is chance's too, so the cell shown is that of "
        "the least coverage plus three standard errors. Of an inverted channel, alone is averaged over options with "
        "the same share, at the ends and between them.",
        "",
        *summary(found),
        "",
        f"{len(found):,} cells, {len(least)} below nominal (of a simulation: as luck is once in 100,000)"
        f"{': ' if least else '.'}{'; '.join(map(str, least))}",
        "",
        "## Widths of the interval of a mean by Laplace, population",
        "",
        "Against the normal interval with the sample variance, which it replaced. Medians of 40 surveys; that one's "
        f"coverage by {10 * scale.surveys:,}.",
        "",
        *widths(10 * scale.surveys),
        "",
        f"{time.process_time() - began:.0f} seconds of one core.",
    ]
    return lines, found


if __name__ == "__main__":
    tables.write("coverage", "Coverage of the published 95 % intervals", report(tables.scaled(FULL))[0])
