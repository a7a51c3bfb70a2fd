"""A block: packed reports that were taken, in random order and stored by columns (ldp/blocks.py)."""

import os
from collections.abc import Callable

import numpy as np

from ldp.blocks import decode, encode
from ldp.kernels import Rows

__all__ = ["Random", "Rows", "decode", "encode", "shuffled"]

Random = Callable[[int], bytes]  # returns this number of random bytes


def shuffled(rows: Rows, random: Random = os.urandom) -> Rows:
    """Return the rows, (n, bytes), in uniformly random order, which hides the order of arrival.

    They are sorted by random keys of 64 bits. Two of 2^17 keys are equal in about one of 2^31 blocks. Only these two
    rows then keep their order.
    """
    return np.asarray(rows[np.argsort(np.frombuffer(random(8 * len(rows)), dtype=np.uint64), kind="stable")])
