"""The interface of a kind of question. All differences between kinds are behind it.

A `question` is a frozen definition's, with its texts; a `Drawn` one also has alpha, mechanism and table. Modules that
load large parts of scipy are imported inside functions, because the intake loads the kinds.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from ldp.document import QuestionResult
from ldp.question import Drawn, Question
from ldp.scores import ScoreMoments, Totals
from ldp.subsets import Options
from ldp.words import Uniform


class Size(NamedTuple):
    """A question's size: d categories, and a number of `items`. A report covers `sample` items; if forms differ,
    `sample` is their mean."""

    d: int
    items: int = 1
    sample: float = 1


class Numbers(NamedTuple):
    """The numbers for answers in a mean, in the order of the first categories. Each lies between two bounds, which
    differ only for bins. Later categories are not answers."""

    quantity: str
    unit: str
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True)
class Spread:
    """n times the variance of a share or mean: expected, and largest."""

    expected: float
    at_most: float


class Kind(Protocol):
    """A kind of question; FITTING lists its mechanisms. Shares are in 0..1; a mean is in units of its range."""

    @property
    def several(self) -> bool:
        """Return whether an answer can name any number of options."""

    # An answer becomes a report

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        """Return the answer as the mechanism's input. A mean needs the table of a `Drawn` question. ValueError names
        the rule, never the answer.

        It may take uniform integers before the mechanism does, always the same number of them.
        """

    def filler(self, question: Question) -> Any:
        """Return the filler (M34), in the form that `answer` takes: the answer randomized for people who are not asked.
        It is the last option; for a grid the last option for each item; for a multiple choice no option; for a ranking
        the order of its items; for a scale its lowest number or first step."""

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        """Return a random answer that `answer` takes, to put load on a site."""

    def parameters(self, question: Question) -> int:
        """Return how many numbers from 0 to 1 describe people's answers in a trial run: a share for each option, or a
        mean's place on its range."""

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Return random values of the numbers counted by `parameters`."""

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        """Return the answer of a person drawn from people with these numbers."""

    def true_shares(self, question: Question, shares: list[float]) -> list[float]:
        """Return the true values that are estimated for these people: each option's share, or a mean's place."""

    def filler_shares(self, question: Question, item: int) -> list[float]:
        """Return the true values of people who all give the filler; for a grid, for this item."""

    def numbers(self, question: Question) -> Numbers | None:
        """Return the numbers that answers count as; None if answers are not numbers."""

    # Totals become results

    def results(
        self, question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
    ) -> list[QuestionResult]:
        """Return the results of a tally over n >= 1 reports, one for each table and plot. Parts without a report are
        left out. The first confidence is the usual one. With `every_look` the intervals hold at all looks at the
        growing tally together."""

    # Planning, for the default scores of a mechanism (M19 to M23)

    def error(self, moments: ScoreMoments, d: int) -> float:
        """Return the error that compares mechanisms, at equal shares or for numbers spread evenly."""

    def least_error(self, alpha: float, d: int) -> float:
        """Return the lower bound of `error` over alpha-private mechanisms; 0 if none is known."""

    def together(self, size: Size, mirrored: bool) -> int:
        """Return how many intervals hold at once. Two `mirrored` ones (ldp/scores.py) count as one."""

    def answers(self, size: Size) -> int:
        """Return the number of answers that respondents choose from; 1 if no share is estimated."""

    def symbols(self, size: Size) -> Options | None:
        """Return the number of an answer's values in a joint draw (M44); Items for a list or grid (M9c); None if the
        kind cannot be in a joint draw."""

    def rarity(self, size: Size) -> float:
        """Return the number of reports for each report about a certain item, at least 1."""

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        """Return n times the variance of an estimate from n reports about it, expected and largest."""

    def noise(self, moments: ScoreMoments, d: int) -> float:
        """Return n times the expected variance of an estimate about exactly these n people; the population's if both
        targets have one published interval."""

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        """Return the least error of any alpha-private mechanism over this one's error; None if no bound is known."""

    def without_privacy(self, size: Size) -> Spread:
        """Return n times the variance without privacy."""

    def sensitivity(self, size: Size) -> int:
        """Return the sum of the changes that one answer makes to a trusted curator's published counts."""

    def bins(self, n: int, alpha: Fraction) -> dict[str, int] | None:
        """Return the best numbers of bins for n people, "advised" and "without_privacy" (M22); None for kinds without
        them."""
