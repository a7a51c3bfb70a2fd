"""A ranking by sampling (M9b). s entries are drawn without looking at the answer, and their order is randomized as one
answer of s! by randomized response (M44).

Table: {"sample": s, "keep": t}. d is the number of pairs. An answer says for each pair whether its first entry is
before the other. Report: [pair, bit] for each pair of the drawn entries, pairs increasing; the bits are those of an
order.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial, isqrt
from typing import TYPE_CHECKING, Any

from ldp.exact import ListTable, Table
from ldp.mechanisms import randomized_response
from ldp.packing import Packing, sampled_items
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.arrays import Integers
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ("sample",)

# Orders of four are more precise from alpha 4 on, but less so for mean ranks if everyone agrees.
SAMPLE_MIN, SAMPLE_MAX = 2, 3


def entries(d: int) -> int:
    """Return the number of entries that have d pairs."""
    return isqrt(2 * d) + 1


@lru_cache(maxsize=32)
def entry_pairs(k: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of k entries, in the order of the options."""
    return tuple(combinations(range(k), 2))


@lru_cache(maxsize=8)
def orders(s: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each order of s entries, the bits of their pairs."""
    every = permutations(range(s))
    return tuple(tuple(int(places[one] < places[other]) for one, other in entry_pairs(s)) for places in every)


def table(alpha: Fraction, d: int, sample: int = SAMPLE_MIN) -> Table:
    return {"sample": sample, "keep": randomized_response.table(alpha, factorial(sample), 1)["keep"]}


def _of_orders(table: Table) -> tuple[ListTable, int]:
    """Return the table of the draw of an order, and the number of orders."""
    return {"keep": table["keep"], "sizes": [1]}, factorial(table["sample"])


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    most = min(SAMPLE_MAX, entries(d))
    return SAMPLE_MIN <= table["sample"] <= most and randomized_response.certified(*_of_orders(table), alpha)


def realized_alpha(table: Table, d: int) -> float:
    return randomized_response.realized_alpha(*_of_orders(table))


def randomize(answer: list[bool], table: Table, d: int, uniform: Uniform) -> list[list[int]]:
    """Return the report. First s choices draw the entries, then their order is drawn."""
    s = table["sample"]
    drawn = set(shuffled(entries(d), s, uniform))
    among = [number for number, pair in enumerate(entry_pairs(entries(d))) if drawn.issuperset(pair)]
    held = orders(s).index(tuple(int(answer[number]) for number in among))
    [order] = randomized_response.randomize(held, *_of_orders(table), uniform)
    return [[number, bit] for number, bit in zip(among, orders(s)[order], strict=True)]


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of each pair, over the reports that drew it. Half of all orders have either entry first."""
    own, _ = _of_orders(table)
    return {"support": indicator(*randomized_response.chances(own, 2))}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """Return nothing: each pair is counted over the reports that drew it, and not all of these drew another pair."""
    return {}


def packing(table: Table, d: int) -> Packing:
    """Return the packing: the number of each pair, and a bit."""
    s = table["sample"]
    whole = sampled_items(comb(s, 2), d, 2)

    def encode(value: Any) -> int:
        code = whole.encode(value)
        named = {entry for number, _ in value for entry in entry_pairs(entries(d))[number]}
        if len(named) != s or tuple(bit for _, bit in value) not in orders(s):
            raise ValueError(f"must hold all pairs of {s} entries, and an order of these")
        return code

    return whole._replace(encode=encode)


def tally(field: "Field", table: Table, d: int) -> Totals:
    """Return the totals. "drawn" has the numbers of reports about each pair. "places" has, for each entry, the numbers
    of reports that put it before all others drawn, before all but one, and so on (M32e)."""
    s = table["sample"]
    counts = field.part_counts(comb(s, 2)).reshape(-1, 2)[:d]
    places = _places(field, s, d).ravel()
    return {"support": counts[:, 1].tolist(), "drawn": counts.sum(axis=1).tolist(), "places": places.tolist()}


def _places(field: "Field", s: int, d: int) -> "Integers":
    """Return how many reports put each entry at each place, (entries, s)."""
    import numpy as np  # intake needs none

    k, each = entries(d), field.part_codes(comb(s, 2))
    places = np.zeros((s, field.n), dtype=np.int64)
    named = np.zeros((s, field.n), dtype=np.int64)
    for (one, other), codes in zip(entry_pairs(s), each, strict=True):
        named[one], named[other] = np.array(entry_pairs(k))[codes >> 1].T
        places[other] += codes & 1
        places[one] += 1 - (codes & 1)
    return np.bincount((named * s + places).ravel(), minlength=k * s).reshape(k, s)
