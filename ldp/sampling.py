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
