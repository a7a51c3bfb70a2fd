"""Any number of options. Each is an item, and a report is about a few of them (M9)."""

import random
from collections.abc import Sequence
from typing import Any

from ldp import bounds
from ldp.document import Category, QuestionResult
from ldp.kinds.options import OptionKind, is_list
from ldp.kinds.protocol import Kind, Size, Spread
from ldp.mechanisms import of
from ldp.question import Drawn, Question
from ldp.scores import ScoreMoments, Totals
from ldp.subsets import Items, Options
from ldp.words import Uniform


class MultipleChoice(OptionKind):
    """An answer is a list of booleans, one for each option. Planning is for one option, with an expected share of
    1/2."""

    several: bool = True

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        d = len(question["options"])
        if not is_list(answer, d) or any(type(one) is not bool for one in answer):
            raise ValueError(f"a list of {d} booleans is needed")
        return answer

    def filler(self, question: Question) -> Any:
        return [False] * len(question["options"])

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        return [chance.random() < 0.3 for _ in question["options"]]

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Return a random share for each option."""
        return [chance.random() for _ in question["options"]]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        return [chance.random() < share for share in shares]

    def filler_shares(self, question: Question, item: int) -> list[float]:
        return [float(one) for one in self.answer(question, self.filler(question), lambda: 0)]

    def results(
        self, question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
    ) -> list[QuestionResult]:
        """Return one result with the options that were drawn, each over the reports that drew it."""
        from ldp.inference import items, summaries

        randomizer, drawn = of(question), totals["drawn"]
        name, d = randomizer.method, randomizer.d
        levels = summaries.levels_of(confidences, d)

        def category(j: int, option: str) -> Category:
            part = drawn[j] < n
            (moments, _pair), own, n_about = items.law(question, j), [totals[name][j]], drawn[j]
            [only] = summaries.categories([option], own, n_about, moments, levels, part, every_look)
            return {**only, "n_about": drawn[j]}

        categories = [category(j, option) for j, option in enumerate(question["options"]) if drawn[j]]
        options = [category["option"] for category in categories]
        methods = [summaries.unbounded(name, categories)]
        return [summaries.result(question, (d, n, d), None, methods, options=options)]

    def together(self, size: Size, mirrored: bool) -> int:
        return size.d  # options have separate reports

    def answers(self, size: Size) -> int:
        return 2  # an option applies or not

    def symbols(self, size: Size) -> Options | None:
        return Items(size.d, 2)

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
