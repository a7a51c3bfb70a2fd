"""How often the figures of a question's own page and its contrasts hold where its form is joint, by simulated surveys,
for benchmarks.forms.

`n` is the form's. A row is a figure with one target and n; short is a cell as luck makes it once in 100,000 times.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from benchmarks import contrasts, reading
from benchmarks.forms_coverage import CONFIDENCE
from ldp.forms.marginals import JointTally
from ldp.inference.reading.tallied import Tallied
from ldp.mechanisms import joint

# The question of four options stands beside one of two and one of three.
FORM, PLACE, NAME = (2, 3, 4), 2, "4 of 2 x 3 x 4"
RARE = 1e-5
Row = list[object]


def rows(alphas: tuple[str, ...], sizes: tuple[int, ...], surveys: int) -> Iterator[tuple[bool, Row]]:
    found = list(_figures(alphas, sizes, surveys, np.random.default_rng(34)))
    for key in dict.fromkeys((cell.figure, cell.target, cell.n) for cell in found):
        own = [cell for cell in found if (cell.figure, cell.target, cell.n) == key]
        worst = min(own, key=lambda cell: cell.held)
        where = f"alpha {worst.alpha}, {worst.law}"
        mean = float(np.mean([cell.held for cell in own]))
        holds = all(cell.luck >= RARE for cell in own)
        yield holds, [*key, CONFIDENCE, f"{mean:.4f}", f"{worst.held:.4f}", where]


def _figures(
    alphas: tuple[str, ...], sizes: tuple[int, ...], surveys: int, generator: np.random.Generator
) -> Iterator[reading.Cell]:
    for alpha, n in product(alphas, sizes):
        start = _empty(alpha)
        for law, shares in reading.laws(FORM[PLACE]).items():
            yield from reading.one_look(NAME, alpha, start, law, shares, n, surveys, generator)
        for law, shares in contrasts.LAWS.items():
            yield from _differences(alpha, start, law, np.array(shares), n, surveys, generator)


def _differences(
    alpha: str, start: Tallied, law: str, shares: np.ndarray, n: int, surveys: int, generator: np.random.Generator
) -> Iterator[reading.Cell]:
    found = [contrasts.held(start, shares, n, generator) for _ in range(surveys)]
    alone = float(np.mean([held for held, _, _ in found], axis=0).min())
    figures = {
        "difference of two options": alone,
        "all differences at once": float(np.mean([held for _, held, _ in found])),
        "nothing false told": 1 - float(np.mean([wrong for _, _, wrong in found])),
    }
    for figure, held in figures.items():
        yield reading.Cell(NAME, figure, "population", alpha, n, law, held, surveys)


def _empty(alpha: str) -> Tallied:
    """Of no report yet."""
    return JointTally(joint.table(Fraction(alpha), FORM), FORM, (0,) * int(np.prod(FORM))).tallied(PLACE)
