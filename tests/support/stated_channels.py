"""The channels that several mechanisms share, computed from a table's numbers: Q[x][z] in fractions (M2 to M9)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any, NamedTuple

Channel = list[dict[Any, Fraction]]


class Small(NamedTuple):
    """A mechanism at a resolution small enough to enumerate every outcome of its draws.

    Every uniform choice is among k items, and the resolution is a multiple of every k, so no draw is rejected.
    """

    d: int
    table: Any
    resolution: int
    draws: int
    channel: Channel
    ratio: Fraction | None


def product_subsets(counts: Sequence[int], table: Any, resolution: int) -> Channel:
    """Return the channel of M44: with the chance lambda a product set that has all answers, otherwise any product set.
    There is a row for each combination of answers; the last question's answer changes fastest."""
    lam, sizes = Fraction(table["keep"], resolution), table["sizes"]
    every = list(product(*(combinations(range(d), a) for d, a in zip(counts, sizes, strict=True))))
    fitting = prod(comb(d - 1, a - 1) for d, a in zip(counts, sizes, strict=True))

    def chance(answers: tuple[int, ...], lists: tuple[tuple[int, ...], ...]) -> Fraction:
        has_all = all(x in z for x, z in zip(answers, lists, strict=True))
        return (1 - lam) / len(every) + (lam / fitting if has_all else 0)

    return [{z: chance(answers, z) for z in every} for answers in product(*map(range, counts))]


def likelier(counts: Sequence[int], table: Any, resolution: int) -> Fraction:
    """Return the largest ratio of the chances of a report under two answers, as M44 states it."""
    rarity = Fraction(prod(counts), prod(table["sizes"]))
    return 1 + table["keep"] * rarity / (resolution - table["keep"])


def randomized_response_channel(d: int, table: Any, resolution: int) -> Channel:
    return [{z: chance for (z,), chance in row.items()} for row in product_subsets((d,), table, resolution)]


def bitwise_channel(d: int, table: Any, resolution: int) -> Channel:
    q = Fraction(table["flip"], resolution)

    def chance(x: int, bits: tuple[int, ...]) -> Fraction:
        return prod((1 - q if bit == (j == x) else q for j, bit in enumerate(bits)), start=Fraction(1))

    every = list(product((0, 1), repeat=d))
    return [{"".join(map(str, bits)): chance(x, bits) for bits in every} for x in range(d)]


def rows_channel(d: int, table: Any, resolution: int, lowest: int = 0) -> Channel:
    ends = [[0, *row, resolution] for row in table["rows"]]
    return [{lowest + z: Fraction(row[z + 1] - row[z], resolution) for z in range(len(row) - 1)} for row in ends]


def noise_channel(d: int, table: Any, resolution: int) -> Channel:
    reach = len(table["noise"]) // 2
    [law] = rows_channel(1, {"rows": [table["noise"]]}, resolution, lowest=-reach)
    every = list(product(law, repeat=d))
    return [
        {tuple(k + (j == x) for j, k in enumerate(noise)): prod(law[k] for k in noise) for noise in every}
        for x in range(d)
    ]


def sampled_channel(given: list[Any], d: int, items: int, table: Any, resolution: int) -> Channel:
    """Return the channel of M9: `sample` of the items, all sets equally likely, and M44 on these items together, each
    with d options."""
    sample = table["sample"]
    counts, own = (d,) * sample, {"keep": table["keep"], "sizes": [table.get("size", 1)] * sample}
    rows = dict(zip(product(range(d), repeat=sample), product_subsets(counts, own, resolution), strict=True))
    sets = list(combinations(range(items), sample))
    return [
        {
            tuple(zip(chosen, lists, strict=True)): chance / len(sets)
            for chosen in sets
            for lists, chance in rows[tuple(int(answer[i]) for i in chosen)].items()
        }
        for answer in given
    ]
