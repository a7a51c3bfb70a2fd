"""The chance that the interval between two surveys is wrong, exactly: `python -m benchmarks.between`.

Both surveys use randomized response of 4 options, at the level of each of 66 comparisons, and at .9999. For each cell
the table has the largest error over pairs of shares, summed over the law of both totals. Beside it are the error of
limits combined like variances (MOVER), published before, and the mean ratio of the widths. Then come the times of 66
comparisons.
"""

import itertools
import math
import time
from functools import lru_cache

import numpy as np
from scipy import special, stats

from benchmarks import tables
from benchmarks.reading import empty
from ldp.inference.intervals import Interval, clamp
from ldp.inference.reading import apart
from ldp.scores import ScoreMoments

D = 4
LEVELS = (1 - 0.05 / 66, 0.9999)
CELLS = (("1", 20), ("1", 100), ("4", 20), ("4", 100), ("8", 20), ("8", 200))
SHARES = (0.0, 0.001, 0.005, 0.02, 0.1, 0.3, 0.5, 0.9, 1.0)
# Rarer outcomes count as misses.
RARE = 1e-9
TIMED = (200, 2_000, 20_000, 1_000_000)


def mover(x: int, y: int, n: int, moments: ScoreMoments, confidence: float) -> Interval:
    p, q, tail = float(moments.a), float(moments.b), (1 - confidence) / 2

    def limits(total: int) -> tuple[float, float, float]:
        low = special.betaincinv(total, n - total + 1, tail) if total > 0 else 0.0
        high = special.betaincinv(total + 1, n - total, 1 - tail) if total < n else 1.0
        return (low - q) / (p - q), (total / n - q) / (p - q), (high - q) / (p - q)

    (low, one, high), (least, other, most) = limits(x), limits(y)
    ends = one - other - math.hypot(one - low, most - other), one - other + math.hypot(high - one, other - least)
    return Interval(*(clamp(end, -1.0) for end in ends))


def errors(alpha: str, n: int, confidence: float) -> tuple[float, float, float]:
    """Return the largest error now and before, and the ratio of widths, averaged over outcomes."""
    moments = empty("randomized_response", alpha, D).moments
    now = lru_cache(None)(lambda x, y: apart.exact_interval((x, n, moments), (y, n, moments), confidence))
    before = lru_cache(None)(lambda x, y: mover(x, y, n, moments, confidence))
    worst, widths = [0.0, 0.0], np.zeros(2)
    for shares in itertools.product(SHARES, repeat=2):
        laws = [stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * s) for s in shares]
        common = np.argwhere(np.outer(*laws) > RARE)
        chances = [laws[0][x] * laws[1][y] for x, y in common]
        truth = shares[0] - shares[1]
        for k, interval in enumerate((now, before)):
            spans = np.array([interval(int(x), int(y)) for x, y in common])
            held = (spans[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= spans[:, 1])
            worst[k] = max(worst[k], 1 - float(held @ chances))
            widths[k] += float((spans[:, 1] - spans[:, 0]) @ chances)
    return worst[0], worst[1], widths[0] / widths[1]


def seconds(n: int) -> float:
    """Return the seconds that 66 comparisons take at alpha 1."""
    moments = empty("randomized_response", "1", D).moments
    began = time.process_time()
    for k in range(66):
        apart.exact_interval((n // 4 + k, n, moments), (n // 3, n, moments), LEVELS[0])
    return time.process_time() - began


def main() -> None:
    rows, cells = [], tables.number("cells", len(CELLS))
    for confidence, (alpha, n) in itertools.product(LEVELS, CELLS[:cells]):
        now, before, wider = errors(alpha, n, confidence)
        rows.append([f"{1 - confidence:.5f}", alpha, n, f"{now:.5f}", f"{before:.5f}", f"{wider:.2f}"])
    lines = [
        __doc__.partition("\n\n")[2].strip(),
        "",
        *tables.table(["allowed", "alpha", "n each", "error", "error before", "width / before"], rows),
        "",
        *tables.table(
            ["n each", "seconds of 66 comparisons"], [[f"{n:,}", f"{seconds(n):.2f}"] for n in TIMED[:cells]]
        ),
    ]
    tables.write("between", "Differences between two surveys", lines)


if __name__ == "__main__":
    main()
