"""The coverage of the figures of a question's own page: `python -m benchmarks.reading` writes results/reading.md.

Figures are quantiles in whole categories (M32), shares of several categories (M32), mean ranks (M32b), shares and means
among people who said something (M32c), and shares in spite of forged reports (M26). Every mechanism of one answer has
alpha 1, 4 and 8, n 50, 300 and 2000, both targets, and laws that are even, lie at the ends, or hold rare answers.
Further cells watch a survey at five sizes (M29). Surveys are simulated; a cell says how often the interval held.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy import stats

from benchmarks import tables
from ldp.inference.estimates import TARGETS
from ldp.inference.intervals import Interval
from ldp.inference.reading import among, forged, quantiles, several
from ldp.inference.tallied import Tallied
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA
from ldp.scores import ChannelMoments, SumMoments, Target, independent

CONFIDENCE = 0.95
DELTA = Fraction(1, 10**6)
LEVELS = (0.1, 0.5, 0.9)
NAMES = tuple(dict.fromkeys((*FITTING["ordered"], *FITTING["histogram"])))


@dataclass(frozen=True)
class Scale:
    alphas: tuple[str, ...]
    sizes: tuple[int, ...]
    categories: int
    surveys: int
    names: tuple[str, ...] = NAMES


FULL = Scale(("1", "4", "8"), (50, 300, 2000), 6, 200)


@dataclass(frozen=True)
class Cell:
    mechanism: str
    figure: str
    target: Target
    alpha: str
    n: int
    law: str
    held: float
    surveys: int

    @property
    def luck(self) -> float:
        """Return how often a simulation at exactly .95 holds at most as often as this one."""
        misses = round((1 - self.held) * self.surveys)
        return float(stats.binom.sf(misses - 1, self.surveys, 1 - CONFIDENCE))


def laws(d: int) -> dict[str, np.ndarray]:
    """Return shares of d categories by law; the last category is no answer."""
    even, ends, rare = np.full(d, 1 / d), np.zeros(d), np.full(d, 0.02)
    ends[[0, d - 2, d - 1]] = 0.4, 0.4, 0.2
    rare[d // 2] += 1 - rare.sum()
    atom = np.zeros(d)
    atom[[0, 1, d - 1]] = 0.5, 0.2, 0.3
    return {"even": even, "ends": ends, "rare": rare, "on an edge": atom}


def empty(name: str, alpha: str, d: int) -> Tallied:
    """Return the tally of no report yet."""
    mechanism = MECHANISMS[name]
    table = mechanism.table(Fraction(alpha), d, **({"delta": DELTA} if name in WITH_DELTA else {}))
    method, moments = next(iter(mechanism.moments(table, d).items()))
    return Tallied(moments, mechanism.pairs(table, d).get(method), [0] * d, 0)


def answered(start: Tallied, answers: np.ndarray, generator: np.random.Generator) -> Tallied:
    """Return the tally with additional reports; `answers` has the people of each category, shape (d,)."""
    moments, n, d = start.moments, int(answers.sum()), len(answers)
    if start.counted:
        _, rows = start.outputs()
        drawn = sum(generator.multinomial(count, row / row.sum()) for count, row in zip(answers, rows, strict=True))
    elif isinstance(moments, SumMoments):
        drawn = np.array([_noise(moments, n, generator) for _ in range(d)]) + answers
    elif (size := float(moments.a + (d - 1) * moments.b)) == int(size) and start.pair != independent(moments):
        drawn = _sets(int(size), float(moments.a), answers, generator)
    else:
        a, b = float(moments.a), float(moments.b)
        drawn = generator.binomial(answers, a) + generator.binomial(n - answers, b)
    return replace(start, totals=[int(total) for total in np.asarray(drawn)], n=start.n + n)


def _noise(moments: SumMoments, n: int, generator: np.random.Generator) -> int:
    chances = np.array(moments.outside)
    counts = generator.multinomial(n, chances / chances.sum())
    return int(counts @ (moments.low + np.arange(len(chances))))


def _sets(size: int, chance: float, answers: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return how many of the drawn sets hold each category."""
    d, truths = len(answers), np.repeat(np.arange(len(answers)), answers)
    order = generator.random((len(truths), d))
    inside = generator.random(len(truths)) < chance
    order[np.arange(len(truths)), truths] = np.where(inside, -1.0, 2.0)
    chosen = np.argpartition(order, size - 1, axis=1)[:, :size]
    return np.bincount(chosen.ravel(), minlength=d)


def within(interval: Interval, value: float) -> bool:
    return interval.low - 1e-9 <= value <= interval.high + 1e-9


def held(tallied: Tallied, shares: np.ndarray, target: Target) -> dict[str, bool]:
    """Return whether each figure holds, for true shares of the population or of the respondents."""
    d = len(shares)
    k, said = d - 1, shares[:-1].sum()
    found = {}
    below = np.cumsum(shares[:-1]) / said
    for level in LEVELS:
        result = quantiles.quantiles(tallied, k, [level], CONFIDENCE, target)
        if result is not None:
            true = int(np.searchsorted(below, level - 1e-9))
            found[f"quantile {level:g}"] = result[0].first <= true <= result[0].last
    middle = range(d // 2)
    found["several"] = within(several.interval(tallied, middle, CONFIDENCE, target), float(shares[: d // 2].sum()))
    ranks = np.arange(1.0, k + 1)
    _, span = among.mean(tallied, ranks, ranks, CONFIDENCE, target)
    found["mean rank"] = within(span, float(ranks @ shares[:-1] / said))
    ratios = among.shares(tallied, k, CONFIDENCE, target)
    found["among, one"] = within(ratios[0].interval, float(shares[0] / said))
    found["among, all"] = all(within(r.simultaneous, float(s / said)) for r, s in zip(ratios, shares, strict=False))
    return found


def cells(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    for name in scale.names:
        for alpha in scale.alphas:
            try:
                start = empty(name, alpha, scale.categories)
            except ValueError:
                continue  # the mechanism does not allow so small an alpha
            for law, shares in laws(scale.categories).items():
                for n in scale.sizes:
                    yield from one_look(name, alpha, start, law, shares, n, scale.surveys, generator)
                yield from _watched(name, alpha, start, law, shares, scale, generator)


def one_look(
    name: str,
    alpha: str,
    start: Tallied,
    law: str,
    shares: np.ndarray,
    n: int,
    surveys: int,
    generator: np.random.Generator,
) -> Iterator[Cell]:
    given = np.diff(np.round(np.cumsum(np.append(0, shares)) * n)).astype(int)
    for target in TARGETS:
        truth, rows = shares if target == "population" else given / n, []
        of_totals = lru_cache(None)(_of_totals(start, truth, n, target))
        for _ in range(surveys):
            answers = generator.multinomial(n, shares) if target == "population" else given
            rows.append(dict(of_totals(*answered(start, answers, generator).totals)))
            if target == "population":
                rows[-1]["forged"] = _in_spite(start, answers, truth, generator)
        for figure in rows[0]:
            mean = float(np.mean([row[figure] for row in rows]))
            yield Cell(name, figure, target, alpha, n, law, mean, surveys)


def _of_totals(start: Tallied, truth: np.ndarray, n: int, target: Target) -> Callable[..., dict[str, bool]]:
    """Return `held` as a function of a survey's totals, which many surveys of few reports share."""
    return lambda *totals: held(replace(start, totals=list(totals), n=n), truth, target)


def _in_spite(start: Tallied, answers: np.ndarray, shares: np.ndarray, generator: np.random.Generator) -> bool:
    """Return whether the interval holds with a fiftieth more reports, all forged for the first category."""
    moments, n = start.moments, int(answers.sum())
    m = max(n // 50, 1)
    honest = answered(start, answers, generator)
    totals = list(honest.totals)
    if isinstance(moments, ChannelMoments):
        totals[int(np.argmax(np.array(moments.phi())[:, 0]))] += m
    else:
        totals[0] += m * (moments.low + len(moments.inside) - 1 if isinstance(moments, SumMoments) else 1)
    tallied = replace(honest, totals=totals, n=n + m)
    return within(forged.interval(tallied, 0, m, CONFIDENCE), float(shares[0]))


def _watched(
    name: str,
    alpha: str,
    start: Tallied,
    law: str,
    shares: np.ndarray,
    scale: Scale,
    generator: np.random.Generator,
) -> Iterator[Cell]:
    """Yield how often figures hold at all of five looks, at n doubling up to the largest."""
    most, surveys = max(scale.sizes), max(scale.surveys // 10, 5)
    looks = [most >> k for k in range(4, -1, -1)]
    rows = []
    for _ in range(surveys):
        answers, tallied, kept = np.zeros(len(shares), dtype=int), replace(start, every_look=True), {}
        for n in looks:
            fresh = generator.multinomial(n - int(answers.sum()), shares)
            more = answered(start, fresh, generator)
            totals = [a + b for a, b in zip(tallied.totals, more.totals, strict=True)]
            tallied, answers = replace(tallied, totals=totals, n=n), answers + fresh
            for figure, holds in held(tallied, shares, "population").items():
                kept[figure] = kept.get(figure, True) and holds
        rows.append(kept)
    for figure in rows[0]:
        mean = float(np.mean([row[figure] for row in rows]))
        yield Cell(name, f"{figure}, watched", "population", alpha, most, law, mean, surveys)


def short(cell: Cell) -> bool:
    """Return whether luck makes a cell of .95 hold so seldom only once in 100,000 times."""
    return cell.luck < 1e-5


def report(scale: Scale) -> tuple[list[str], list[Cell]]:
    began = time.process_time()
    found = list(cells(scale, np.random.default_rng(32)))
    lines = []
    for key in dict.fromkeys((cell.mechanism, cell.figure, cell.target) for cell in found):
        own = [cell for cell in found if (cell.mechanism, cell.figure, cell.target) == key]
        worst = min(own, key=lambda cell: cell.held + 3 * math.sqrt(0.05 * 0.95 / cell.surveys))
        where = f"alpha {worst.alpha}, n {worst.n}, {worst.law}"
        mean = float(np.mean([cell.held for cell in own]))
        lines.append([*key, str(len(own)), f"{mean:.4f}", f"{worst.held:.4f}", where, str(worst.surveys)])
    header = ["mechanism", "figure", "target", "cells", "mean", "least", "where", "surveys"]
    below = [str(cell) for cell in found if short(cell)]
    head = [__doc__.partition("\n\n")[2].strip(), "", f"{scale.categories} categories, the last of them no answer.", ""]
    tail = ["", f"{len(found):,} cells, {len(below)} short as luck is once in 100,000{': ' if below else '.'}"]
    time_taken = f"{time.process_time() - began:.0f} seconds of one core."
    return [*head, *tables.table(header, lines), *tail, *below, "", time_taken], found


if __name__ == "__main__":
    tables.write("reading", "Coverage of the figures of a question's own page", report(tables.scaled(FULL))[0])
