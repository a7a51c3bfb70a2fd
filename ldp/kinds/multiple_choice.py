"""Any number of options: each is an item, and a report covers a few of them (M9)."""

import random
from typing import Any, cast

from ldp import bounds
from ldp.document import Category, QuestionResult
from ldp.kinds.options import OptionKind, are_positions, is_list
from ldp.kinds.protocol import Kind, Size, Spread
from ldp.mechanisms import of
from ldp.question import Drawn, Question
from ldp.scores import ScoreMoments, Totals
from ldp.words import Uniform


class MultipleChoice(OptionKind):
    """An answer is a list of booleans, one for each option. Planning looks at one option, expected at one half."""

    several: bool = True

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        d = len(question["options"])
        if not is_list(answer, d) or any(type(one) is not bool for one in answer):
            raise ValueError(f"a list of {d} booleans is needed")
        return answer

    def filler(self, question: Question) -> Any:
        d, filler = len(question["options"]), cast(list[int], question["filler"])
        if not are_positions(filler, d):
            raise ValueError(f"a list of whole numbers from 0 to {d - 1} is needed, each greater than the one before")
        return [option in filler for option in range(d)]

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        return [chance.random() < 0.3 for _ in question["options"]]

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Any share for each option."""
        return [chance.random() for _ in question["options"]]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        return [chance.random() < share for share in shares]

    def filler_shares(self, question: Question, item: int) -> list[float]:
        return [float(one) for one in self.answer(question, self.filler(question), lambda: 0)]

    def results(
        self, question: Drawn, totals: Totals, n: int, confidence: float, every_look: bool = False
    ) -> list[QuestionResult]:
        """One, of the options that a report drew, each over the reports that did."""
        from ldp.inference import summaries

        randomizer, drawn = of(question), totals["drawn"]
        (name, moments), d = randomizer.default(), randomizer.d
        levels = summaries.Levels(confidence, d)

        def category(j: int, option: str) -> Category:
            part = drawn[j] < n
            own, n_about = [totals[name][j]], drawn[j]
            [only] = summaries.categories([option], own, n_about, moments, levels, part, every_look)
            return {**only, "n_about": drawn[j]}

        categories = [category(j, option) for j, option in enumerate(question["options"]) if drawn[j]]
        options = [category["option"] for category in categories]
        methods = [summaries.unbounded(name, categories)]
        return [summaries.result(question, (d, n, d), confidence, None, methods, options=options)]

    def together(self, size: Size, mirrored: bool) -> int:
        """Two options have separate reports."""
        return size.d

    def answers(self, size: Size) -> int:
        """An option applies or not."""
        return 2

    def symbols(self, size: Size) -> int | None:
        """A report is about the items that it drew, so its answers have no number of their own."""
        return None

    def rarity(self, size: Size) -> float:
        return size.d / size.sample

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        return Spread(bounds.widest(moments), bounds.widest(moments))

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        return None

    def without_privacy(self, size: Size) -> Spread:
        return Spread(1 / 4, 1 / 4)

    def sensitivity(self, size: Size) -> int:
        return size.d


KIND: Kind = MultipleChoice()
