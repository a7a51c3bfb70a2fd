"""Random words: the only source of chance.

`words` returns the next uniform 32-bit integer, `uniform` the next uniform 53-bit integer. All other code takes one of
them as an argument, so tests and vectors can replay it.
"""

import os
from collections.abc import Callable

from ldp import exact

Words = Callable[[], int]
Uniform = Callable[[], int]


def system_words() -> int:
    """Return a word from the operating system's generator. Nothing is buffered, so a fork cannot repeat a word."""
    return int.from_bytes(os.urandom(4), "big")


def uniform_from(words: Words) -> Uniform:
    """Return a source of integers uniform on 0..2^53-1: 21 bits of one word above the 32 bits of the next."""

    def uniform() -> int:
        high = words() & 0x1FFFFF
        return (high << 32) | words()

    return uniform


def uuid4_from(words: Words) -> str:
    """Return a random (version 4) UUID from four words."""
    value = 0
    for _ in range(4):
        value = (value << 32) | words()
    value = value & ~(0xF << 76) | (0x4 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


# Choices --------------------------------------------------------------------------------------------------------------
#
# Uniform choices in integers, by rejection and a partial shuffle (M44). The number of draws never depends on an answer.


def choice(k: int, uniform: Uniform) -> int:
    """Return an integer uniform on 0..k-1. Integers from 2^53 - 2^53 % k on are drawn again, because below it every
    remainder is equally frequent."""
    end = exact.RESOLUTION - exact.RESOLUTION % k
    u = uniform()
    while u >= end:
        u = uniform()
    return u % k


def shuffled(n: int, m: int, uniform: Uniform) -> list[int]:
    """Return the first m places of a uniform shuffle of 0..n-1 (Fisher and Yates), by choices among n, n-1, ..."""
    deck = list(range(n))
    for i in range(m):
        j = i + choice(n - i, uniform)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:m]
