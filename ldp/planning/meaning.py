"""The meaning of an alpha in frequencies of 100 and in beliefs, from the integer table (M28)."""

import math
from fractions import Fraction
from typing import NamedTuple

from ldp import mechanisms, subsets
from ldp.exact import RESOLUTION, ListTable
from ldp.mechanisms import randomized_response
from ldp.question import Drawn, channels
from ldp.scores import EXCLUSIVE, ChannelMoments, ScoreMoments, SumMoments

# The realized alpha is a logarithm in floating point. Its exponential is multiplied by this, to be safe.
_OUTWARD = 1 + Fraction(1, 1 << 40)


class Frequencies(NamedTuple):
    """The chances that a report supports an answer if the person gave it (`same`), and if the person gave another
    (`other`).

    `exclusive`: a report supports exactly one answer. The answers to a mean are its range's two ends; a report supports
    the upper end if it says "high" or is above the middle. Chances that depend on the answer are averages over answers.
    """

    same: Fraction
    other: Fraction
    exclusive: bool


class Belief(NamedTuple):
    """The range of a guess's chance after any report."""

    low: Fraction
    high: Fraction


def frequencies(question: Drawn) -> Frequencies:
    """Return the frequencies of a definition's question with one channel."""
    [question] = channels(question)
    randomizer = mechanisms.of(question)
    method, moments = randomizer.default()
    together = randomizer.pairs().get(method, EXCLUSIVE)
    return Frequencies(*_chances(moments), together == EXCLUSIVE and not isinstance(moments, SumMoments))


def _chances(moments: ScoreMoments) -> tuple[Fraction, Fraction]:
    if isinstance(moments, ChannelMoments):
        return _above(moments) if moments.targets == 1 else _averages(moments)
    if isinstance(moments, SumMoments):
        return _positive(moments.inside, moments.low), _positive(moments.outside, moments.low)
    return moments.a, moments.b


def _averages(moments: ChannelMoments) -> tuple[Fraction, Fraction]:
    d = len(moments.weights)
    same = sum(row[x] for x, row in enumerate(moments.weights))
    return Fraction(same, d * RESOLUTION), Fraction(d * RESOLUTION - same, d * (d - 1) * RESOLUTION)


def _above(moments: ChannelMoments) -> tuple[Fraction, Fraction]:
    # Outputs are symmetric about the middle of the range.
    beyond = (len(moments.weights[0]) + 1) // 2
    low, high = (Fraction(sum(row[beyond:]), RESOLUTION) for row in (moments.weights[0], moments.weights[-1]))
    return high, low


def _positive(law: tuple[float, ...], low: int) -> Fraction:
    return Fraction(math.fsum(law[max(1 - low, 0) :]))


# Beliefs --------------------------------------------------------------------------------------------------------------


def factor(question: Drawn) -> Fraction:
    """Return the largest ratio of a report's chances under two answers, over all forms, rounded up slightly."""
    return power(mechanisms.of(question).realized().alpha)


def draw_factor(table: ListTable, counts: subsets.Counts) -> Fraction:
    """Return the exact largest ratio of the chances of a joint draw's report under two sets of answers. It bounds the
    ratio for two answers to one question. A report's factor is the product of its draws' factors."""
    lam = randomized_response.keep(table)
    return 1 + lam / (1 - lam) * subsets.rarity(counts, table["sizes"])


def power(alpha: float) -> Fraction:
    """Return e^alpha or slightly more, the largest factor by which a report with this alpha changes odds."""
    return Fraction(math.exp(alpha)) * _OUTWARD


def belief(prior: Fraction, factor: Fraction) -> Belief:
    """Return the range of a guess after a report that is at most `factor` times likelier for one answer than another.
    The chance before was `prior`."""
    return Belief(prior / (prior + (1 - prior) * factor), prior * factor / (prior * factor + 1 - prior))


def identification(factor: Fraction, n: int) -> Fraction:
    """Return a reader's largest chance of identifying one person's report among a form's n reports in random order,
    knowing all n people's answers. Reports change odds by at most `factor` (M39b)."""
    return factor**2 / (factor**2 + n - 1)


# Of 100 people --------------------------------------------------------------------------------------------------------


def of_hundred(chance: Fraction) -> int:
    """Return a chance as a number of 100 people, rounded."""
    return math.floor(100 * chance + Fraction(1, 2))


def outward(belief: Belief) -> tuple[int, int]:
    """Return a belief in hundredths, rounded outward so that it claims no more protection than there is."""
    return math.floor(100 * belief.low), math.ceil(100 * belief.high)
