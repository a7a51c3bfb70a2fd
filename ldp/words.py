"""Random words: the one place where chance enters.

`words` is a function that returns the next uniform 32-bit integer, `uniform` one that returns the next uniform
53-bit integer. Both are arguments everywhere else, so a test or a vector can replay them.
"""

import os
from collections.abc import Callable

Words = Callable[[], int]
Uniform = Callable[[], int]


def system_words() -> int:
    """A word from the operating system's generator; never buffered, so that a fork cannot repeat one."""
    return int.from_bytes(os.urandom(4), "big")


def uniform_from(words: Words) -> Uniform:
    """Uniform integers in 0..2^53-1: 21 bits of one word above the 32 bits of the next."""

    def uniform() -> int:
        high = words() & 0x1FFFFF
        return (high << 32) | words()

    return uniform


def uuid4_from(words: Words) -> str:
    """A random (version 4) UUID from four words."""
    value = 0
    for _ in range(4):
        value = (value << 32) | words()
    value = value & ~(0xF << 76) | (0x4 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
