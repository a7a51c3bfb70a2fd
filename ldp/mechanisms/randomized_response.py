"""Randomized response on product subsets (M44): the answers of one draw, to one question or to several.

A report lists a_j of the d_j options of each question. With the chance keep/2^53 the lists are a uniform product set
that contains all answers, otherwise a uniform product set. Every D-th product set contains given answers, D being the
product of d_j/a_j, so no report is more than 1 + keep D / (2^53 - keep) times likelier for some answers than for
others: one certificate for all draws. Of one question, a = 1 is Warner's (1965) and k-ary randomized response (M2),
a > 1 subset selection (M4; Ye and Barg 2018; Wang et al. 2016); of several with a = 1, randomized response on the
combinations of answers (M34b).

In the place of d in the protocol of mechanisms stands d, a whole number, for a draw of one question, or a sequence of
d_1 ... d_s for a draw of several; what is said of each question then stands in a list.
Table: {"keep": t, "sizes": [a_1 ... a_s]}. Report of a question: its a options, increasing.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from ldp import exact
from ldp import packing as packings
from ldp.exact import ListTable
from ldp.packing import Packing
from ldp.scores import EXCLUSIVE, PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()

Sizes = Sequence[int]

# The tally of a draw of several questions counts every combination of answers.
CELLS_MAX = 4096

# Two sums of variances that differ by less are compared as fractions.
_ALIKE = 1e-9


def counts_of(d: int | Sizes) -> tuple[int, ...]:
    """How many options each question of a draw has."""
    return (d,) if isinstance(d, int) else tuple(d)


def cells(d: int | Sizes) -> int:
    """The number of combinations of answers. ValueError names the rule that no draw may break."""
    counts = counts_of(d)
    if not counts or min(counts) < 2:
        raise ValueError("must be about one question or more, each with two answers or more")
    if len(counts) > 1 and math.prod(counts) > CELLS_MAX:
        raise ValueError(f"takes at most {CELLS_MAX} combinations of answers")
    return math.prod(counts)


def rarity(counts: Sizes, sizes: Sizes) -> Fraction:
    """D: every D-th product set contains given answers."""
    return Fraction(math.prod(counts), math.prod(sizes))


def table(alpha: Fraction, d: int | Sizes, size: int | Sizes | None = None) -> ListTable:
    """With the sizes that are named, or else the `best_sizes`."""
    cells(d)
    counts = counts_of(d)
    sizes = best_sizes(alpha, counts) if size is None else counts_of(size)
    if not _fitting(counts, sizes):
        raise ValueError("must list at least one option of each question, and not all of them")
    return {"keep": exact.keeping(alpha, rarity(counts, sizes)), "sizes": list(sizes)}


def certified(table: ListTable, d: int | Sizes, alpha: Fraction) -> bool:
    counts, sizes = counts_of(d), table["sizes"]
    if len(counts) > 1 and math.prod(counts) > CELLS_MAX:
        return False
    return _fitting(counts, sizes) and exact.keeping_certified(table["keep"], rarity(counts, sizes), alpha)


def _fitting(counts: Sizes, sizes: Sizes) -> bool:
    return 0 < len(counts) == len(sizes) and all(1 <= a < d for d, a in zip(counts, sizes, strict=True))


def realized_alpha(table: ListTable, d: int | Sizes) -> float:
    return exact.keeping_alpha(table["keep"], rarity(counts_of(d), table["sizes"]))


def keep(table: ListTable) -> Fraction:
    """The chance that all lists contain the answers on purpose; else they are random."""
    return Fraction(table["keep"], exact.RESOLUTION)


# Sizes ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def best_sizes(alpha: Fraction, counts: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes of least error at equal shares: of the least sum of the questions' variances, each over the least that
    the question has in a draw by itself under this alpha (M44). Of equals the first in alphabetical order.

    Of one question no alpha-private channel is more precise at equal shares (M19).
    """
    bound = exact.exp_short(alpha)
    alone = [min(variance(bound, Fraction(d, a), d, a) for a in range(1, d)) for d in counts]
    costs = [[_unkept(d, a) / least for a in range(1, d)] for d, least in zip(counts, alone, strict=True)]

    def value(sizes: tuple[int, ...], each: list[list[Any]], e: Any) -> Any:
        total = sum(costs[a - 1] for costs, a in zip(each, sizes, strict=True))
        return total * (1 + rarity(counts, sizes) / (e - 1)) ** 2

    rough = [[float(cost) for cost in each] for each in costs]
    values = {sizes: float(value(sizes, rough, float(bound))) for sizes in product(*(range(1, d) for d in counts))}
    least = min(values.values()) * (1 + _ALIKE)
    close = [sizes for sizes, about in values.items() if about <= least]
    return min(close, key=lambda sizes: (value(sizes, costs, bound), sizes))


def variance(bound: Fraction, rarity: Fraction, d: int, a: int) -> Fraction:
    """n times the variance of a share at equal shares (M44), s (1 - s)/(lambda g)^2, where every `rarity`-th report
    fits the answers and e^alpha is `bound`."""
    return _unkept(d, a) * (1 + rarity / (bound - 1)) ** 2


def _unkept(d: int, a: int) -> Fraction:
    """The variance of an option where lambda is 1."""
    return Fraction(a * (d - a), d * d) / Fraction(d - a, d - 1) ** 2


# Reports --------------------------------------------------------------------------------------------------------------


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> list[int]:
    """The list of a question in a draw by itself."""
    [listed] = draw([answer], table, (d,), uniform)
    return listed


def draw(answers: Sequence[int], table: ListTable, counts: Sizes, uniform: Uniform) -> list[list[int]]:
    """The lists of all questions. What is added to the answers is drawn before they are looked at."""
    steps = _steps(table, counts, uniform)
    return [sorted((x + r) % d for r in each) for x, each, d in zip(answers, steps, counts, strict=True)]


def _steps(table: ListTable, counts: Sizes, uniform: Uniform) -> list[list[int]]:
    """The lists of somebody whose answers are all 0: one uniform integer for "kept", then for each question the first
    places of a shuffle. Of these, a uniform set without 0 whose first place turns to 0 is one with 0, as often as any.
    """
    kept, steps = uniform() < table["keep"], []
    for d, a in zip(counts, table["sizes"], strict=True):
        places = shuffled(d, a, uniform)
        if kept and 0 not in places:
            places[0] = 0
        steps.append(places)
    return steps


# What the reports are about ------------------------------------------------------------------------------------------


def marginal(table: ListTable, place: int) -> ListTable:
    """The table of the channel that the answer to one question of a draw of several goes through (M44)."""
    return {"keep": table["keep"], "sizes": [table["sizes"][place]]}


def listed_chances(lam: Fraction, a: int, d: int) -> tuple[Fraction, Fraction]:
    """With which chance a list of a of the d options has the answer, and another option."""
    by_chance = (1 - lam) * Fraction(a, d)
    return lam + by_chance, lam * Fraction(a - 1, d - 1) + by_chance


def chances(table: ListTable, d: int) -> tuple[Fraction, Fraction]:
    """The chances of `listed_chances` for a draw of one question."""
    return listed_chances(keep(table), table["sizes"][0], d)


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """The moments of a draw of one question. A score is whether an option is listed."""
    return {"support": indicator(*chances(table, d))}


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    """The pairs of a draw of one question."""
    return {"support": pair_moments(keep(table), table["sizes"][0], d)}


def pair_moments(lam: Fraction, a: int, d: int) -> PairMoments:
    """The chances that two options are both listed."""
    if a == 1 or d == 2:
        return EXCLUSIVE
    by_chance = (1 - lam) * Fraction(a * (a - 1), d * (d - 1))
    among = lam * Fraction(a - 1, d - 1)
    neither = lam * Fraction((a - 1) * (a - 2), (d - 1) * (d - 2))
    return PairMoments(among + by_chance, neither + by_chance)


def packing(table: ListTable, d: int) -> Packing:
    """The packing of a draw of one question; of several, each question's bits stand one after the other."""
    return packings.subset(d, table["sizes"][0])


def tally(field: "Field", table: ListTable, d: int | Sizes) -> Totals:
    """For every combination of options how often all of them were listed, the last question's changing fastest."""
    counts = counts_of(d)
    return {"support": field.listed(counts, table["sizes"]).ravel().tolist()}
