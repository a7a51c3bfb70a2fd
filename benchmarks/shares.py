"""Exact coverage of the intervals of a share, at every n from 1 to 100: `python -m benchmarks.shares`.

Scores are 0 or 1, by randomized response of 2, 5 and 16 options and by bits, at alpha 0.01 to 16. Intervals are at 95%
alone and for all options at once, for both targets, at the end of a survey. A population has 41 shares, n respondents
all n + 1. The total's law is summed, without simulation. Intervals of impossible estimates are wide (M37).
"""

import argparse
import itertools
from collections.abc import Iterator

import numpy as np
from scipy import stats

from benchmarks import tables
from benchmarks.reading import empty
from ldp.inference import intervals
from ldp.inference.estimates import TARGETS
from ldp.scores import ScoreMoments, Target

CONFIDENCE = 0.95
ALPHAS = ("0.01", "0.1", "0.5", "1", "2", "4", "8", "16")
LAWS = (("randomized_response", 2), ("bitwise", 16), ("randomized_response", 16), ("randomized_response", 5))
SHARES = np.concatenate((np.linspace(0, 1, 21), np.geomspace(1e-6, 0.04, 10), 1 - np.geomspace(1e-6, 0.04, 10)))


def covered(moments: ScoreMoments, n: int, confidence: float, target: Target) -> np.ndarray:
    """Return the coverage at every share; n respondents have the shares 0/n to n/n."""
    shares = SHARES if target == "population" else np.arange(n + 1) / n
    spans = np.array([intervals.exact(total, n, moments, confidence, target) for total in range(n + 1)])
    holds = (spans[:, :1] <= shares + 1e-12) & (shares - 1e-12 <= spans[:, 1:])
    return np.asarray((chances(moments, n, shares, target) * holds).sum(axis=0))


def chances(moments: ScoreMoments, n: int, shares: np.ndarray, target: Target) -> np.ndarray:
    """Return the chance of every total, shape (n + 1, shares)."""
    p, q = float(moments.a), float(moments.b)
    totals = np.arange(n + 1)
    if target == "population":
        return np.asarray(stats.binom.pmf(totals[:, None], n, q + (p - q) * shares))
    m = np.arange(n + 1)
    inside, outside = (stats.binom.pmf(totals, k, chance) for k, chance in ((m[:, None], p), ((n - m)[:, None], q)))
    return np.array([np.convolve(one, other)[: n + 1] for one, other in zip(inside, outside, strict=True)]).T


def cells(sizes: range, alphas: tuple[str, ...] = ALPHAS) -> Iterator[tuple[str, int, str, Target, int, float, float]]:
    """Yield mechanism, d, alpha, target, n, the promise, and the least coverage over all shares."""
    for (name, d), alpha, n in itertools.product(LAWS, alphas, sizes):
        moments = empty(name, alpha, d).moments
        for target, level in itertools.product(TARGETS, (CONFIDENCE, intervals.bonferroni(CONFIDENCE, d))):
            yield name, d, alpha, target, n, level, float(covered(moments, n, level, target).min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1, help="every so many n")
    found = list(cells(range(1, 101, parser.parse_args().step)))
    short = [cell for cell in found if cell[-1] < cell[-2] - 1e-9]
    rows = []
    for name, d, target in dict.fromkeys((cell[0], cell[1], cell[3]) for cell in found):
        own = [cell for cell in found if (cell[0], cell[1], cell[3]) == (name, d, target)]
        for level in sorted({cell[-2] for cell in own}):
            least = min((cell for cell in own if cell[-2] == level), key=lambda cell: cell[-1])
            where = f"alpha {least[2]}, n {least[4]}"
            rows.append([name, d, target, len(own) // 2, f"{level:.5f}", f"{least[-1]:.5f}", where])
    head = ["mechanism", "d", "target", "cells", "promised", "least", "where"]
    lines = [__doc__.partition("\n\n")[2].strip(), "", f"{len(found):,} cells, {len(short)} below their promise."]
    tables.write("shares", "Exact coverage of shares", [*lines, "", *tables.table(head, rows)])


if __name__ == "__main__":
    main()
