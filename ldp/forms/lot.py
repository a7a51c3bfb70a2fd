"""The draw of a form (M35): one of F forms, form f with the chance w_f/W, exactly.

It comes before the first question, so nothing that a person answers can tell on it; the form stands in the report. The
chance is exact because the draw is a uniform choice among W (M1), of which form f has w_f.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from ldp import words
from ldp.words import Uniform

WEIGHT_MAX = 10_000

FormWeights = Sequence[int]


def check(weights: FormWeights) -> None:
    """ValueError names the rule that a weight breaks."""
    if not weights or any(type(weight) is not int or not 1 <= weight <= WEIGHT_MAX for weight in weights):
        raise ValueError(f"must be integers from 1 to {WEIGHT_MAX}")


def chances(weights: FormWeights) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]


def draw(weights: FormWeights, uniform: Uniform) -> int:
    """The index of a form. One uniform integer, and another one with a chance below W/2^53; every form's place is
    compared whichever it is."""
    place = words.choice(sum(weights), uniform)
    return sum(place >= end for end in list(accumulate(weights))[:-1])
