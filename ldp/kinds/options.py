"""One of d options: the base of kinds whose answer is the index of a category."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ldp import bounds
from ldp.document import QuestionResult
from ldp.kinds.protocol import Numbers, Size, Spread
from ldp.question import Drawn, Question
from ldp.scores import ChannelMoments, ScoreMoments, Totals
from ldp.subsets import Options
from ldp.words import Uniform


class OptionKind:
    """An answer is the index of a category. Planning is for one share; the expected case is equal shares."""

    several: bool = False

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        d = len(question["options"])
        if not is_index(answer, d):
            raise ValueError(f"a category from 0 to {d - 1} is needed")
        return int(answer)

    def filler(self, question: Question) -> Any:
        return len(question["options"]) - 1

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        return chance.randrange(len(question["options"]))

    def parameters(self, question: Question) -> int:
        return len(question["options"])

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Return random shares, uniform on the simplex."""
        parts = [chance.expovariate(1) for _ in question["options"]]
        return [part / sum(parts) for part in parts]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        return chance.choices(range(len(shares)), shares)[0]

    def true_shares(self, question: Question, shares: list[float]) -> list[float]:
        return shares

    def filler_shares(self, question: Question, item: int) -> list[float]:
        return [float(option == self.filler(question)) for option in range(len(question["options"]))]

    def numbers(self, question: Question) -> Numbers | None:
        return None

    def results(
        self, question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
    ) -> list[QuestionResult]:
        from ldp.inference import summaries

        return [summaries.shares(question, totals, n, confidences, every_look)]

    def error(self, moments: ScoreMoments, d: int) -> float:
        """Return n times the total squared error at equal shares."""
        return bounds.uniform_risk(moments, d)

    def least_error(self, alpha: float, d: int) -> float:
        return bounds.sharp_constant(alpha, d)

    def together(self, size: Size, mirrored: bool) -> int:
        return 1 if mirrored else size.d

    def answers(self, size: Size) -> int:
        return size.d

    def symbols(self, size: Size) -> Options | None:
        return size.d

    def rarity(self, size: Size) -> float:
        return 1.0

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        return Spread(bounds.uniform_risk(moments, d) / d, bounds.widest(moments))

    def noise(self, moments: ScoreMoments, d: int) -> float:
        # Inverted channels have one interval for both targets (ldp/inference/published.py).
        expected = self.spread(moments, d).expected
        return expected if isinstance(moments, ChannelMoments) else expected - self.without_privacy(Size(d)).expected

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        return bounds.efficiency(moments, alpha, d)

    def without_privacy(self, size: Size) -> Spread:
        return Spread((1 - 1 / size.d) / size.d if size.d else 0.0, 1 / 4)

    def sensitivity(self, size: Size) -> int:
        return 1 if size.d == 2 else 2  # two shares are one number

    def bins(self, n: int, alpha: Fraction) -> dict[str, int] | None:
        return None


def is_index(value: object, d: int) -> bool:
    return type(value) is int and 0 <= value < d


def is_list(value: object, length: int) -> bool:
    return isinstance(value, list) and len(value) == length
