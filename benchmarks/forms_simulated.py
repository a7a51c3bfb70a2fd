"""Simulated surveys in forms, for benchmarks.forms: a question of a joint draw, and rows made of cells.

A row is a figure with one target and n. It does not hold if luck makes one of its cells so short only once in 100,000
times.
"""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.reading import Cell
from ldp.forms.marginals import JointTally
from ldp.inference.tallied import Tallied
from ldp.mechanisms import randomized_response

# The question of four options shares its draw with one of two and one of three.
FORM, PLACE, NAME = (2, 3, 4), 2, "4 of 2 x 3 x 4"
RARE = 1e-5
HEADER = ["figure", "target", "n", "promised", "mean", "least", "where"]
Row = list[object]


def empty(alpha: str, *places: int, every_look: bool = False) -> Tallied:
    """Return a question of the form, or several crossed, without reports."""
    tally = JointTally(randomized_response.table(Fraction(alpha), FORM, (1,) * len(FORM)), FORM, (0,) * math.prod(FORM))
    return tally.tallied(*(places or (PLACE,)), every_look=every_look)


def rows(cells: list[Cell]) -> Iterator[tuple[bool, Row]]:
    for key in dict.fromkeys((cell.figure, cell.target, cell.n) for cell in cells):
        own = [cell for cell in cells if (cell.figure, cell.target, cell.n) == key]
        worst = min(own, key=lambda cell: cell.held)
        where = f"alpha {worst.alpha}, {worst.law}"
        mean = float(np.mean([cell.held for cell in own]))
        holds = all(cell.luck >= RARE for cell in own)
        yield holds, [*key, CONFIDENCE, f"{mean:.4f}", f"{worst.held:.4f}", where]
