"""Every report of randomized response on product subsets (M44), with its chance."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import numpy as np

from ldp.arrays import Integers

Lists = tuple[tuple[int, ...], ...]


def reports(
    keep: Fraction, counts: Sequence[int], sizes: Sequence[int], answers: Sequence[int]
) -> Iterator[tuple[Lists, Fraction]]:
    """Yield the lists of every report of these answers, with the report's chance."""
    every = [list(combinations(range(d), a)) for d, a in zip(counts, sizes, strict=True)]
    whole = prod(map(len, every))
    fitting = prod(comb(d - 1, a - 1) for d, a in zip(counts, sizes, strict=True))
    for lists in product(*every):
        fits = all(x in listed for x, listed in zip(answers, lists, strict=True))
        yield lists, (1 - keep) / whole + (keep / fitting if fits else 0)


def together(one: Integers, other: Integers) -> Integers:
    """Return the number of reports, of reports that list each option, and of reports that list both options of each
    pair: (1 + d, 1 + d')."""
    left, right = (np.column_stack([np.ones(len(each), dtype=np.int64), each]) for each in (one, other))
    return np.asarray(left.T @ right)
