"""The channel of a draw with lists and grids among its questions (M9c), in fractions."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from ldp.subsets import Options
from tests.support.stated_channels import Channel, product_subsets


def people(counts: Sequence[Options]) -> list[list[Any]]:
    """Return all combinations of answers of one person. A list or grid has an answer for each item."""
    each: list[Any] = [
        range(options) if isinstance(options, int) else list(product(range(options.d), repeat=options.items))
        for options in counts
    ]
    return [list(answers) for answers in product(*each)]


def flat(counts: Sequence[Options], sizes: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Return the number of options and the list size of every randomized answer."""
    each = [
        [(options, size)] if isinstance(options, int) else [(options.d, size[1])] * size[0]
        for options, size in zip(counts, sizes, strict=True)
    ]
    pairs = [pair for own in each for pair in own]
    return [d for d, _ in pairs], [a for _, a in pairs]


def stated(counts: Sequence[Options], sizes: Sequence[Any], keep: int, resolution: int) -> Channel:
    """Return the stated law (M9c): items are drawn evenly, and M44 randomizes the drawn items."""
    every, own = flat(counts, sizes)
    rows = product_subsets(every, {"keep": keep, "sizes": own}, resolution)
    by_answers = dict(zip(product(*map(range, every)), rows, strict=True))
    drawn: list[list[Any]] = [
        [None] if isinstance(options, int) else list(combinations(range(options.items), size[0]))
        for options, size in zip(counts, sizes, strict=True)
    ]
    chance = Fraction(1, prod(map(len, drawn)))

    def law(answers: Any) -> dict[Any, Fraction]:
        made: Counter[Any] = Counter()
        for items in product(*drawn):
            given = [
                x
                for answer, own in zip(answers, items, strict=True)
                for x in ([answer] if own is None else [answer[item] for item in own])
            ]
            for lists, share in by_answers[tuple(given)].items():
                made[_grouped(items, lists)] += chance * share
        return dict(made)

    return [law(answers) for answers in people(counts)]


def _grouped(items: Any, lists: Any) -> tuple[Any, ...]:
    left, made = list(lists), list[Any]()
    for own in items:
        made.append(left.pop(0) if own is None else tuple((item, left.pop(0)) for item in own))
    return tuple(made)
