"""Several items with one list of options. A report is about a few of the items (M9)."""

import random
from collections.abc import Sequence
from typing import Any

from ldp.document import QuestionResult
from ldp.kinds.options import OptionKind, is_index, is_list
from ldp.kinds.protocol import Kind, Size, Spread
from ldp.mechanisms import of
from ldp.question import Drawn, Question, about_item
from ldp.scores import ScoreMoments, Totals
from ldp.subsets import Items, Options
from ldp.words import Uniform


class Grid(OptionKind):
    """An answer is a list of indices, one for each item."""

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        d, items = len(question["options"]), len(question["items"])
        if not is_list(answer, items) or not all(is_index(one, d) for one in answer):
            raise ValueError(f"a list of {items} categories from 0 to {d - 1} is needed")
        return answer

    def filler(self, question: Question) -> Any:
        return [super().filler(question)] * len(question["items"])

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        return [chance.randrange(len(question["options"])) for _ in question["items"]]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        """Return an answer with the same shares for every item."""
        return chance.choices(range(len(shares)), shares, k=len(question["items"]))

    def filler_shares(self, question: Question, item: int) -> list[float]:
        return [float(option == self.filler(question)[item]) for option in range(len(question["options"]))]

    def results(
        self, question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
    ) -> list[QuestionResult]:
        """Return a result for each item that a report drew. Simultaneous intervals hold for all items, drawn or not."""
        from ldp.inference import items, summaries

        randomizer, [(name, every)] = of(question), totals.items()
        d, options = randomizer.d, question["options"]
        together = self.together(Size(d, len(question["items"])), randomizer.mirrored)
        levels, results = summaries.levels_of(confidences, together), []
        for i, (item, drawn) in enumerate(zip(question["items"], items.drawn(question, totals), strict=True)):
            if drawn:
                counts, (moments, _pair) = every[i * d : (i + 1) * d], items.law(question, i)
                categories = summaries.categories(options, counts, drawn, moments, levels, drawn < n, every_look)
                methods = [summaries.method(name, moments, categories, drawn, None)]
                texts = {"key": f"{question['key']}.{i + 1}", "text": f"{question['text']} — {item}"}
                own = about_item(question, i)
                results.append(summaries.result(own, (d, drawn, together), None, methods, **texts))
        return results

    def together(self, size: Size, mirrored: bool) -> int:
        return super().together(size, mirrored) * size.items

    def symbols(self, size: Size) -> Options | None:
        return Items(size.items, size.d)

    def rarity(self, size: Size) -> float:
        return size.items / size.sample

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        return None

    def sensitivity(self, size: Size) -> int:
        return super().sensitivity(size) * size.items


KIND: Kind = Grid()
