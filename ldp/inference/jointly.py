"""How often symbols of two variables came together: the sufficient statistic of a crossing, in whole numbers.

A matrix (1 + k1, 1 + k2) over the reports that are about both variables: their number, how often each symbol of the
second came, how often each of the first, and how often each two came together. Matrices of batches add.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ldp.arrays import Integers
from ldp.inference.variables import Symbols, Variable
from ldp.microdata import Table

# So many reports are multiplied at once: single precision holds their counts exactly, and memory stays small.
AT_ONCE = 1 << 14


def counts(first: Variable, second: Variable, parts: Iterable[tuple[Table, Table]]) -> Integers:
    """`parts` are the columns (n, size) of both questions, of some reports at a time."""
    total = np.zeros((1 + _symbols(first), 1 + _symbols(second)), dtype=np.int64)
    for one, other in parts:
        for start in range(0, len(one), AT_ONCE):
            total += _counts(first, second, one[start : start + AT_ONCE], other[start : start + AT_ONCE])
    return total


def _symbols(variable: Variable) -> int:
    return len(variable.options) if variable.phi is None else len(variable.phi)


def _counts(first: Variable, second: Variable, one: Table, other: Table) -> Integers:
    if first.place is not None or second.place is not None:
        about = first.about(one) & second.about(other)
        one, other = one[about], other[about]
    left, right = _with_one(first.symbols(one)), _with_one(second.symbols(other))
    return np.asarray(left.T @ right).astype(np.int64)


def _with_one(symbols: Symbols) -> npt.NDArray[np.float32]:
    columns = np.ones((len(symbols), 1 + symbols.shape[1]), dtype=np.float32)
    columns[:, 1:] = symbols
    return columns
