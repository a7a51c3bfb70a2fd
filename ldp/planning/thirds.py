"""Alpha, the number of people and the half-width: each from the other two.

Half-widths are of the intervals that hold at once for all shares of a question, at equal shares, as the results page
shows them; of a mean in units of its range. They are about a population, or about exactly those who take part, as the
results page is where anybody may answer.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.planning.candidates import Candidate, PlannedQuestion, candidate, of_question
from ldp.planning.outlook import N_MOST, Target, quantile
from ldp.question import Question

CONFIDENCE = 0.95

# Alphas that are read from the other two are whole hundredths.
STEPS_OF_ONE = 100
FIRST_TRIED = 32  # of them


def half_width(
    question: PlannedQuestion,
    alpha: Fraction,
    n: int,
    confidence: float = CONFIDENCE,
    target: Target = "population",
) -> float:
    """ValueError where the question's mechanism does not take this alpha."""
    return _half_width(candidate(question, alpha), n, confidence, target)


def built_half_width(
    question: Question, n: float, confidence: float = CONFIDENCE, target: Target = "population"
) -> float:
    """The half-width of a definition's question, by the table that stands there."""
    return _half_width(of_question(question), n, confidence, target)


def built_people(question: Question, wished: float, share: float, target: Target = "population") -> int | None:
    """The least n with a half-width of at most the wished one, where this share of them is asked a definition's
    question; None where N_MOST are too few."""
    candidate = of_question(question)
    return least_people(lambda n: _half_width(candidate, n * share, CONFIDENCE, target), wished)


def least_people(half_width_of: Callable[[int], float], wished: float) -> int | None:
    """The least n with a half-width of at most the wished one, which falls with n; None where N_MOST are too few."""
    if half_width_of(N_MOST) > wished:
        return None
    low, high = 0, N_MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width_of(middle) <= wished else (middle, high)
    return high


def people(
    question: PlannedQuestion,
    alpha: Fraction,
    wished: float,
    confidence: float = CONFIDENCE,
    target: Target = "population",
) -> int | None:
    """The least n with a half-width of at most the wished one, None where N_MOST are too few.

    z sqrt(v/n) + c/n <= w is a quadratic inequality in sqrt(n).
    """
    best = candidate(question, alpha)
    root = quantile(confidence, best.together) * math.sqrt(_variance(best, target))
    guess = ((root + math.sqrt(root**2 + 4 * wished * best.addition)) / (2 * wished)) ** 2
    if guess > N_MOST:
        return None
    n = max(1, math.floor(guess) - 1)
    while _half_width(best, n, confidence, target) > wished:
        n += 1
    return n


def alpha(
    question: PlannedQuestion,
    n: int,
    wished: float,
    confidence: float = CONFIDENCE,
    most: Fraction = ALPHA_MAX,
    target: Target = "population",
) -> Fraction | None:
    """The least alpha, in hundredths, with a half-width of at most the wished one, None where `most` is too small. A
    mechanism that does not take an alpha cannot reach the width with it.

    Alphas are doubled before they are halved: tables of large ones take long to make.
    """
    low, last = math.ceil(ALPHA_MIN * STEPS_OF_ONE) - 1, math.floor(most * STEPS_OF_ONE)
    high = min(FIRST_TRIED, last)
    while not _reaches(question, high, n, wished, confidence, target):
        if high == last:
            return None
        low, high = high, min(2 * high, last)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reaches(question, middle, n, wished, confidence, target) else (middle, high)
    return Fraction(high, STEPS_OF_ONE)


def _reaches(
    question: PlannedQuestion, hundredths: int, n: int, wished: float, confidence: float, target: Target
) -> bool:
    try:
        return half_width(question, Fraction(hundredths, STEPS_OF_ONE), n, confidence, target) <= wished
    except ValueError:
        return False


def _half_width(candidate: Candidate, n: float, confidence: float, target: Target) -> float:
    z = quantile(confidence, candidate.together)
    return z * math.sqrt(_variance(candidate, target) / n) + candidate.addition / n


def _variance(candidate: Candidate, target: Target) -> float:
    return candidate.respondents if target == "respondents" else candidate.spread.expected
