"""What the questions of one form cost each other (M36): by one joint draw, or each with its own best mechanism.

A price is n times the variance of a question's shares (of a mean its own), n the form's number of reports.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ldp import numeric
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.mechanisms import MARGINAL, MECHANISMS, randomized_response
from ldp.planning import budget
from ldp.planning.candidates import PlannedQuestion, about_respondents, candidate
from ldp.planning.outlook import quantile
from ldp.scores import Target

CONFIDENCE = 0.95


class Wanted(NamedTuple):
    """A question with what matters of it: its importance among others, or how narrow its intervals shall be."""

    asked: PlannedQuestion
    importance: float = 1.0
    wished: float | None = None


class Price(NamedTuple):
    """`variance` is n times that of an estimate, at equal shares or numbers spread evenly, `respondents` the same about
    exactly those who took part; `addition` n times what the published interval adds to each side of a normal one;
    `together` intervals hold at once."""

    variance: float
    respondents: float
    addition: float
    together: int

    def half_width(self, n: float, target: Target = "population") -> float:
        """For n reports, of the intervals that hold at once."""
        z = quantile(CONFIDENCE, self.together)
        variance = self.respondents if target == "respondents" else self.variance
        return z * math.sqrt(variance / n) + self.addition / n


@dataclass(frozen=True)
class Way:
    """One way to ask the questions of a form. `alphas`: one for all if joint, else one for each."""

    joint: bool
    alphas: tuple[Fraction, ...]
    prices: tuple[Price, ...]


def ways(questions: Sequence[PlannedQuestion], alpha: Fraction) -> Iterator[Way]:
    """All ways that there are for these questions under this alpha together. A single question is its own best one."""
    # Parts may be smaller than any alpha, and not everything can be joint.
    with suppress(ValueError):
        yield separate(questions, budget.equal(alpha, len(questions)))
    if len(questions) > 1:
        with suppress(ValueError):
            yield together(questions, alpha)


def separate(questions: Sequence[PlannedQuestion], alphas: Sequence[Fraction]) -> Way:
    """Each with its own mechanism and alpha, as questions are today. ValueError where a mechanism does not take its."""
    prices = (_single_price(question, alpha) for question, alpha in zip(questions, alphas, strict=True))
    return Way(False, tuple(alphas), tuple(prices))


def together(questions: Sequence[PlannedQuestion], alpha: Fraction) -> Way:
    """By one draw, with its best sizes. ValueError says why there is none."""
    # A mechanism that is named, or has a delta, is wanted for itself.
    if any(question.mechanism or question.delta for question in questions):
        raise ValueError("must leave the mechanism of a joint form's questions open")
    sizes = [d for question in questions if (d := KINDS[question.kind].symbols(question.size)) is not None]
    if len(sizes) < len(questions):
        raise ValueError("must have questions with one answer only: lists and grids have draws of their own")
    table = randomized_response.table(alpha, sizes)
    each = zip(questions, table["sizes"], strict=True)
    return Way(True, (alpha,), tuple(_marginal(one.kind, one.size, table["keep"], listed) for one, listed in each))


@lru_cache(maxsize=1 << 14)
def _single_price(question: PlannedQuestion, alpha: Fraction) -> Price:
    own = candidate(question, alpha)
    return Price(own.spread.expected, own.respondents, own.addition, own.together)


@lru_cache(maxsize=1 << 14)
def _marginal(kind: str, size: Size, keep: int, listed: int) -> Price:
    """The price of a question whose draw keeps with this chance, times 2^53, and lists so many of its options."""
    its = KINDS[kind]
    d = its.symbols(size)
    assert d is not None
    mechanism = MECHANISMS[MARGINAL[kind]]
    moments = next(iter(mechanism.moments({"keep": keep, "sizes": [listed]}, d).values()))
    return Price(
        its.spread(moments, size.d).expected,
        about_respondents(its, moments, size),
        numeric.addition(moments),
        its.together(size, d == 2),
    )
