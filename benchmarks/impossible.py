"""The width of published intervals if nearly nothing is known: `python -m benchmarks.impossible`.

Surveys have 20 options, 18 of them no one's answer, for every mechanism of one answer, alpha 0.01 to 4 and n 100 and
1000. Intervals are those of the least and of the largest estimate, for the population, at the end and at every release.
The table counts points among them, and compares the narrowest with half of a normal one at a share of 0.
"""

import argparse
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

import numpy as np

from benchmarks import tables
from benchmarks.reading import NAMES, answered, empty
from ldp.inference import intervals
from ldp.inference.tallied import Tallied
from ldp.scores import ScoreMoments

CONFIDENCE = 0.95
OPTIONS = 20
# Other mechanisms need milliseconds for an interval and are tried less often.
QUICK = ("randomized_response", "bitwise")
SHARE = 100


@dataclass(frozen=True)
class Scale:
    alphas: tuple[str, ...]
    sizes: tuple[int, ...]
    surveys: int


FULL = Scale(("0.01", "0.1", "0.5", "1", "4"), (100, 1000), 1000)


@dataclass(frozen=True)
class Cell:
    mechanism: str
    alpha: str
    n: int
    every_look: bool
    surveys: int
    points: int
    narrowest: float
    normal: float


def cells(scale: Scale, generator: np.random.Generator) -> Iterator[Cell]:
    for name in NAMES:
        for alpha in scale.alphas:
            try:
                start = empty(name, alpha, OPTIONS)
            except ValueError:
                continue  # the mechanism does not allow so small an alpha
            surveys = scale.surveys if name in QUICK else max(scale.surveys // SHARE, 4)
            for n in scale.sizes:
                counts = generator.multinomial(n, [0.5, 0.5] + [0.0] * (OPTIONS - 2), size=surveys)
                found = [answered(start, each, generator) for each in counts]
                for every_look in (False, True):
                    yield _cell(name, alpha, n, every_look, found)


def _cell(name: str, alpha: str, n: int, every_look: bool, found: list[Tallied]) -> Cell:
    widths = [width for tallied in found for width in _widths(replace(tallied, every_look=every_look))]
    return Cell(name, alpha, n, every_look, len(found), widths.count(0.0), min(widths), at_zero(found[0].moments, n))


def _widths(tallied: Tallied) -> Iterator[float]:
    for j in {int(tallied.shares.argmin()), int(tallied.shares.argmax())}:
        low, high = tallied.interval(j, CONFIDENCE, "population")
        yield high - low


def at_zero(moments: ScoreMoments, n: int) -> float:
    """Return the half-width of a normal interval at a share of 0, at most 1."""
    return min(1.0, intervals.z(CONFIDENCE) * float(moments.v_b / moments.gap**2 / n) ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=FULL.surveys)
    scale = Scale(FULL.alphas, FULL.sizes, parser.parse_args().surveys)
    found = list(cells(scale, np.random.default_rng(37)))
    header = ["mechanism", "alpha", "n", "at every release", "surveys", "points", "narrowest", "half of a normal one"]
    rows = [[*astuple(cell)[:6], f"{cell.narrowest:.4f}", f"{cell.normal:.4f}"] for cell in found]
    surveys, points = sum(cell.surveys for cell in found), sum(cell.points for cell in found)
    lines = [
        __doc__.partition("\n\n")[2].strip(),
        "",
        f"{surveys:,} surveys, {points} with an interval that is a point.",
        "",
        *tables.table(header, rows),
    ]
    tables.write("impossible", "Intervals of impossible estimates", lines)


if __name__ == "__main__":
    main()
