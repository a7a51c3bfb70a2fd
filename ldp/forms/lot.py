"""The draw of a form (M35): form f of F has exactly the chance w_f/W.

The draw comes before the first question, so it cannot depend on answers; the report names the form. The chance is exact
because the draw is a uniform choice among W integers (M1), w_f of them for form f.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from ldp import words
from ldp.words import Uniform

WEIGHT_MAX = 10_000

FormWeights = Sequence[int]


def check(weights: FormWeights) -> None:
    """Raise ValueError, which names the rule, if a weight breaks one."""
    if not weights or any(type(weight) is not int or not 1 <= weight <= WEIGHT_MAX for weight in weights):
        raise ValueError(f"must be integers from 1 to {WEIGHT_MAX}")


def chances(weights: FormWeights) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]


def draw(weights: FormWeights, uniform: Uniform) -> int:
    """Return the index of a form drawn by its weight. It takes one uniform integer, and another with a chance below
    W/2^53. All forms are compared, whichever is drawn."""
    place = words.choice(sum(weights), uniform)
    return sum(place >= end for end in list(accumulate(weights))[:-1])
