"""Alpha, the number of people and the half-width: each from the other two ("Any two give the third" under M28).

Half-widths are those of simultaneous intervals for all shares of a question, at equal shares, as on the results page;
for a mean in units of its range. They are about a population, or about exactly the people who take part, like all
numbers of a survey by invitation. With `whom` they are only about the people asked (M34f).
"""

import math
from fractions import Fraction
from typing import NamedTuple

from ldp import bounds, mechanisms, numeric
from ldp.central import laplace
from ldp.exact import ALPHA_MAX, ALPHA_MIN
from ldp.kinds import KINDS
from ldp.planning import routed
from ldp.planning.candidates import Candidate, PlannedQuestion, candidate, of_question
from ldp.planning.outlook import quantile
from ldp.planning.routed import Reach
from ldp.question import Drawn
from ldp.scores import ScoreMoments, Target
from ldp.search import N_MOST, least_people

CONFIDENCE = 0.95

# An alpha computed from the other two is a whole number of hundredths.
STEPS_OF_ONE = 100
FIRST_TRIED = 32  # hundredths


def half_width(
    question: PlannedQuestion,
    alpha: Fraction,
    n: int,
    confidence: float = CONFIDENCE,
    target: Target = "population",
    whom: Reach | None = None,
) -> float:
    """Return the half-width with n people. ValueError if the question's mechanism does not take this alpha."""
    return _half_width(candidate(question, alpha), n, confidence, target, whom)


def built_half_width(
    question: Drawn, n: float, confidence: float = CONFIDENCE, target: Target = "population", whom: Reach | None = None
) -> float:
    """Return the half-width of a definition's question, by its table."""
    return _half_width(of_question(question), n, confidence, target, whom)


def built_people(
    question: Drawn, wished: float, share: float, target: Target = "population", whom: Reach | None = None
) -> int | None:
    """Return the least n with at most the wished half-width, if this share of the n people is asked the question; None
    if N_MOST are too few."""
    candidate = of_question(question)
    return least_people(lambda n: _half_width(candidate, n * share, CONFIDENCE, target, whom), wished)


def people(
    question: PlannedQuestion,
    alpha: Fraction,
    wished: float,
    confidence: float = CONFIDENCE,
    target: Target = "population",
    whom: Reach | None = None,
) -> int | None:
    """Return the least n with at most the wished half-width; None if N_MOST are too few.

    If everyone is asked, z sqrt(v/n) + c/n <= w is a quadratic inequality in sqrt(n).
    """
    best = candidate(question, alpha)
    if whom:
        return least_people(lambda n: _half_width(best, n, confidence, target, whom), wished)
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
    whom: Reach | None = None,
) -> Fraction | None:
    """Return the least alpha, in whole hundredths, with at most the wished half-width; None if `most` is too small.

    A mechanism that does not take an alpha cannot reach the width with it. The search doubles alphas before it halves
    them, because tables for large alphas take long to make.
    """
    low, last = math.ceil(ALPHA_MIN * STEPS_OF_ONE) - 1, math.floor(most * STEPS_OF_ONE)
    high = min(FIRST_TRIED, last)
    while not _reaches(question, high, n, wished, confidence, target, whom):
        if high == last:
            return None
        low, high = high, min(2 * high, last)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reaches(question, middle, n, wished, confidence, target, whom) else (middle, high)
    return Fraction(high, STEPS_OF_ONE)


def _reaches(
    question: PlannedQuestion,
    hundredths: int,
    n: int,
    wished: float,
    confidence: float,
    target: Target,
    whom: Reach | None,
) -> bool:
    try:
        return half_width(question, Fraction(hundredths, STEPS_OF_ONE), n, confidence, target, whom) <= wished
    except ValueError:
        return False


def _half_width(candidate: Candidate, n: float, confidence: float, target: Target, whom: Reach | None = None) -> float:
    if whom:
        return routed.half_width(candidate.scores, whom, n, confidence)
    z = quantile(confidence, candidate.together)
    return z * math.sqrt(_variance(candidate, target) / n) + candidate.addition / n


def _variance(candidate: Candidate, target: Target) -> float:
    return candidate.respondents if target == "respondents" else candidate.spread.expected


# Half-widths by the number of people: locally, with a trusted curator, without privacy, and the least possible --------


class Point(NamedTuple):
    """Half-widths for n people. `bound` is that of the least worst-case standard error of any method with this alpha
    (M20 for two categories, otherwise M19), about a population; None if none is known. `without_privacy` is None about
    exactly the respondents, because everything about them would be known."""

    n: int
    local: float
    curator: float
    without_privacy: float | None
    bound: float | None


def point(
    question: PlannedQuestion,
    alpha: Fraction,
    n: int,
    confidence: float = CONFIDENCE,
    target: Target = "population",
    whom: Reach | None = None,
) -> Point:
    """Return the half-widths. A curator, the case without privacy and the bound know who is asked."""
    kind, size = KINDS[question.kind], question.size
    z, plain = quantile(confidence, kind.together(size, size.d == 2)), kind.without_privacy(size).expected
    local, of_all = half_width(question, alpha, n, confidence, target, whom), target == "population"
    reached = max(1, round(n * whom.part)) if whom else n
    trusted = laplace.variance(plain if of_all else 0.0, reached, float(alpha), kind.sensitivity(size))
    least = _least_variance(question, alpha, reached) if of_all else None
    return Point(
        n,
        local,
        z * math.sqrt(trusted),
        z * math.sqrt(plain / reached) if of_all else None,
        None if least is None else z * math.sqrt(least),
    )


def _least_variance(question: PlannedQuestion, alpha: Fraction, n: int) -> float | None:
    """Return the least worst-case variance of one share; None if none is known, and for a mean, whose bound is for the
    worst numbers while plans have numbers spread evenly."""
    efficiency, d = candidate(question, alpha).efficiency, question.size.d
    if efficiency is None or KINDS[question.kind].answers(question.size) < 2:
        return None
    return bounds.share_bound(float(alpha), n) if d == 2 else bounds.sharp_constant(float(alpha), d) / d / n


def curve(
    question: PlannedQuestion,
    alpha: Fraction,
    first: int,
    last: int,
    points: int,
    target: Target = "population",
    whom: Reach | None = None,
) -> list[Point]:
    """Return points at numbers of people from `first` to `last`, in geometric progression."""
    ratio = math.log(last / first) / (points - 1)
    people = (round(first * math.exp(ratio * k)) for k in range(points))
    return [point(question, alpha, n, target=target, whom=whom) for n in people]


# Mean ranks of a ranking (M32e) ---------------------------------------------------------------------------------------


def mean_rank_half_width(question: Drawn, n: float, confidence: float = CONFIDENCE) -> float:
    """Return the half-width, in ranks, of simultaneous intervals of all items' mean ranks, for n reports, if all orders
    are equally common."""
    k, sample = len(question["ranked"]), int(question["table"]["sample"])
    _name, moments = mechanisms.of(question).default()
    assert isinstance(moments, ScoreMoments)
    reports = n * sample / k
    # An item has each place among the drawn items equally often.
    variance = (sample + 1) / (12 * (sample - 1)) / float(moments.gap) ** 2
    z = quantile(confidence, k)
    return (k - 1) * (z * math.sqrt(variance / reports) + numeric.addition(moments) / reports)
