"""The channels that several mechanisms have in common, from the numbers in a table: Q[x][z] in fractions (M2 to M9)."""

from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

Channel = list[dict[Any, Fraction]]


class Small(NamedTuple):
    """A mechanism at a resolution small enough to enumerate every outcome of its draws.

    The resolution is a multiple of every k of a uniform choice, so that no draw is ever rejected.
    """

    d: int
    table: Any
    resolution: int
    draws: int
    channel: Channel
    ratio: Fraction | None


def randomized_response_channel(d: int, table: Any, resolution: int) -> Channel:
    q = Fraction(table["other"], resolution)
    return [{z: 1 - (d - 1) * q if z == x else q for z in range(d)} for x in range(d)]


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


def sampled_channel(given: list[Any], ends: int, items: int, table: Any, resolution: int) -> Channel:
    """M9: `sample` of the items, all sets equally likely, and on each of them M2 with so many ends."""
    one = randomized_response_channel(ends, table, resolution)
    sets = list(combinations(range(items), table["sample"]))
    return [
        {
            tuple(zip(chosen, values, strict=True)): prod(
                one[answer[i]][z] for i, z in zip(chosen, values, strict=True)
            )
            / len(sets)
            for chosen in sets
            for values in product(range(ends), repeat=len(chosen))
        }
        for answer in given
    ]
