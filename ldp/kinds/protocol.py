"""The interface of a kind of question: everything that differs between kinds is behind it.

A `question` is one of a definition, frozen: a `Question`, with its texts, alpha, mechanism and table. Modules with
numpy are imported where they are called, because the intake loads the kinds and starts fast without it.
"""

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from ldp.document import QuestionResult
from ldp.question import Drawn, Question
from ldp.scores import ScoreMoments, Totals
from ldp.words import Uniform


class Size(NamedTuple):
    """A question's size: d categories, of `items` items; a report covers `sample` of them."""

    d: int
    items: int = 1
    sample: int = 1


class Numbers(NamedTuple):
    """What answers count as in a mean, in the order of the first categories: each between two bounds, which are the
    same but for bins. Categories behind these are no answers."""

    quantity: str
    unit: str
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True)
class Spread:
    """n times the variance of a share or mean, expected and at most."""

    expected: float
    at_most: float


class Kind(Protocol):
    """ldp.mechanisms.FITTING has the fitting mechanisms. Shares lie in 0..1; a mean is in units of its range."""

    @property
    def several(self) -> bool:
        """Whether an answer is any number of the options, which do not exclude each other."""

    # An answer becomes a report

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        """The answer as input of the question's mechanism; for a mean by the table of a `Drawn` question. ValueError
        says what is needed, never what was given.

        Uniform integers may be taken before the mechanism takes its own, always the same number of them.
        """

    def filler(self, question: Question) -> Any:
        """The filler (M34), as `answer` takes it, from the question's field `filler`, for people who are not asked: the
        index of an option; for a multiple choice a list of the indices that apply, increasing; for a grid an index for
        each item; for a ranking the positions of its items, the first one first; a decimal string where a number is
        asked for. ValueError says what is needed."""

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        """Some answer that `answer` takes, to put load on a site."""

    def parameters(self, question: Question) -> int:
        """How many numbers from 0 to 1 say what people answer: a share for each option, of a mean where it lies."""

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Some of these numbers, for a trial run without stated answers."""

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        """The answer of a person drawn from people with these shares, for a trial run."""

    def true_shares(self, question: Question, shares: list[float]) -> list[float]:
        """The true values of these people: the share of each option, or a mean's place."""

    def filler_shares(self, question: Question, item: int) -> list[float]:
        """The true values of people who all give the filler; for a grid, of its item."""

    def numbers(self, question: Question) -> Numbers | None:
        """None where answers are no numbers."""

    # Totals become results

    def results(
        self, question: Drawn, totals: Totals, n: int, confidence: float, every_look: bool = False
    ) -> list[QuestionResult]:
        """The results of a tally over n >= 1 reports: one for each table and plot. Parts without a report are left out.
        With `every_look` the intervals hold at all looks at the growing tally together."""

    # What to expect before anybody answers, for the default scores of a mechanism (M19 to M23)

    def error(self, moments: ScoreMoments, d: int) -> float:
        """The error that the most precise mechanism minimizes, at equal shares or numbers spread evenly."""

    def least_error(self, alpha: float, d: int) -> float:
        """The lower bound of this error for every alpha-private mechanism; 0 where none is known."""

    def together(self, size: Size, mirrored: bool) -> int:
        """How many intervals hold at once. Two that are `mirrored` (ldp/scores.py) are one."""

    def answers(self, size: Size) -> int:
        """Among how many answers the respondents are shared out; 1 where no share is asked for."""

    def symbols(self, size: Size) -> int | None:
        """The number of an answer's values in a joint form (M34b); None where the kind cannot be in one."""

    def rarity(self, size: Size) -> float:
        """How many reports come for each that is about a given item, at least 1."""

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        """n times the variance of an estimate from n reports about it, as expected and at most."""

    def noise(self, moments: ScoreMoments, d: int) -> float:
        """n times the expected variance of an estimate about exactly the n people with such a report, as far as their
        published interval is narrower than a population's."""

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        """The least error of any alpha-private mechanism over that of this one; None where no bound is known."""

    def without_privacy(self, size: Size) -> Spread:
        """n times the variance where answers are given as they are."""

    def sensitivity(self, size: Size) -> int:
        """By how much one answer changes the counts that a trusted curator would publish, added up."""

    def bins(self, n: int, alpha: Fraction) -> dict[str, int] | None:
        """How many bins are best for n people, "advised" and "without_privacy" (M22); None where there are none."""
