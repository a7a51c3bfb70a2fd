"""The rate at which a page of comparisons is right: `python -m benchmarks.comparisons` prints it.

It covers every mechanism of one answer; laws that are even, have rare answers or two that no one gives; alpha 1, 4 and
8; and n 20 to 2000. The rates: how often the interval of a difference holds alone (the least over pairs of neighbours)
and how often all of a question hold at once, both nominally .95; and how often any two equal shares are said to differ,
nominally .05. The same follows for the shares of two surveys whose mechanisms and numbers of reports differ, and then
the power of a planned number of reports.
"""

import argparse
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from benchmarks.reading import NAMES, answered, empty, within
from ldp.inference import intervals
from ldp.inference.estimates import onto_simplex
from ldp.inference.reading import apart, pairs, significance
from ldp.inference.tallied import Tallied
from ldp.planning import share_comparisons

CONFIDENCE = 0.95
LAWS = {
    "even": [0.25, 0.25, 0.25, 0.25],
    "two ahead": [0.4, 0.4, 0.1, 0.1],
    "rare": [0.97, 0.01, 0.01, 0.01],
    "unseen": [0.9, 0.1, 0.0, 0.0],
    "clear": [0.6, 0.4, 0.0, 0.0],
}


@dataclass(frozen=True)
class Scale:
    alphas: tuple[str, ...]
    sizes: tuple[int, ...]
    surveys: int
    names: tuple[str, ...] = NAMES


FULL = Scale(("1", "4", "8"), (20, 100, 2000), 400)


@dataclass(frozen=True)
class Cell:
    """`alone` and `at_once` are how often intervals held. `wrong` is how often something false was said, None if no two
    shares are equal."""

    what: str
    alpha: str
    n: int
    law: str
    alone: float
    at_once: float
    wrong: float | None
    surveys: int

    @property
    def luck(self) -> float:
        """Return how often a simulation that keeps its promises looks at least as bad, by its worst figure."""
        misses = [round((1 - held) * self.surveys) for held in (self.alone, self.at_once)]
        misses += [] if self.wrong is None else [round(self.wrong * self.surveys)]
        return float(min(stats.binom.sf(k - 1, self.surveys, 1 - CONFIDENCE) for k in misses))


def cells(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    for name, alpha, (law, shares) in itertools.product(scale.names, scale.alphas, LAWS.items()):
        try:
            start = empty(name, alpha, len(shares))
        except ValueError:
            continue  # not at so small an alpha
        for n in scale.sizes:
            rows = [held(start, np.array(shares), n, generator) for _ in range(scale.surveys)]
            yield _cell(name, alpha, n, law, rows)


def held(start: Tallied, shares: np.ndarray, n: int, generator: np.random.Generator) -> tuple[list[bool], bool, bool]:
    """Return for each pair whether the interval holds alone, whether all hold at once, and whether anything false is
    said."""
    tallied = answered(start, generator.multinomial(n, shares), generator)
    every = list(itertools.combinations(range(len(shares)), 2))
    truth = [float(shares[i] - shares[j]) for i, j in every]
    near = zip(every, truth, strict=True)
    alone = [within(pairs.interval(tallied, i, j, CONFIDENCE), its) for (i, j), its in near if j == i + 1]
    level = intervals.bonferroni(CONFIDENCE, len(every))
    found = [pairs.interval(tallied, i, j, level) for i, j in every]
    p_values = significance.corrected([pairs.p_value(tallied, i, j) for i, j in every])
    told = [significance.shows(p, span, CONFIDENCE) for p, span in zip(p_values, found, strict=True)]
    wrong = any(said and its == 0 for said, its in zip(told, truth, strict=True))
    return alone, all(map(within, found, truth)), wrong


def between(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    """Yield cells of two surveys. The second has three times n reports and mostly another mechanism."""
    for (name, other), alpha, (law, shares) in itertools.product(
        itertools.product(scale.names[:4], ("randomized_response", "bitwise")), scale.alphas, LAWS.items()
    ):
        try:
            one, two = empty(name, alpha, len(shares)), empty(other, "2" if name != other else alpha, len(shares))
        except ValueError:
            continue
        for n in scale.sizes:
            rows = [_between(one, two, np.array(shares), n, generator) for _ in range(scale.surveys)]
            yield _cell(f"{name}, {other}", alpha, n, law, rows)


def _between(
    one: Tallied, two: Tallied, shares: np.ndarray, n: int, generator: np.random.Generator
) -> tuple[list[bool], bool, bool]:
    """Return `held` for two surveys. The second has the first one's shares in another order, except the middle ones."""
    turned = shares[[3, 1, 2, 0]]
    first = answered(one, generator.multinomial(n, shares), generator)
    second = answered(two, generator.multinomial(3 * n, turned), generator)
    d, truth = len(shares), (shares - turned).tolist()
    rows = [((first, j), (second, j)) for j in range(d)]
    alone = [within(apart.interval(*row, CONFIDENCE), its) for row, its in zip(rows, truth, strict=True)]
    level = intervals.bonferroni(CONFIDENCE, d)
    found = [apart.interval(*row, level) for row in rows]
    p_values = significance.corrected([apart.p_value(*row, level) for row in rows])
    told = [significance.shows(p, span, CONFIDENCE) for p, span in zip(p_values, found, strict=True)]
    wrong = any(said and its == 0 for said, its in zip(told, truth, strict=True))
    return alone, all(map(within, found, truth)), wrong


def _cell(what: str, alpha: str, n: int, law: str, rows: list[tuple[list[bool], bool, bool]]) -> Cell:
    alone = float(np.mean([row[0] for row in rows], axis=0).min())
    at_once, wrong = (float(np.mean([row[k] for row in rows])) for k in (1, 2))
    return Cell(what, alpha, n, law, alone, at_once, wrong, len(rows))


# Power ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Powered:
    what: str
    alpha: str
    difference: float
    level: float
    planned: float
    n: int
    reached: float


def powers(
    scale: Scale, generator: np.random.Generator, differing: tuple[float, ...] = (0.05, 0.2)
) -> Iterator[Powered]:
    """Yield how often the planned number of reports shows the difference."""
    for name, alpha, difference, level, planned in itertools.product(
        scale.names, scale.alphas, differing, (0.05, 0.005), (0.8, 0.9)
    ):
        try:
            start = empty(name, alpha, 4)
        except ValueError:
            continue
        shares = share_comparisons.moved(onto_simplex([0.3, 0.3, 0.3, 0.1]), 0, 1, difference)
        n = share_comparisons.needed(share_comparisons.of_pair(start, 0, 1, shares), difference, level, planned)
        if n is None or n > 200_000:
            continue
        shown = []
        for _ in range(scale.surveys):
            p = pairs.p_value(answered(start, generator.multinomial(n, shares), generator), 0, 1)
            shown.append(p is not None and p <= level)
        yield Powered(f"pair, {name}", alpha, difference, level, planned, n, float(np.mean(shown)))
        two = share_comparisons.of_two((start, 0, 1.0), (start, 0, 1.0), 0.3)
        m = share_comparisons.needed(two, difference, level, planned)
        assert m is not None
        more, less = ([0.3 + s * difference / 2, 0.3 - s * difference / 2, 0.3, 0.1] for s in (1, -1))
        shown = []
        for _ in range(scale.surveys):
            one, other = (answered(start, generator.multinomial(m, law), generator) for law in (more, less))
            p, span = (find((one, 0), (other, 0), 1 - level) for find in (apart.p_value, apart.interval))
            shown.append(significance.shows(p, span, 1 - level))
        yield Powered(f"surveys, {name}", alpha, difference, level, planned, m, float(np.mean(shown)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=FULL.surveys)
    scale = Scale(FULL.alphas, FULL.sizes, parser.parse_args().surveys)
    start, generator = time.perf_counter(), np.random.default_rng(20)
    for title, found in (("within", list(cells(scale, generator))), ("between", list(between(scale, generator)))):
        print(title, f"{time.perf_counter() - start:.0f} s")
        for cell in sorted(found, key=lambda each: each.luck)[:25]:
            print(cell)
        print(
            "least",
            min(c.alone for c in found),
            min(c.at_once for c in found),
            max(c.wrong or 0 for c in found),
            len(found),
        )
    for row in powers(scale, generator):
        print(row)


if __name__ == "__main__":
    main()
