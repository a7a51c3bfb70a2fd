"""Uniform choices by integers: rejection and a partial shuffle (M1). How much is drawn never depends on an answer."""

from ldp import exact
from ldp.words import Uniform


def choice(k: int, uniform: Uniform) -> int:
    """Uniform on 0..k-1: integers below 2^53 - 2^53 % k hold every remainder equally often, others are drawn again."""
    end = exact.RESOLUTION - exact.RESOLUTION % k
    u = uniform()
    while u >= end:
        u = uniform()
    return u % k


def shuffled(n: int, m: int, uniform: Uniform) -> list[int]:
    """The first m places of a uniform shuffle of 0..n-1 (Fisher and Yates), by choices among n, n-1, ..."""
    deck = list(range(n))
    for i in range(m):
        j = i + choice(n - i, uniform)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:m]


def drawn_items(value: object, count: int, sample: int, ends: int) -> list[tuple[int, int]]:
    """The pairs [item, z] of a report: `sample` different items in increasing order, z in 0..ends-1, checked (M9)."""
    if type(value) is not list or len(value) != sample:
        raise ValueError(f"must be a list of exactly {sample} pairs")
    last, pairs = -1, []
    for pair in value:
        if type(pair) is not list or len(pair) != 2 or any(type(number) is not int for number in pair):
            raise ValueError("must hold pairs of integers only")
        item, z = pair
        if not (last < item < count and 0 <= z < ends):
            raise ValueError(f"must hold increasing items up to {count - 1}, each with a value from 0 to {ends - 1}")
        last = item
        pairs.append((item, z))
    return pairs
