"""The coverage of the published intervals, at nominal 95 %: `python -m benchmarks.coverage` writes results/coverage.md.

It covers every mechanism, every method, both targets, one interval alone and all of a question at once, from alpha 0.01
to 16, n 1 to 100,000 and 2 to 64 categories, for laws of answers that are worst somewhere. If the total's law is known,
the coverage is a sum: the ends rise with the total, so the totals whose interval holds the truth are a range. For all
intervals at once it is a bound, 1 less the chances of all misses. Otherwise all outcomes are visited if they are few,
and else surveys are simulated.
"""

import math
import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from scipy import special

from benchmarks import tables
from benchmarks.coverage_cells import CONFIDENCE, FULL, Cell, Scale
from benchmarks.coverage_channels import inverted, mean_by_laplace, numbers
from benchmarks.coverage_known import known
from ldp.inference import intervals, published
from ldp.mechanisms import MECHANISMS, WITH_DELTA, exponential
from ldp.scores import ChannelMoments

DELTA = Fraction(1, 10**6)
MEANS = ("one_bit", "laplace_mean")


def cells(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    """Yield all cells. A mechanism without a rule here ends the run, so none is forgotten."""
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
                yield from mean_by_laplace(cell, moments, scale, generator)
            elif isinstance(moments, ChannelMoments):
                yield from inverted(cell, moments, scale, generator)
            else:
                yield from known(cell, moments)


# The table ------------------------------------------------------------------------------------------------------------


def summary(found: list[Cell]) -> list[str]:
    """Return a line for each mechanism, method and target: the least coverage and its cell."""
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
    """Return whether a cell is below nominal: a sum by more than rounding, a simulation by luck of once in 100,000
    times."""
    return cell.luck < 1e-5


def widths(surveys: int) -> list[str]:
    """Return the mean's new intervals over the former normal ones, and how often the latter held."""
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
