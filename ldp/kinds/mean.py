"""A number, averaged (M8)."""

import random
from fractions import Fraction
from typing import Any

from ldp import bounds, numeric
from ldp.document import QuestionResult
from ldp.kinds.protocol import Question, Size
from ldp.planning.outlook import Spread
from ldp.scores import ChannelMoments, ScoreMoments, Totals
from ldp.words import Uniform


class Mean:
    """An answer is a decimal string. There are no categories; the one estimate is a number in the range."""

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> int:
        """The grid point that the number is rounded to, by one uniform integer."""
        return numeric.rounded(answer, question["low"], question["high"], numeric.steps(question["table"]), uniform)

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        return f"{chance.uniform(float(question['low']), float(question['high'])):.3f}"

    def results(self, question: Question, totals: Totals, n: int, confidence: float) -> list[QuestionResult]:
        from ldp.inference import summaries

        return [summaries.mean(question, totals, n, confidence)]

    def error(self, moments: ScoreMoments, d: int) -> float:
        """The half-width of the published interval: honest intervals of different kinds are compared by it."""
        return numeric.half_width(moments)

    def together(self, size: Size) -> int:
        return 1

    def answers(self, size: Size) -> int:
        return 1

    def rarity(self, size: Size) -> float:
        return 1.0

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        if isinstance(moments, ChannelMoments):
            return Spread(numeric.planned_variance(moments), float(max(numeric.noise(moments))) + 1 / 4)
        return Spread(numeric.planned_variance(moments), bounds.widest(moments))

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        """Numbers at the two ends only are a question with two categories: its bound holds for the worst numbers."""
        return bounds.sharp_constant(alpha, 2) / 2 / spread.at_most

    def without_privacy(self, size: Size) -> Spread:
        return Spread(1 / 12, 1 / 4)

    def sensitivity(self, size: Size) -> int:
        return 1

    def bins(self, n: int, alpha: Fraction) -> dict[str, int] | None:
        return None
