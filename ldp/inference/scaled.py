"""Questions under other alphas than their own, and the least alpha at which a chance is reached that grows with it."""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from typing import cast

from ldp.inference.variables import Variable, variable
from ldp.mechanisms import MECHANISMS
from ldp.question import Question

ALPHA_STEP, ALPHA_MOST = 0.1, 16.0


def scaled(of: Variable, factor: float) -> Variable:
    """A variable with so many times its alpha. ValueError for an item of a grid, an option of a multiple choice, one
    question of a joint form or a mechanism that takes more than alpha: their tables do not follow from it."""
    mechanism, question = MECHANISMS[of.question["mechanism"]], of.question
    if of.place is not None or mechanism.EXTRAS or question.get("joint"):
        raise ValueError("its table does not follow from alpha alone")
    table = mechanism.table(scaled_alpha(question["alpha"], factor), len(of.options))
    return variable([cast(Question, question | {"table": table})], of.key, means=True)


def scaled_alpha(alpha: str, factor: float) -> Fraction:
    return Fraction(alpha) * Fraction(factor).limit_denominator(10**6)


def least_alpha(total: float, chance: Callable[[float], float], wanted: float) -> float | None:
    """To ALPHA_STEP, no less than there is and no more than ALPHA_MOST; None where none does, or ValueError says that
    it cannot be told."""
    steps = range(math.ceil(total / ALPHA_STEP), round(ALPHA_MOST / ALPHA_STEP) + 1)
    alphas = [round(step * ALPHA_STEP, 1) for step in steps]
    try:
        place = bisect_left(alphas, wanted, key=chance)
    except ValueError:
        return None
    return alphas[place] if place < len(alphas) else None
