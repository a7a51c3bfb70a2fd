"""The most that readers of shuffled reports can learn (M49): its figures, and the bound beside exact excesses.

    python -m benchmarks.designs_audiences

`rows` are part of `python -m benchmarks.designs`. Excesses are enumerated over all multisets of a few reports. For many
they are computed from the law of Z (ldp/central/shuffled.py) by Fourier transform: values between two grid points are
split between both with the same mean, so the sum's positive part is never less than the exact one.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from ldp.central.shuffled import delta, guarantee

DELTA = 1e-6
FIGURES = {
    (2, 200): 1.02,
    (2, 1000): 0.40,
    (2, 6366): 0.15,
    (2, 10_000): 0.11,
    (3, 1000): 0.82,
    (4, 1000): 1.85,
    (4, 2000): 1.07,
    (4, 6366): 0.53,
    (4, 10_000): 0.41,
    (5, 6366): 0.98,
}
# Rounded up, as in docs/respondents/privacy.md.
TABLE = {
    1: {100: 0.52, 200: 0.36, 1000: 0.15, 6366: 0.06, 10_000: 0.05},
    2: {100: 1.67, 200: 1.02, 1000: 0.40, 6366: 0.15, 10_000: 0.12},
    3: {100: 3.00, 200: 2.99, 1000: 0.83, 6366: 0.29, 10_000: 0.23},
    4: {100: 4.00, 200: 4.00, 1000: 1.86, 6366: 0.53, 10_000: 0.42},
}
GRID = 1 << 15

# (P/g, P'/g, chance under the blanket) of a draw of one question, and the blanket's mass.
Law = tuple[float, list[tuple[float, float, float]]]


class CheckedRow(NamedTuple):
    """A statement, its stated value, the value found, and whether it holds."""

    statement: str
    stated: str
    found: str
    holds: bool


def rows() -> Iterator[CheckedRow]:
    yield from _figures()
    yield from _enumerated()
    yield from _accounted()


def _figures() -> Iterator[CheckedRow]:
    for (alpha, n), stated in FIGURES.items():
        found = guarantee(float(alpha), n, DELTA)
        name = f"readers, total {alpha}, {n:,} reports: epsilon at delta 1e-6"
        yield CheckedRow(name, f"{stated:.2f}", f"{found:.4f}", abs(found - stated) <= 0.005)
    for alpha, n in itertools.product(TABLE, TABLE[1]):
        stated, found = TABLE[alpha][n], guarantee(float(alpha), n, DELTA)
        name = f"docs/respondents/privacy.md, total {alpha}, {n:,} reports, rounded up"
        yield CheckedRow(name, f"{stated:.2f}", f"{found:.4f}", math.isclose(math.ceil(100 * found) / 100, stated))


# Few reports: every multiset ------------------------------------------------------------------------------------------


def _enumerated() -> Iterator[CheckedRow]:
    for alpha, n in itertools.product((0.5, 1.0, 2.0, 4.0), (2, 10, 60)):
        most = max(_ratio(alpha, n, yes, kept) for yes in range(n) for kept in np.linspace(0, 0.9 * alpha, 7))
        name = f"two options, alpha {alpha:g}, {n} reports: exact excess over the bound's, all answers of the others"
        yield CheckedRow(name, "at most 1", f"{most:.4f}", most <= 1 + 1e-9)


def _ratio(alpha: float, n: int, yes: int, kept: float) -> float:
    """Return the exact excess over the bound, for n reports of yes/no. `yes` of the others say yes."""
    p = 1 / (1 + math.exp(-alpha))
    some, rest = (stats.binom.pmf(range(k + 1), k, q) for k, q in ((yes, p), (n - 1 - yes, 1 - p)))
    one, two = (np.convolve(np.convolve(some, rest), mine) for mine in ([1 - p, p], [p, 1 - p]))
    excess = max(np.maximum(a - math.exp(kept) * b, 0).sum() for a, b in ((one, two), (two, one)))
    return float(excess / delta(kept, alpha, n))


# Many reports: a mechanism's own law of Z -----------------------------------------------------------------------------


def _draw(alpha: float, d: int, a: int) -> Law:
    """Return the law of a draw of one question with subsets of a of its d options, for two answers that differ."""
    e, hit = math.exp(alpha), a / d
    both, one = a * (a - 1) / (d * (d - 1)), a * (d - a) / (d * (d - 1))
    law = [(e, e, both), (e, 1.0, one), (1.0, e, one), (1.0, 1.0, 1 - both - 2 * one)]
    return 1 / (e * hit + 1 - hit), law


def _together(draws: Sequence[Law]) -> Law:
    """Return the law of draws one by one, for two answers that differ in all of them."""
    mass, law = 1.0, {(1.0, 1.0): 1.0}
    for own, each in draws:
        mass, after = mass * own, dict[tuple[float, float], float]()
        for ((u, v), p), (x, y, q) in itertools.product(law.items(), each):
            at = round(u * x, 12), round(v * y, 12)
            after[at] = after.get(at, 0.0) + p * q
        law = after
    return mass, [(u, v, p) for (u, v), p in law.items()]


def _delta(kept: float, n: int, law: Law) -> float:
    mass, points = law
    values = np.array([0.0, *(u - math.exp(kept) * v for u, v, _ in points)])
    chances = np.array([1 - mass, *(mass * p for _, _, p in points)])
    mean = float(values @ chances)
    spread = math.sqrt(n * float((values - mean) ** 2 @ chances))
    step = (24 * spread + 4 * np.abs(values).max()) / GRID
    lower, part = np.floor(values / step).astype(int), values / step - np.floor(values / step)
    pmf = np.zeros(GRID)
    np.add.at(pmf, lower % GRID, chances * (1 - part))
    np.add.at(pmf, (lower + 1) % GRID, chances * part)
    sums, middle = np.fft.irfft(np.fft.rfft(pmf) ** n, GRID), round(n * mean / step)
    at = (np.arange(GRID) - middle + GRID // 2) % GRID + middle - GRID // 2
    return float(np.maximum(at * step, 0) @ sums / n)


def _accounted() -> Iterator[CheckedRow]:
    designs = {
        "two options": [(4.0, 2, 1)],
        "one of five options": [(4.0, 5, 1)],
        "two of five options": [(4.0, 5, 2)],
        "four yes/no questions, one by one": [(1.0, 2, 1)] * 4,
    }
    stated = {"two options": 0.53, "one of five options": 0.51, "two of five options": 0.45}
    stated["four yes/no questions, one by one"] = 0.32
    bound = guarantee(4.0, 6366, DELTA)
    for name, draws in designs.items():
        law = _together([_draw(*each) for each in draws])
        found = _least(law, 6366, 4.0)
        holds = abs(found - stated[name]) <= 0.006 and found <= bound * (1 + 1e-3)
        text = f"exact accounting, total 4, 6,366 reports, {name} (bound {bound:.3f})"
        yield CheckedRow(text, f"{stated[name]:.2f}", f"{found:.4f}", holds)


def _least(law: Law, n: int, alpha: float) -> float:
    low, high = 0.0, alpha
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _delta(middle, n, law) <= DELTA else (middle, high)
    return high


def judged() -> Iterator[tuple[bool, list[object]]]:
    """The most that readers of shuffled reports can learn: the figures of M49, and the bound beside exact excesses."""
    return ((row.holds, [row.statement, row.stated, row.found]) for row in rows())


# For benchmarks.designs: a title, a header, and the rows.
PART = ("Two audiences", ["what", "stated", "found"], judged)


def main() -> None:
    every = list(rows())
    for row in every:
        print(f"{'ok ' if row.holds else 'NOT'} {row.statement}: {row.stated}; {row.found}")
    raise SystemExit(not all(row.holds for row in every))


if __name__ == "__main__":
    main()
