"""An order of several items. Each pair is a statement. A report covers the pairs of its drawn items (M9b)."""

import random
from math import comb
from typing import Any

from ldp.kinds.multiple_choice import MultipleChoice
from ldp.kinds.options import is_index
from ldp.kinds.protocol import Kind, Size
from ldp.mechanisms.ranking import entry_pairs
from ldp.question import Question
from ldp.words import Uniform

BEFORE = " > "


class Ranking(MultipleChoice):
    """An answer lists the items' positions in the person's order. The options are the statements "one item is before
    another"; the item that is earlier in the question is named first."""

    several: bool = False

    def symbols(self, size: Size) -> None:
        """Return None: all statements are about one order, so the kind cannot be in a joint draw."""

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> Any:
        """Return which of the statements hold."""
        k = len(question["ranked"])
        if not is_order(answer, k):
            raise ValueError(f"a list of the whole numbers from 0 to {k - 1} in some order is needed")
        return [answer.index(one) < answer.index(other) for one, other in entry_pairs(k)]

    def filler(self, question: Question) -> Any:
        return list(range(len(question["ranked"])))

    def random_answer(self, question: Question, chance: random.Random) -> list[int]:
        return self.invented_answer(question, self.invented_shares(question, chance), chance)

    def parameters(self, question: Question) -> int:
        """Return the number of items. Each has a share of people who put it first."""
        return len(question["ranked"])

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        parts = [chance.expovariate(1) for _ in question["ranked"]]
        return [part / sum(parts) for part in parts]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> list[int]:
        """Return an order drawn item by item, each with its share among the remaining ones (Plackett 1975, Luce 1959).
        Items without a share come last, in random order."""
        left = list(range(len(shares)))
        chance.shuffle(left)
        order = []
        while left:
            weights = [shares[item] for item in left]
            [item] = chance.choices(left, weights) if any(weights) else left[:1]
            left.remove(item)
            order.append(item)
        return order

    def true_shares(self, question: Question, shares: list[float]) -> list[float]:
        """Return, for each statement, its first item's part of both items' shares; one half if both are 0."""
        both = ((shares[one], shares[one] + shares[other]) for one, other in entry_pairs(len(shares)))
        return [own / together if together else 1 / 2 for own, together in both]

    def rarity(self, size: Size) -> float:
        # A report is about all pairs of the items that it drew.
        return size.d / comb(int(size.sample), 2)


def is_order(value: object, k: int) -> bool:
    """Return whether a value is a list of all whole numbers from 0 to k - 1."""
    return isinstance(value, list) and all(is_index(one, k) for one in value) and sorted(value) == list(range(k))


def statements(items: list[str]) -> list[str]:
    return [f"{items[one]}{BEFORE}{items[other]}" for one, other in entry_pairs(len(items))]


KIND: Kind = Ranking()
