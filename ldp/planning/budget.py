"""Spending a survey's total alpha over its questions (M27). Alphas add up over questions (M11).

Every split adds up to the total exactly. Alphas are whole thousandths, but for what of the total is finer, which one
question gets. The split by weight is in ldp.planning.weights.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.planning import thirds
from ldp.planning.candidates import PlannedQuestion

UNIT = Fraction(1, 1000)
STRETCH_MOST = 2.0**20


def check(total: Fraction, questions: int) -> None:
    """ValueError where the total cannot be shared among so many."""
    if not questions * ALPHA_MIN <= total <= questions * ALPHA_MAX:
        least, most = float(questions * ALPHA_MIN), float(questions * ALPHA_MAX)
        raise ValueError(f"must be from {least:g} to {most:g} for {questions} questions")


def equal(total: Fraction, questions: int) -> list[Fraction]:
    check(total, questions)
    return _exactly(total, [total / questions] * questions)


def _exactly(total: Fraction, ideal: Sequence[Fraction]) -> list[Fraction]:
    """Rounded down to units; what is left of the total goes in units to the largest remainders, of equals to the first.
    `ideal` adds up to the total."""
    units = [math.floor(share / UNIT) for share in ideal]
    left = math.floor(total / UNIT) - sum(units)
    by_remainder = sorted(range(len(units)), key=lambda k: (units[k] * UNIT - ideal[k], k))
    for k in by_remainder[:left]:
        units[k] += 1
    return with_rest(total, units)


def with_rest(total: Fraction, units: Sequence[int], unit: Fraction = UNIT) -> list[Fraction]:
    """The alphas of whole units, and what is left of the total added to the first that has room."""
    alphas = [count * unit for count in units]
    rest = total - sum(alphas)
    alphas[next(k for k, alpha in enumerate(alphas) if alpha + rest <= ALPHA_MAX)] += rest
    return alphas


# By width: all wished half-widths stretched alike ---------------------------------------------------------------------


class Wish(NamedTuple):
    question: PlannedQuestion
    half_width: float


class Stretched(NamedTuple):
    """`needed`: what the wishes themselves need in all, None where one of them cannot be had. Every half-width is at
    most `stretch` times the wished one."""

    alphas: list[Fraction]
    stretch: float
    needed: Fraction | None


def by_width(total: Fraction, wishes: Sequence[Wish], n: int) -> Stretched:
    """The split whose half-widths for n people are the wished ones, all made wider or narrower in one ratio."""
    check(total, len(wishes))
    largest = min(ALPHA_MAX, total - (len(wishes) - 1) * ALPHA_MIN)
    stretch = _least(lambda ratio: _fits(_needed(wishes, n, ratio, largest), total))
    alphas = _needed(wishes, n, stretch, largest) or [ALPHA_MIN] * len(wishes)
    wanted = _needed(wishes, n, 1.0, ALPHA_MAX)
    return Stretched(_filled(total, alphas), stretch, None if wanted is None else sum(wanted, Fraction(0)))


def _needed(wishes: Sequence[Wish], n: int, ratio: float, largest: Fraction) -> list[Fraction] | None:
    """The least alphas for the wishes times the ratio; None where one would have to be larger than the largest."""
    least: dict[Wish, Fraction] = {}
    for wish in set(wishes):
        alpha = thirds.alpha(wish.question, n, ratio * wish.half_width, most=largest)
        if alpha is None:
            return None
        least[wish] = alpha
    return [least[wish] for wish in wishes]


def _fits(alphas: list[Fraction] | None, total: Fraction) -> bool:
    return alphas is not None and sum(alphas) <= total


def _least(fits: Callable[[float], bool]) -> float:
    """The least ratio that fits, to a thousandth of itself. Every larger one fits, too."""
    low = high = 1.0
    while not fits(high) and high < STRETCH_MOST:
        low, high = high, 2 * high
    while fits(low) and low > 1 / STRETCH_MOST:
        low, high = low / 2, low
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def _filled(total: Fraction, alphas: Sequence[Fraction]) -> list[Fraction]:
    """In the same proportions, up to the largest alpha there is, so that they add up to the total. None gets less."""
    spent, filled = sum(alphas, Fraction(0)), list(alphas)
    while spent < total:
        open_ = [k for k, alpha in enumerate(filled) if alpha < ALPHA_MAX]
        ratio = (total - spent) / sum((filled[k] for k in open_), Fraction(0))
        for k in open_:
            filled[k] = min(filled[k] * (1 + ratio), ALPHA_MAX)
        spent = sum(filled, Fraction(0))
    return _exactly(total, filled)


# A blind sample of the questions --------------------------------------------------------------------------------------


def blind_factor(questions: int, sample: int, total: float) -> float:
    """n times the variance of a share of one half, where each device reports on `sample` of the yes/no questions, drawn
    without looking at the answers, and spends the total on them alike: (Q/s) coth^2(total/(2s))/4."""
    return questions / sample / (4 * math.tanh(total / (2 * sample)) ** 2)


def best_sample(questions: int, total: float) -> int:
    """The sample of least variance."""
    return min(range(1, questions + 1), key=lambda sample: blind_factor(questions, sample, total))
