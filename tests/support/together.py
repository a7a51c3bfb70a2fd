"""Questions of one draw, and the exact law of the draw's reports."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ldp import exact
from ldp.arrays import Values
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.marginals import JointTally
from ldp.forms.report import Part
from ldp.inference.variables import Variable
from ldp.mechanisms import randomized_response
from tests.support.stated_channels import product_subsets


def drawn(questions: Sequence[Any], table: Any, alpha: str, form: int | None = None) -> Part:
    keys = [question["key"] for question in questions]
    draw: Any = {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": keys}
    return Part(tuple(questions), draw, form)


def crossing(first: Variable, second: Variable, table: Any, counts: Sequence[int]) -> JointCrossing:
    """Return the crossing of a draw's two questions, from the counts of its cells."""
    shape = len(first.options), len(second.options)
    return JointCrossing(first, second, JointTally(table, shape, tuple(map(int, counts))).pair(0, 1))


def outcomes(shape: Sequence[int], table: Any, law: Any) -> tuple[list[Any], Values]:
    """Return all reports of a draw, and their chances if people's answers have this law."""
    rows = product_subsets(shape, table, exact.RESOLUTION)
    every = list(rows[0])
    channel = np.array([[float(row[z]) for z in every] for row in rows])
    return every, np.ravel(law) @ channel


def cells(shape: Sequence[int], lists: Any) -> Values:
    """Return the cells that a report lists, as 0 or 1, shape (product of the shape,)."""
    made = np.zeros(tuple(shape), dtype=np.int64)
    for cell in product(*lists):
        made[cell] = 1
    return made.ravel()


def counted(shape: Sequence[int], table: Any, law: Any, n: int, rng: np.random.Generator) -> JointTally:
    """Return the tally of n random people of this law."""
    every, chances = outcomes(shape, table, law)
    came = rng.multinomial(n, chances / chances.sum())
    return JointTally(table, tuple(shape), tuple((came @ np.array([cells(shape, z) for z in every])).tolist()))


def as_expected(shape: Sequence[int], table: Any, law: Any, n: int = 10**15) -> JointTally:
    """Return the tally of about n people, with each report exactly as often as expected."""
    every, chances = outcomes(shape, table, law)
    came = np.rint(n * chances).astype(np.int64)
    return JointTally(table, tuple(shape), tuple((came @ np.array([cells(shape, z) for z in every])).tolist()))


def expected(shape: Sequence[int], table: Any, law: Any) -> Values:
    """Return the mean counts of the cells in one report."""
    every, chances = outcomes(shape, table, law)
    return np.asarray(chances @ np.array([cells(shape, z) for z in every]))


def table(alpha: str, shape: Sequence[int], sizes: Sequence[int] | None = None) -> Any:
    """Return a table with these sizes, by default one listed option per question."""
    return randomized_response.table(Fraction(alpha), shape, sizes or (1,) * len(shape))


def dirichlet(shape: Sequence[int], seed: int = 3) -> Values:
    return np.random.default_rng(seed).dirichlet(np.ones(prod(shape))).reshape(tuple(shape))
