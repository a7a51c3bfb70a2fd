"""Shares corrected for inattentive respondents (M42).

Everyone knows the right answer to an attention question. Suppose inattentive people give every answer to a question
equally often. Let gamma be the share of attentive people. The share of the right one of d_a answers is a = gamma + (1 -
gamma)/d_a. An answer of another question with d answers has the share tau = gamma theta + (1 - gamma)/d, where theta is
its share among attentive people. So

    gamma = c (a - 1/d_a)    with c = d_a/(d_a - 1)
    theta = 1/d + (tau - 1/d)/gamma

and the mean of a report's (phi_j - 1/d) - s c (phi_right - 1/d_a) is exactly 0 at s = theta - 1/d, however the two
answers depend on each other: a quotient of means (ldp/inference/unseen_batch.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ldp.arrays import Values
from ldp.forms.crossed import Crossed
from ldp.inference import intervals
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.intervals import Interval
from ldp.inference.unseen_batch import quotients
from ldp.inference.variables import NotComputed, Variable
from ldp.planning.outlook import quantile
from ldp.question import Question
from ldp.weighting.margin import needed


class NotCorrected(NotComputed):
    """An attention question that cannot correct this question."""

    reasons: ClassVar = {
        "no anchor": "the first of the two must be an attention question: one with a right answer",
        "some asked": "only some people were asked one of these, and the others' reports have made-up answers",
        "typed": "people type a number or a date here, and no one knows what inattentive people would type",
        "shown": "an order is shown from the beginning, and no one knows how inattentive people would change it",
    }


class TooInattentive(ValueError):
    """Attention is not certain. About `needed` reports about both questions would be enough."""

    def __init__(self, needed: int) -> None:
        super().__init__(
            f"too few reports show attention to correct anything by it: about {needed:,} would be enough if as many "
            "gave the right answer"
        )
        self.needed = needed


def is_anchor(question: Question) -> bool:
    return "right" in question


def check(anchor: Variable, other: Variable) -> None:
    """Raise NotCorrected if the anchor cannot correct the other variable."""
    if not is_anchor(anchor.question):
        raise NotCorrected("no anchor")
    if any("asked_if" in each.question for each in (anchor, other)):
        raise NotCorrected("some asked")
    if {"edges", "dates"} & other.question.keys():
        raise NotCorrected("typed")
    if "ranked" in other.question:
        raise NotCorrected("shown")


def corrects(anchor: Variable, other: Variable) -> bool:
    try:
        check(anchor, other)
    except NotCorrected:
        return False
    return True


def correcting(pair: tuple[Variable, Variable]) -> list[tuple[Variable, Variable]]:
    """Return the ordered pairs (anchor, other) in which the first variable corrects the second; possibly none."""
    return [(one, other) for one, other in (pair, pair[::-1]) if corrects(one, other)]


@dataclass(frozen=True)
class Corrected:
    """The shares of a crossing's second variable, corrected by the right answer to the first one. They are in the order
    of categories, for a population."""

    crossing: Crossed

    def __post_init__(self) -> None:
        check(self.crossing.first, self.crossing.second)
        share, error = self.attention
        if not share > SUBGROUP_ERRORS_MIN * error:
            raise TooInattentive(needed(share, error, self.n))

    @property
    def n(self) -> int:
        return self.crossing.n

    @property
    def right(self) -> int:
        return self.crossing.first.question["right"]

    @property
    def attention(self) -> tuple[float, float]:
        """The share gamma of attentive people and its standard error, over the reports about both."""
        shares, errors = self.crossing.margins[0]
        d = self.crossing.shape[0]
        return attention(float(shares[self.right]), d), d / (d - 1) * float(errors[self.right])

    @property
    def uncorrected(self) -> tuple[Values, Values]:
        return self.crossing.margins[1]

    @cached_property
    def scores(self) -> tuple[Values, Values, Values]:
        """For each category the values of phi_j - 1/d and of c (phi_right - 1/d_a), and how often they came together,
        each (d, v). Pooled cells multiply the values by the forms' weights."""
        (da, d), scores = self.crossing.shape, self.crossing.scores
        _, right, each, unit, came = (own[self.right * d : (self.right + 1) * d] for own in scores)
        return each - unit / d, da / (da - 1) * (right - unit / da), came

    @cached_property
    def estimates(self) -> Values:
        d = self.crossing.shape[1]
        return np.asarray(1 / d + (self.uncorrected[0] - 1 / d) / self.attention[0])

    @cached_property
    def standard_errors(self) -> Values:
        """The corrected shares' errors, (d,): delta method on the observed squares of the interval's scores."""
        over, under, came = self.scores
        s, whole = self.estimates - 1 / len(over), float(self.crossing.scores.unit[0] @ self.crossing.scores.came[0])
        return np.asarray(np.sqrt(((over - s[:, None] * under) ** 2 * came).sum(axis=1)) / whole / self.attention[0])

    def intervals(self, confidence: float) -> Values:
        """Return the interval of each corrected share alone, (d, 2). All hold at once at
        intervals.bonferroni(confidence, d)."""
        low, high, solutions = quotients(*self.scores, (1 - confidence) / 2)
        middle = 1 / len(solutions)
        return intervals.clipped_each(low + middle, high + middle, solutions + middle)


def attention(share: float, d: int) -> float:
    """Return the share of attentive people from the share of the right one of d answers; it may be below 0 or above
    1."""
    return (share - 1 / d) / (1 - 1 / d)


def attention_interval(share: Interval, d: int) -> Interval:
    """Return the interval of the share of attentive people, from an interval for the share of right answers."""
    return intervals.cut(*(attention(end, d) for end in share))


# Planned width of a corrected share (M42) -----------------------------------------------------------------------------

# Default share of attentive people.
USUAL = 0.85


def law(anchor: Variable, shares: Sequence[float], attentive: float) -> Values:
    """Return shares of the combinations of answers, (d_a, d). Attentive people have the other question's `shares`,
    others give each answer equally often."""
    d = len(anchor.options)
    chances = np.full((d, len(shares)), (1 - attentive) / (d * len(shares)))
    chances[anchor.question["right"]] += attentive * np.asarray(shares)
    return chances


def half_width(crossing: Crossed, n: int, confidence: float, j: int = 0) -> float:
    """Return half the width of the interval of category j's corrected share alone, for n reports like these, by normal
    approximation, not cut. TooInattentive if too few people pay attention."""
    of = Corrected(crossing)
    share, error = of.attention
    fewer = math.sqrt(crossing.n / n)
    if not share > SUBGROUP_ERRORS_MIN * error * fewer:
        raise TooInattentive(needed(share, error, crossing.n))
    return float(quantile(confidence) * of.standard_errors[j] * fewer)


def uncorrected_half_width(crossing: Crossed, n: int, confidence: float, j: int = 0) -> float:
    """Return half the width of the interval of the uncorrected share, for n reports like these."""
    return float(quantile(confidence) * crossing.margins[1][1][j] * math.sqrt(crossing.n / n))
