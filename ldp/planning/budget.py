"""The split of a form's alpha among questions with separate draws (M27). Alphas add up over questions (M11).

Every split adds up to the total exactly. Alphas are whole thousandths; one question gets any finer rest.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from ldp.exact import ALPHA_MAX, ALPHA_MIN

UNIT = Fraction(1, 1000)


def check(total: Fraction, questions: int) -> None:
    """Raise ValueError if the total cannot be split among this number of questions."""
    if not questions * ALPHA_MIN <= total <= questions * ALPHA_MAX:
        least, most = float(questions * ALPHA_MIN), float(questions * ALPHA_MAX)
        raise ValueError(f"must be from {least:g} to {most:g} for {questions} questions")


def equal(total: Fraction, questions: int) -> list[Fraction]:
    check(total, questions)
    return _exactly(total, [total / questions] * questions)


def proportional(total: Fraction, alphas: Sequence[Fraction]) -> list[Fraction]:
    """Return the total split in proportion to these alphas. ValueError if a part is outside the range of alpha."""
    whole = sum(alphas, Fraction(0))
    split = _exactly(total, [total * alpha / whole for alpha in alphas])
    if not all(ALPHA_MIN <= alpha <= ALPHA_MAX for alpha in split):
        raise ValueError("must leave each question an alpha that it can have")
    return split


def _exactly(total: Fraction, ideal: Sequence[Fraction]) -> list[Fraction]:
    """Return the ideal parts rounded down to units. The rest goes in units to the largest remainders, on a tie to the
    first. `ideal` adds up to the total."""
    units = [math.floor(share / UNIT) for share in ideal]
    left = math.floor(total / UNIT) - sum(units)
    by_remainder = sorted(range(len(units)), key=lambda k: (units[k] * UNIT - ideal[k], k))
    for k in by_remainder[:left]:
        units[k] += 1
    return _with_rest(total, units)


def _with_rest(total: Fraction, units: Sequence[int]) -> list[Fraction]:
    """Return the alphas of whole units. The first with room also gets the rest of the total."""
    alphas = [count * UNIT for count in units]
    rest = total - sum(alphas)
    alphas[next((k for k, alpha in enumerate(alphas) if alpha + rest <= ALPHA_MAX), 0)] += rest
    return alphas
