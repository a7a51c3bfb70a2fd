"""From packed reports to the sufficient statistic: for each question, the total of the scores (M12).

Totals of batches add, so a survey of any size reduces to a few integers per question. Where the scores are not whole
numbers (exponential, laplace_mean) the counts of the outputs are kept instead.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ldp import noise

Bits = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]
Totals = dict[str, list[int]]


def totals(bits: Bits, mechanism: str, d: int, table: Any) -> Totals:
    """Score totals per method and category. `bits` has one row per report and one column per packed bit.

    `d` and `table` are those of mechanisms.of. A multiple choice also counts under "drawn" the reports of each item; a
    grid's totals are those of item 0, item 1, ... in one list.
    """
    return _TALLIES[mechanism](bits, d, table)


def _randomized_response(bits: Bits, d: int, table: Any) -> Totals:
    return {"support": _counts(_numbers(bits), d)}


def _bits(bits: Bits, d: int, table: Any) -> Totals:
    return {"support": _column_sums(bits).tolist()}


def _laplace(bits: Bits, d: int, table: Any) -> Totals:
    """A value y is packed as y + 2^m - 1 in m+1 bits: the first bit says y >= 1."""
    digits = len(table["magnitude"])
    columns = _column_sums(bits).reshape(d, digits + 1)
    values = _numbers(columns) - len(bits) * (2**digits - 1)
    return {"threshold": columns[:, 0].tolist(), "sum": values.tolist()}


def _noise(bits: Bits, d: int, table: Any) -> Totals:
    """A value y is packed as y + J: totals are linear in the bits."""
    columns = _column_sums(bits).reshape(d, noise.bin_width(table))
    values = _numbers(columns) - len(bits) * (len(table["noise"]) // 2)
    return {"sum": values.tolist()}


def _exponential(bits: Bits, d: int, table: Any) -> Totals:
    return {"inverse": _counts(_numbers(bits), d)}


def _one_bit(bits: Bits, d: int, table: Any) -> Totals:
    return {"mean": _column_sums(bits).tolist()}


def _laplace_mean(bits: Bits, d: int, table: Any) -> Totals:
    return {"mean": _counts(_numbers(bits), len(table["rows"][0]) + 1)}


def _multiple(bits: Bits, d: int, table: Any) -> Totals:
    pairs = bits.reshape(len(bits) * table["sample"], -1)
    items, ones = _numbers(pairs[:, :-1]), pairs[:, -1] == 1
    return {"support": _counts(items[ones], d), "drawn": _counts(items, d)}


def _grid(bits: Bits, d: int, table: Any) -> Totals:
    pairs = bits.reshape(len(bits) * table["sample"], -1)
    item_bits = (table["items"] - 1).bit_length()
    cells = d * _numbers(pairs[:, :item_bits]) + _numbers(pairs[:, item_bits:])
    return {"support": _counts(cells, d * table["items"])}


def _column_sums(bits: Bits) -> Integers:
    return np.asarray(bits.sum(axis=0, dtype=np.int64))


def _numbers(columns: Bits | Integers) -> Integers:
    """The numbers whose binary digits are the columns, the most significant first. Totals of digits give totals."""
    return np.asarray(columns @ (1 << np.arange(columns.shape[1] - 1, -1, -1, dtype=np.int64)))


def _counts(numbers: Integers, size: int) -> list[int]:
    counts: list[int] = np.bincount(numbers, minlength=size).tolist()
    return counts


_TALLIES = {
    "randomized_response": _randomized_response,
    "subset": _bits,
    "bitwise": _bits,
    "exponential": _exponential,
    "laplace": _laplace,
    "osgt": _noise,
    "gaussian": _noise,
    "one_bit": _one_bit,
    "laplace_mean": _laplace_mean,
    "multiple": _multiple,
    "grid": _grid,
}
