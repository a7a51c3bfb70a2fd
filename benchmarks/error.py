"""The fall of the squared error with n and alpha, for every mechanism, beside the minimax bound.

`python -m benchmarks.error` simulates surveys from the published integer tables. It prints the slopes on doubly
logarithmic scales and draws them. A survey's totals are drawn from their exact law, so a million people cost no more
than a hundred.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from benchmarks import error_figures, simulation, tables
from ldp import bounds, mechanisms, numeric
from ldp.exact import RESOLUTION
from ldp.inference import estimates
from ldp.kinds import histogram
from ldp.mechanisms import laplace
from ldp.tables import channel as channels
from ldp.tables import noise

D = 8
SURVEYS = 2000
PEOPLE = (100, 316, 1000, 3162, 10_000, 31_623, 100_000)
ALPHAS = ("0.05", "0.1", "0.2", "0.4", "0.8", "1.6", "3.2", "6.4")
SMALL = 4  # the slope in alpha is fitted to the smallest 4
SHARES = np.arange(D, 0, -1) / (D * (D + 1) / 2)

Generator = np.random.Generator
Survey = Callable[[Any, int, Generator], float]  # (table, n, generator) -> total squared error


class Line(NamedTuple):
    """A mechanism's squared error. `bound` says whether the sharp bound for D shares applies to it."""

    name: str
    mechanism: str
    survey: Survey
    bound: bool


def _people(n: int, generator: Generator) -> np.ndarray:
    return simulation.population_counts(SHARES, n, 1, generator)


def _law(name: str, table: Any, d: int, method: str | None = None) -> Any:
    moments = mechanisms.MECHANISMS[name].moments(table, d)
    return moments[method] if method else next(iter(moments.values()))


def _error(totals: Any, n: int, moments: Any) -> float:
    return float(((estimates.shares(totals, n, moments) - SHARES) ** 2).sum())


def _bits(name: str) -> Survey:
    def survey(table: Any, n: int, generator: Generator) -> float:
        moments = _law(name, table, D)
        return _error(simulation.bit_totals(_people(n, generator), moments, generator), n, moments)

    return survey


def _subset(table: Any, n: int, generator: Generator) -> float:
    """Simulate sets of m: for each truth, every set is one outcome of a multinomial law."""
    moments = _law("randomized_response", table, D)
    sets = np.array([[index >> j & 1 for j in range(D)] for index in range(1 << D)])
    sets = sets[sets.sum(axis=1) == table["sizes"][0]]
    p = float(moments.a)
    total = np.zeros(D, dtype=np.int64)
    for truth, count in enumerate(_people(n, generator)[0]):
        inside = sets[:, truth] == 1
        chances = np.where(inside, p / inside.sum(), (1 - p) / (~inside).sum())
        total += generator.multinomial(count, chances / chances.sum()) @ sets
    return _error(total, n, moments)


def _added(name: str, method: str, distribution: Callable[[Any, int], tuple[np.ndarray, np.ndarray]]) -> Survey:
    """Return a survey of separate scores by bin. `distribution(table, bit)` returns (values, chances)."""

    def survey(table: Any, n: int, generator: Generator) -> float:
        moments, counts = _law(name, table, D, method), _people(n, generator)[0]
        total = np.zeros(D)
        for bit, people in ((1, counts), (0, n - counts)):
            values, chances = distribution(table, bit)
            total += generator.multinomial(people, chances) @ values
        return _error(total, n, moments)

    return survey


def _laplace_values(table: Any, bit: int) -> tuple[np.ndarray, np.ndarray]:
    magnitude = np.ones(1)
    for threshold in table["magnitude"]:
        b = threshold / RESOLUTION
        magnitude = np.concatenate((magnitude * (1 - b), magnitude * b))
    above = table["flip"] / RESOLUTION
    above = 1 - above if bit else above
    j = np.arange(len(magnitude))
    chances = np.concatenate((above * magnitude, (1 - above) * magnitude))
    return np.concatenate((1 + j, -j)), chances / chances.sum()


def _noise_values(table: Any, bit: int) -> tuple[np.ndarray, np.ndarray]:
    weights = np.array(noise.weights(table), dtype=np.float64)
    return np.arange(len(weights)) - len(weights) // 2 + bit, weights / weights.sum()


def _channel_counts(table: Any, counts: np.ndarray, generator: Generator) -> list[int]:
    rows = np.array(channels.weights(table), dtype=np.float64)
    rows /= rows.sum(axis=1, keepdims=True)
    return sum(generator.multinomial(c, row) for c, row in zip(counts, rows, strict=True)).tolist()


def _exponential(table: Any, n: int, generator: Generator) -> float:
    moments = _law("exponential", table, D)
    return _error(moments.scores(_channel_counts(table, _people(n, generator)[0], generator)), n, moments)


def _mean(name: str) -> Survey:
    """Return a survey of numbers spread evenly over the range, rounded to the grid. The mean is 1/2."""

    def survey(table: Any, n: int, generator: Generator) -> float:
        moments, steps = _law(name, table, 0), numeric.steps(table)
        mass = np.full(steps + 1, 1 / steps)
        mass[[0, -1]] /= 2
        counts = generator.multinomial(n, mass)
        if name == "one_bit":
            total = generator.binomial(counts[1], float(moments.a)) + generator.binomial(counts[0], float(moments.b))
        else:
            total = moments.scores(_channel_counts(table, counts, generator))[0]
        return float((estimates.shares(total, n, moments) - 0.5) ** 2)

    return survey


def _items(name: str) -> Survey:
    """Return a survey of D items with two options, half of the people for each; errors are summed over items."""

    def survey(table: Any, n: int, generator: Generator) -> float:
        moments = _law(name, table, 2)
        drawn = generator.multinomial(n, np.full(D, 1 / D))
        yes = generator.binomial(drawn, 0.5)
        total = generator.binomial(yes, float(moments.a)) + generator.binomial(drawn - yes, float(moments.b))
        return float(((estimates.shares(total / drawn, 1, moments) - 0.5) ** 2).sum())

    return survey


LINES = (
    Line("randomized response", "randomized_response", _subset, True),
    Line("bitwise", "bitwise", _bits("bitwise"), True),
    Line("laplace, threshold", "laplace", _bits("laplace"), True),
    Line("laplace, sum", "laplace", _added("laplace", "sum", _laplace_values), True),
    Line("exponential", "exponential", _exponential, True),
    Line("osgt", "osgt", _added("osgt", "sum", _noise_values), False),
    Line("gaussian", "gaussian", _added("gaussian", "sum", _noise_values), False),
    Line("one bit (mean)", "one_bit", _mean("one_bit"), False),
    Line("laplace (mean)", "laplace_mean", _mean("laplace_mean"), False),
    Line("multiple", "multiple", _items("multiple"), False),
    Line("grid", "grid", _items("grid"), False),
)


def measured(line: Line, alpha: str, n: int, generator: Generator, surveys: int = SURVEYS) -> float:
    """Return the mean squared error, or nan if the mechanism does not allow this alpha."""
    options = 2 if line.mechanism == "grid" else D
    try:
        table = mechanisms.MECHANISMS[line.mechanism].table(Fraction(alpha), options)
    except ValueError:
        return math.nan
    return float(np.mean([line.survey(table, n, generator) for _ in range(surveys)]))


def slope(x: Any, y: Any) -> float:
    """Return the slope of a straight line through the logarithms, without missing points; nan for fewer than three."""
    x, y = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    there = np.isfinite(y)
    return float(np.polyfit(x[there], y[there], 1)[0]) if there.sum() > 2 else math.nan


# Histograms: the integrated squared error if the number of bins grows with n ------------------------------------------


def histogram_error(n: int, alpha: str | None, generator: Generator, surveys: int) -> tuple[int, float]:
    """Return the advised number of bins, and the mean integrated squared error for the steepest triangle on [0, 1]."""
    moments = None if alpha is None else _law("laplace", laplace.table(Fraction(alpha), 2), 2)
    k = histogram.best_bins(n, 0.0 if moments is None else histogram.bin_noise(moments), most=100_000)
    fine = max(1, 10_000 // k)
    x = (np.arange(k * fine) + 0.5) / (k * fine)
    density = np.minimum(4 * x, 4 - 4 * x)
    shares = density.reshape(k, fine).mean(axis=1)
    flatness = ((density - np.repeat(shares, fine)) ** 2).mean()
    shares /= shares.sum()
    counts = simulation.population_counts(shares, n, surveys, generator)
    found = counts / n
    if moments is not None:
        found = estimates.shares(simulation.bit_totals(counts, moments, generator), n, moments)
    return k, float(flatness + k * ((found - shares) ** 2).sum(axis=1).mean())


# The report -----------------------------------------------------------------------------------------------------------


def _number(x: float, form: str = ".3f") -> str:
    return "—" if math.isnan(x) else format(x, form)


def main() -> None:
    generator, surveys = np.random.default_rng(13), tables.number("surveys", SURVEYS)
    by_n = {line.name: [measured(line, "1", n, generator, surveys) for n in PEOPLE] for line in LINES}
    by_alpha = {line.name: [measured(line, alpha, 10_000, generator, surveys) for alpha in ALPHAS] for line in LINES}
    best = bounds.sharp_constant(1.0, D)
    rows = []
    for line in LINES:
        ratio = PEOPLE[-1] * by_n[line.name][-1] / best if line.bound else math.nan
        small = slope([float(alpha) for alpha in ALPHAS[:SMALL]], by_alpha[line.name][:SMALL])
        rows.append([line.name, _number(slope(PEOPLE, by_n[line.name])), _number(small), _number(ratio, ".2f")])
    sizes = [10**k for k in range(3, 10)]
    private = [histogram_error(n, "1", generator, 100) for n in sizes]
    free = [histogram_error(n, None, generator, 100) for n in sizes]
    one_share = {
        "randomized response": [1 / (4 * n * bounds.gap_squared(1.0)) for n in sizes],
        "no mechanism is below": [bounds.share_bound(1.0, n) for n in sizes],
    }
    error_figures.draw(by_n, PEOPLE, by_alpha, ALPHAS, D, sizes, private, free)
    slopes = [slope(sizes, [pair[k] for pair in pairs]) for k in (1, 0) for pairs in (private, free)]
    lines = [
        f"Mean squared errors of {surveys} simulated surveys: total over {D} shares (1/36, ..., 8/36), of a mean, or "
        "over "
        f"{D} items. The slope in n is fitted to n from {PEOPLE[0]} to {PEOPLE[-1]:,} at alpha 1 (theory: -1), the "
        "slope "
        f"in alpha to alpha from {ALPHAS[0]} to {ALPHAS[SMALL - 1]} at n = 10,000 (theory: -2 as alpha falls). The "
        "last "
        f"column is the error at n = {PEOPLE[-1]:,} over the least possible in the worst case, R*/n (M19), which is "
        "a bound "
        "for all shares of a choice without a delta. osgt and gaussian have a delta of 0.000001 and begin at alpha "
        "0.1.",
        "",
        *tables.table(["mechanism", "slope in n", "slope in alpha", "error / bound"], rows),
        "",
        "![Error against n and alpha](error.svg)",
        "",
        "## One share, for every n (M20)",
        "",
        "The worst-case squared error of randomized response over the bound for every estimator and private channel.",
        "",
        *tables.table(
            ["n", "error / bound"],
            [[f"{n:,}", f"{a / b:.4f}"] for n, a, b in zip(sizes, *one_share.values(), strict=True)],
        ),
        "",
        "## Histograms (M22)",
        "",
        "The integrated squared error for a triangular density with as many bins as are advised for n, at alpha 1 and "
        "without privacy.",
        "",
        *tables.table(
            ["n", "bins", "error", "bins without privacy", "error"],
            [
                [f"{n:,}", k, f"{e:.2e}", k0, f"{e0:.2e}"]
                for n, (k, e), (k0, e0) in zip(sizes, private, free, strict=True)
            ],
        ),
        "",
        f"Slope of the error in n: {slopes[0]:.3f} (theory -1/2), without privacy {slopes[1]:.3f} (theory -2/3). "
        "Slope of "
        f"the number of bins: {slopes[2]:.3f} (theory 1/4), without privacy {slopes[3]:.3f} (theory 1/3).",
        "",
        "![Error and bins of histograms](histogram.svg)",
    ]
    tables.write("error", "Error slopes", lines)


if __name__ == "__main__":
    main()
