"""From packed reports to the sufficient statistic: for each question, the total of the scores (M12).

Totals of batches add, so a survey of any size reduces to a few integers per question.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint8]
Totals = dict[str, list[int]]


def totals(bits: Bits, mechanism: str, d: int, table: Any) -> Totals:
    """Score totals per method and category. `bits` has one row per report and one column per packed bit."""
    return _TALLIES[mechanism](bits, d, table)


def _randomized_response(bits: Bits, d: int, table: Any) -> Totals:
    width = bits.shape[1]
    index = bits @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
    return {"support": np.bincount(index, minlength=d).tolist()}


def _bitwise(bits: Bits, d: int, table: Any) -> Totals:
    return {"support": _column_sums(bits).tolist()}


def _laplace(bits: Bits, d: int, table: Any) -> Totals:
    """A value y is packed as y + 2^m - 1 in m+1 bits: the first bit says y >= 1, and totals are linear in the bits."""
    digits = len(table["magnitude"])
    columns = _column_sums(bits).reshape(d, digits + 1)
    values = columns @ (1 << np.arange(digits, -1, -1, dtype=np.int64)) - len(bits) * (2**digits - 1)
    return {"threshold": columns[:, 0].tolist(), "sum": values.tolist()}


def _column_sums(bits: Bits) -> npt.NDArray[np.int64]:
    return np.asarray(bits.sum(axis=0, dtype=np.int64))


_TALLIES = {"randomized_response": _randomized_response, "bitwise": _bitwise, "laplace": _laplace}
