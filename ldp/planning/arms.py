"""The number of people that shows a difference between two versions of a question, each asked of a random part (M42b).

The answer has the share theta_1 with the first version and theta_2 with the second. The n w_1 and n w_2 reports are
independent, so n times the variance of the difference is V_1/w_1 + V_2/w_2. V_k is the variance of one report under
version k's mechanism and alpha. Two questions with rarer reports have the same variance (M33d).
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ldp.inference.reading.quantiles import SPENT
from ldp.inference.tallied import Tallied
from ldp.kinds import KINDS
from ldp.mechanisms import of
from ldp.planning import share_comparisons
from ldp.planning.candidates import size_of
from ldp.planning.share_comparisons import ComparisonDesign
from ldp.question import Drawn, about_item

MIDDLE = 0.5  # the share with the largest variance


class Arm(NamedTuple):
    """A version with its draw, and the chance that a person is asked it."""

    question: Drawn
    chance: Fraction


def design(one: Arm, other: Arm, share: float = MIDDLE) -> ComparisonDesign | None:
    """Return the design for the shares of one option, half of the difference on each side of `share`; n counts all
    people. A mean's share is its place on the scale. None for means unless their noise is one bit's."""
    planned = row(one), row(other)
    if any(tallied.d == 1 and tallied.counted for tallied, _place, _rarity in planned):
        return None
    return share_comparisons.of_two(*planned, share)


def comparisons(arms: Sequence[Arm]) -> int:
    """Return the number of differences: for each pair of versions, one for each share of each item. Two mirrored
    answers have one."""
    question = arms[0].question
    mirrored = all(row(arm)[0].mirrored for arm in arms)
    return math.comb(len(arms), 2) * KINDS[question["kind"]].together(size_of(question), mirrored)


class Power(NamedTuple):
    """`people` show a difference with the wanted chance, None if no number does. n people show it with `chance`."""

    people: int | None
    chance: float


def power(
    arms: Sequence[Arm], difference: float, level: float, wanted: float, n: int, reached: float = 1.0
) -> Power | None:
    """Return the power for the two versions whose difference is hardest to show, if all comparisons together err with a
    chance of at most `level`; None if some power is unknown. If only the fraction `reached` is asked, because of other
    answers, the difference is among these people; among all people it is `reached` times as large."""
    designs = [design(*pair) for pair in itertools.combinations(arms, 2)]
    each, known = level / comparisons(arms), [one for one in designs if one is not None]
    if len(known) < len(designs):
        return None
    # The interval of this fraction takes some of the error chance (M34d).
    left, whole = each * (1.0 if reached == 1 else 1 - SPENT), difference * reached
    people = [share_comparisons.needed(one, whole, left, wanted) for one in known]
    chance = min(share_comparisons.power(one, whole, left, n) for one in known)
    return Power(None if None in people else max(filter(None, people)), chance)


def row(arm: Arm) -> tuple[Tallied, int, float]:
    """Return a tally of one report, the position of an option, and the number of people for each report about it."""
    question, randomizer = arm.question, of(about_item(arm.question, 0))
    name, moments = randomizer.default()
    pair = randomizer.pairs().get(name)
    rarity = KINDS[question["kind"]].rarity(size_of(question))
    return Tallied(moments, pair, [0] * (1 if pair is None else randomizer.d), 1), 0, float(rarity / arm.chance)
