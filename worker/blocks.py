"""A block: taken reports, packed, in random order and columnar (ldp/blocks.py)."""

import os
from collections.abc import Callable

import numpy as np

from ldp.blocks import decode, encode
from ldp.kernels import Rows

__all__ = ["Random", "Rows", "decode", "encode", "shuffled"]

Random = Callable[[int], bytes]  # so many random bytes


def shuffled(rows: Rows, random: Random = os.urandom) -> Rows:
    """The rows, shape (n, bytes), in an order that hides which came first.

    They are sorted by random keys of 64 bits. Two of 2^17 keys are equal once in 2^31 blocks; then these two rows keep
    their order, and no others.
    """
    return np.asarray(rows[np.argsort(np.frombuffer(random(8 * len(rows)), dtype=np.uint64), kind="stable")])
