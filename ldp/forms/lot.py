"""The draw of a form (M35): form f has exactly the chance w_f/W.

The form is drawn before the first question, so it cannot depend on answers. The report names the form. The draw is a
uniform choice among W integers (M1), w_f of them for form f, so the chance is exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from ldp import words
from ldp.words import Uniform

WEIGHT_MAX = 10_000

FormWeights = Sequence[int]


def check(weights: FormWeights) -> None:
    """Raise ValueError, naming the rule, if a weight breaks one."""
    if not weights or any(type(weight) is not int or not 1 <= weight <= WEIGHT_MAX for weight in weights):
        raise ValueError(f"must be integers from 1 to {WEIGHT_MAX}")


def chances(weights: FormWeights) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]


def draw(weights: FormWeights, uniform: Uniform) -> int:
    """Return the index of a form drawn by its weight. One uniform integer is used, and another with a chance below
    W/2^53. All forms are compared, whichever is drawn."""
    place = words.choice(sum(weights), uniform)
    return sum(place >= end for end in list(accumulate(weights))[:-1])
