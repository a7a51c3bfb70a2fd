"""The published intervals of a share beside others, at nominal 95 %.

`.venv/bin/python -m benchmarks.interval_methods` writes benchmarks/results/interval_methods.md. The coverage of one
share's interval is computed: both ends rise with the total, so the totals whose interval holds the share are a range,
and the total's exact law gives its chance. Simultaneous coverage is simulated.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, partial

import numpy as np
import scipy

from benchmarks import comparison, simulation, tables
from ldp.arrays import Values
from ldp.inference import convolution, intervals
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.estimates import covariance, onto_simplex, shares
from ldp.inference.intervals import Interval
from ldp.mechanisms import bitwise, laplace, randomized_response
from ldp.scores import EXCLUSIVE, ScoreMoments, Target, independent

CONFIDENCE = 0.95
SIZES = (20, 50, 200, 2000)
SHARES = (0.0, 0.01, 0.05, 0.2, 0.5)
ALPHAS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
CATEGORIES = (2, 5, 16, 64)

Method = Callable[[int], Interval]


def binary_law(alpha: Fraction, d: int = 2) -> ScoreMoments:
    return randomized_response.moments(randomized_response.table(alpha, d, 1), d)["support"]


def sum_law(alpha: Fraction) -> tuple[ScoreMoments, LatticeLaw]:
    moments = laplace.moments(laplace.table(alpha, 2), 2)["sum"]
    return moments, convolution.lattice(moments)


def binary_methods(n: int, moments: ScoreMoments, target: Target) -> dict[str, Method]:
    methods: dict[str, Method] = {
        "exact": lambda total: intervals.exact(total, n, moments, CONFIDENCE, target),
        "score": lambda total: intervals.score(total, n, moments, CONFIDENCE, target),
        "wald": lambda total: comparison.wald(total, n, moments, CONFIDENCE, target),
    }
    if target == "population":
        methods["fiducial"] = lambda total: comparison.jeffreys(total, n, moments, CONFIDENCE)
    return _kept(methods)


def sum_methods(
    n: int, moments: ScoreMoments, scores: LatticeLaw, totals: TotalLaw, target: Target
) -> dict[str, Method]:
    noise = comparison.total_draws(scores, n, 10_000, np.random.default_rng(n))

    def fiducial(total: int) -> Interval:
        # All totals use the same draws, so the ends rise with the total.
        return comparison.fiducial(total, n, noise, CONFIDENCE, target, np.random.default_rng(0))

    methods: dict[str, Method] = {
        "exact": lambda total: totals.interval(total, CONFIDENCE, target),
        "score": lambda total: intervals.score(total, n, moments, CONFIDENCE, target),
        "wald": lambda total: comparison.wald(total, n, moments, CONFIDENCE, target),
        "fiducial": fiducial,
    }
    return _kept(methods)


def coverage(method: Method, share: float, low: int, chances: np.ndarray) -> float:
    """Return the chance that the interval holds the share. `chances` are those of the totals low, low+1, ..."""
    totals = range(low, low + len(chances))
    first = bisect_left(totals, True, key=lambda total: method(total).high >= share - 1e-12)
    last = bisect_left(totals, True, key=lambda total: method(total).low > share + 1e-12)
    return float(chances[first:last].sum())


def binary_coverages(n: int, alpha: Fraction, share: float, target: Target) -> dict[str, float]:
    """Return coverage by method, for a 0/1 score. The respondents' share is rounded to a whole number of them."""
    moments = binary_law(alpha)
    return _coverages(binary_methods(n, moments, target), TotalLaw(n, convolution.binary(moments)), n, share, target)


def sum_coverages(n: int, alpha: Fraction, target: Target, wanted: Iterable[float]) -> list[dict[str, float]]:
    """Return for each share the coverage by method, for the sum of Laplace bins."""
    moments, scores = sum_law(alpha)
    totals = TotalLaw(n, scores)
    methods = sum_methods(n, moments, scores, totals, target)
    return [_coverages(methods, totals, n, share, target) for share in wanted]


def _coverages(methods: dict[str, Method], totals: TotalLaw, n: int, share: float, target: Target) -> dict[str, float]:
    if target == "population":
        chances = totals.population(share)
    else:
        chances, share = totals.respondents(round(share * n)), round(share * n) / n
    return {name: coverage(method, share, totals.low, chances) for name, method in methods.items()}


def _kept(methods: dict[str, Method]) -> dict[str, Method]:
    """Return the methods with a cache: an interval is computed once for all shares and ends."""
    return {name: cache(method) for name, method in methods.items()}


def max_t(covariance: Values, confidence: float, generator: np.random.Generator, draws: int = 20_000) -> float:
    """Return the confidence of each of d normal intervals that hold all at once, from the estimates' covariance (d, d).

    It is the chance of |Z| <= c. Draws of Z have the estimates' correlations; c is the order statistic number
    ceil(confidence (draws+1)) of max |Z_j|, so the draws cost no coverage on average. The result is at most
    confidence^(1/d), which suffices for all correlations (Sidak 1967).
    """
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    largest = np.abs(generator.standard_normal((draws, len(root))) @ root.T).max(axis=1)
    rank = min(math.ceil(confidence * (draws + 1)), draws)
    critical = np.partition(largest, rank - 1)[rank - 1]
    return float(min(1 - 2 * scipy.special.ndtr(-critical), confidence ** (1 / len(root))))


def simultaneous(
    name: str, d: int, n: int, alpha: Fraction, surveys: int, generator: np.random.Generator, draws: int = 2000
) -> dict[str, tuple[float, float]]:
    """Return by method the simulated coverage of all d population shares at once, and the mean width."""
    if name == "randomized response":
        moments, draw = binary_law(alpha, d), simulation.randomized_response_totals
        pair = EXCLUSIVE
    else:
        moments, draw = bitwise.moments(bitwise.table(alpha, d), d)["support"], simulation.bit_totals
        pair = independent(moments)
    true = zipf(d)
    counts = simulation.population_counts(true, n, surveys, generator)
    covered: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    exact = partial(cached_exact, {}, n, moments)
    together = intervals.bonferroni(CONFIDENCE, d)
    for totals in draw(counts, moments, generator):
        found = shares(totals, n, moments)
        cov = covariance(onto_simplex(found), n, moments, pair, "population")
        level = max_t(cov, CONFIDENCE, generator, draws)
        for method, ends in {
            "each exact": [exact(int(t), CONFIDENCE) for t in totals],
            "Bonferroni exact": [exact(int(t), together) for t in totals],
            "max-t exact": [exact(int(t), level) for t in totals],
            "max-t score": [intervals.score(t, n, moments, level, "population") for t in totals],
        }.items():
            holds = all(low - 1e-12 <= s <= high + 1e-12 for s, (low, high) in zip(true, ends, strict=True))
            covered.setdefault(method, []).append(holds)
            widths.setdefault(method, []).append(float(np.mean([high - low for low, high in ends])))
    return {method: (float(np.mean(covered[method])), float(np.mean(widths[method]))) for method in covered}


def cached_exact(cache: dict, n: int, moments: ScoreMoments, total: int, confidence: float) -> Interval:
    key = (total, confidence)
    if key not in cache:
        cache[key] = intervals.exact(total, n, moments, confidence, "population")
    return cache[key]


def zipf(d: int) -> np.ndarray:
    weights = 1 / np.arange(1, d + 1)
    return weights / weights.sum()


def _table(title: str, methods: list[str], rows: list[tuple[str, list[dict[str, float]]]]) -> list[str]:
    head = [f"### {title}", "", f"Each entry: {' / '.join(methods)}.", ""]
    head += ["| n, alpha | " + " | ".join(f"share {s}" for s in SHARES) + " |", "|---" * (len(SHARES) + 1) + "|"]
    lines = [
        f"| {name} | " + " | ".join(" / ".join(f"{cell[m]:.3f}" for m in methods) for cell in cells) + " |"
        for name, cells in rows
    ]
    least = {m: min(cell[m] for _, cells in rows for cell in cells) for m in methods}
    return [*head, *lines, "", "Least: " + ", ".join(f"{m} {value:.4f}" for m, value in least.items()) + ".", ""]


def report(surveys: int) -> str:
    lines = [
        "# Coverage of 95 % intervals",
        "",
        "Written by `.venv/bin/python -m benchmarks.interval_methods`. M15.",
        "",
    ]
    lines += ["## One share, computed exactly", ""]
    for target in ("population", "respondents"):
        rows = []
        for n in SIZES:
            for alpha in ALPHAS:
                cells = [binary_coverages(n, alpha, share, target) for share in SHARES]
                rows.append((f"{n}, {float(alpha):g}", cells))
        methods = ["exact", "score", "wald"] + ["fiducial"] * (target == "population")
        lines += _table(f"0/1 scores (randomized response, two categories), {target}", methods, rows)
    for target in ("population", "respondents"):
        rows = [(f"{n}, {float(alpha):g}", sum_coverages(n, alpha, target, SHARES)) for n in SIZES for alpha in ALPHAS]
        lines += _table(f"Laplace sums, {target}", ["exact", "score", "fiducial", "wald"], rows)
    lines += [f"## All shares together, {surveys} simulated surveys each", ""]
    error = (0.95 * 0.05 / surveys) ** 0.5
    lines += [f"Shares proportional to 1/k, population. Standard error {error:.4f} where coverage is .95."]
    lines += ["The width ratio is that of max-t exact over Bonferroni exact.", ""]
    lines += ["| mechanism | d | n | alpha | each exact | Bonferroni exact | max-t exact | max-t score | width ratio |"]
    lines += ["|---" * 9 + "|"]
    generator = np.random.default_rng(20)
    for name in ("randomized response", "bits"):
        for d in CATEGORIES:
            for n in (200, 2000):
                for alpha in (Fraction(1), Fraction(4)):
                    found = simultaneous(name, d, n, alpha, surveys, generator)
                    ratio = found["max-t exact"][1] / found["Bonferroni exact"][1]
                    lines.append(
                        f"| {name} | {d} | {n} | {float(alpha):g} | "
                        + " | ".join(f"{value:.3f}" for value, _ in found.values())
                        + f" | {ratio:.3f} |"
                    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = report(tables.number("surveys", 1000))
    tables.keep("interval_methods.md", text.encode())
    print(text)
