"""Randomized response on product subsets (M44): the answers of one draw, to one question or to several.

A report lists a_j of the d_j options of each question. With the chance keep/2^53 the lists are a uniform product set
that contains all answers, otherwise any uniform product set. Let D be the product of d_j/a_j: one of every D product
sets contains certain answers. So no report is more than 1 + keep D / (2^53 - keep) times likelier for some answers than
for others: one certificate for all draws. For one question, a = 1 is Warner's (1965) and k-ary randomized response
(M2), a > 1 subset selection (M4; Ye and Barg 2018; Wang et al. 2016). For several, a = 1 is randomized response on
combinations (M34b).

The protocol's d is a whole number for one question. For several it is the sequence d_1 ... d_s, and results are lists.

Table: {"keep": t, "sizes": [a_1 ... a_s]}. Report of a question: its a options, increasing.

In a draw of several a multiple choice or grid is `Items` of size [s, a]. Before any answer is looked at, s items are
drawn; each counts as a question with a listed options (M9c). Its report: s pairs [item, options].
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from ldp import exact
from ldp import packing as packings
from ldp.exact import ListTable
from ldp.packing import Packing
from ldp.scores import EXCLUSIVE, PairMoments, ScoreMoments, Totals, indicator
from ldp.subsets import CELLS_MAX, Counts, Options, Size, Sizes, answers_of, fits, rarity, symbols
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()

# Sums of variances that differ by less are compared as fractions.
_ALIKE = 1e-9


def counts_of(d: int | Counts) -> tuple[Options, ...]:
    """Return the number of options of each question of a draw."""
    return (d,) if isinstance(d, int) else tuple(d)


def cells(d: int | Counts) -> int:
    """Return the number of combinations of options. ValueError names the rule that the draw breaks."""
    counts = counts_of(d)
    if not counts or min(each if isinstance(each, int) else each.d for each in counts) < 2:
        raise ValueError("must be about one question or more, each with two answers or more")
    if not _countable(counts):
        raise ValueError(f"takes at most {CELLS_MAX} combinations of answers")
    return math.prod(map(symbols, counts))


def _countable(counts: Counts) -> bool:
    return len(counts) == 1 or math.prod(map(symbols, counts)) <= CELLS_MAX


def table(alpha: Fraction, d: int | Counts, size: int | Sizes | None = None) -> ListTable:
    """Return the table with these sizes, by default `best_sizes`. ValueError names the rule that d or sizes break."""
    cells(d)
    counts = counts_of(d)
    sizes = best_sizes(alpha, counts) if size is None else (size,) if isinstance(size, int) else tuple(size)
    if not _fitting(counts, sizes):
        raise ValueError("must list at least one option of each question, and not all of them")
    each = [size if isinstance(size, int) else list(size) for size in sizes]
    return {"keep": exact.keeping(alpha, rarity(counts, sizes)), "sizes": each}


def certified(table: ListTable, d: int | Counts, alpha: Fraction) -> bool:
    counts, sizes = counts_of(d), table["sizes"]
    if not (_countable(counts) and _fitting(counts, sizes)):
        return False
    return exact.keeping_certified(table["keep"], rarity(counts, sizes), alpha)


def _fitting(counts: Counts, sizes: Sizes) -> bool:
    return 0 < len(counts) == len(sizes) and all(map(fits, counts, sizes))


def realized_alpha(table: ListTable, d: int | Counts) -> float:
    return exact.keeping_alpha(table["keep"], rarity(counts_of(d), table["sizes"]))


def keep(table: ListTable) -> Fraction:
    """Return lambda, the chance that the answers are kept. Otherwise all lists are random."""
    return Fraction(table["keep"], exact.RESOLUTION)


# Sizes ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def best_sizes(alpha: Fraction, counts: tuple[Options, ...]) -> tuple[Size, ...]:
    """Return the sizes with the least sum of the questions' variances at equal shares, each over the question's least
    variance in a separate draw under this alpha (M44). Among equals the lexicographically first is chosen.

    For one question no alpha-private channel is more precise at equal shares (M19).
    """
    bound = exact.exp_short(alpha)
    each = [list(ways(options)) for options in counts]
    alone = [
        min(_unkept_of(options, a) * (1 + rarity((options,), (a,)) / (bound - 1)) ** 2 for a in own)
        for options, own in zip(counts, each, strict=True)
    ]
    costs = [
        {a: _unkept_of(options, a) / least for a in own}
        for options, own, least in zip(counts, each, alone, strict=True)
    ]

    def value(sizes: tuple[Size, ...]) -> Fraction:
        total = sum((own[a] for own, a in zip(costs, sizes, strict=True)), Fraction(0))
        return total * (1 + rarity(counts, sizes) / (bound - 1)) ** 2

    values = _rough_values(counts, costs, float(bound))
    least = min(values.values()) * (1 + _ALIKE)
    return min((sizes for sizes, about in values.items() if about <= least), key=lambda sizes: (value(sizes), sizes))


def _rough_values(counts: Counts, costs: Sequence[dict[Any, Fraction]], e: float) -> dict[tuple[Size, ...], float]:
    """Return the values of all sizes in floating point."""
    rough = [
        [(a, float(cost), float(rarity((options,), (a,)))) for a, cost in own.items()]
        for options, own in zip(counts, costs, strict=True)
    ]
    values = {}
    for chosen in product(*rough):
        sizes, each, rarities = zip(*chosen, strict=True)
        values[sizes] = sum(each) * (1 + math.prod(rarities) / (e - 1)) ** 2
    return values


def ways(options: Options) -> Iterator[Size]:
    """Yield all sizes that fit, in order."""
    if isinstance(options, int):
        yield from range(1, options)
        return
    pairs = product(range(1, options.items + 1), range(1, options.d))
    yield from (pair for pair in pairs if fits(options, pair))


def _unkept_of(options: Options, size: Any) -> Fraction:
    """Return `_unkept`. For a list or grid it is multiplied by all items over drawn items, because a report is only
    about these."""
    if isinstance(options, int):
        return _unkept(options, size)
    return Fraction(options.items, size[0]) * _unkept(options.d, size[1])


def variance(bound: Fraction, rarity: Fraction, d: int, a: int) -> Fraction:
    """Return n times the variance of a share at equal shares (M44), s (1 - s)/(lambda g)^2. One report in `rarity` fits
    the answers, and `bound` is e^alpha."""
    return _unkept(d, a) * (1 + rarity / (bound - 1)) ** 2


def _unkept(d: int, a: int) -> Fraction:
    """Return n times an option's variance at equal shares if lambda is 1."""
    return Fraction(a * (d - a), d * d) / Fraction(d - a, d - 1) ** 2


# Reports --------------------------------------------------------------------------------------------------------------


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> list[int]:
    """Return the list of a question with a separate draw."""
    [listed] = draw([answer], table, (d,), uniform)
    return listed


def draw(answers: Sequence[Any], table: ListTable, counts: Counts, uniform: Uniform) -> list[list[Any]]:
    """Return the lists of all questions; for a list or grid, one for each drawn item. Random numbers to add to the
    answers are drawn before any answer is used: first each question's items, then the lists."""
    items = [_drawn(options, size, uniform) for options, size in zip(counts, table["sizes"], strict=True)]
    every = list(answers_of(counts, table["sizes"]))
    steps = iter(_steps(table["keep"], every, uniform))
    return [
        _listed(answer, next(steps), options)
        if isinstance(options, int)
        else [[item, _listed(answer[item], next(steps), options.d)] for item in own]
        for answer, own, options in zip(answers, items, counts, strict=True)
    ]


def _drawn(options: Options, size: Any, uniform: Uniform) -> list[int]:
    return [] if isinstance(options, int) else sorted(shuffled(options.items, size[0], uniform))


def _listed(answer: int, steps: Sequence[int], d: int) -> list[int]:
    return sorted((int(answer) + step) % d for step in steps)


def _steps(kept_below: int, every: Sequence[tuple[int, int]], uniform: Uniform) -> list[list[int]]:
    """Return the lists that would come if all answers were 0. One uniform integer decides whether answers are kept.
    Then each answer takes the first places of a shuffle. If answers are kept and 0 is missing, the first place becomes
    0, so every list with 0 is equally frequent."""
    kept, steps = uniform() < kept_below, []
    for d, a in every:
        places = shuffled(d, a, uniform)
        if kept and 0 not in places:
            places[0] = 0
        steps.append(places)
    return steps


# The law of reports ---------------------------------------------------------------------------------------------------


def marginal(table: ListTable, place: int) -> ListTable:
    """Return the table of one answer's channel in a draw of several questions (M44); for a list or grid, the table of
    the mechanism that draws it alone."""
    size = table["sizes"][place]
    if isinstance(size, int):
        return {"keep": table["keep"], "sizes": [size]}
    drawn, each = size
    return {"sample": drawn, "keep": table["keep"], "size": each}


def listed_chances(lam: Fraction, a: int, d: int) -> tuple[Fraction, Fraction]:
    """Return p and q, the chances that a list of a of the d options has the answer, and that it has a given other
    one."""
    by_chance = (1 - lam) * Fraction(a, d)
    return lam + by_chance, lam * Fraction(a - 1, d - 1) + by_chance


def chances(table: ListTable, d: int) -> tuple[Fraction, Fraction]:
    """Return `listed_chances` for a draw of one question."""
    return listed_chances(keep(table), table["sizes"][0], d)


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of a draw of one question. An option's score is 1 if it is listed."""
    return {"support": _indicator(table["keep"], table["sizes"][0], d)}


@lru_cache(maxsize=1 << 10)
def _indicator(kept_below: int, a: int, d: int) -> ScoreMoments:
    return indicator(*listed_chances(Fraction(kept_below, exact.RESOLUTION), a, d))


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    """Return the mean products of a draw of one question."""
    return {"support": pair_moments(keep(table), table["sizes"][0], d)}


def pair_moments(lam: Fraction, a: int, d: int) -> PairMoments:
    """Return the chances that two options are both listed, with the answer among them or not (M13)."""
    if a == 1 or d == 2:
        return EXCLUSIVE
    by_chance = (1 - lam) * Fraction(a * (a - 1), d * (d - 1))
    among = lam * Fraction(a - 1, d - 1)
    neither = lam * Fraction((a - 1) * (a - 2), (d - 1) * (d - 2))
    return PairMoments(among + by_chance, neither + by_chance)


def packing(table: ListTable, d: int) -> Packing:
    """Return the packing of one question's list. The bits of several questions follow each other."""
    return packings.subset(d, table["sizes"][0])


def tally(field: "Field", table: ListTable, d: int | Counts) -> Totals:
    """Return how often each combination of options was listed. The last question's options change fastest."""
    counts = counts_of(d)
    return {"support": field.listed(counts, table["sizes"]).ravel().tolist()}
