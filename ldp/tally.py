"""From packed reports to the sufficient statistic: for each question, the total of the scores (M12).

Totals of batches add, so a survey of any size reduces to a few integers per question. Where the scores are not whole
numbers (exponential, laplace_mean) the counts of the outputs are kept instead.
"""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.tables import noise

Bits = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]
Totals = dict[str, list[int]]


class Batch:
    """Packed reports, shape (n, bytes). The columns of all questions are added up together, once."""

    def __init__(self, rows: kernels.Rows):
        self.rows = rows

    @cached_property
    def column_sums(self) -> Integers:
        return kernels.column_sums(self.rows)

    def field(self, start: int, width: int) -> "Field":
        return Field(self, start, width)


class Field:
    """A question's bits in a batch: `width` of them from bit `start` of each report on."""

    def __init__(self, batch: Batch, start: int, width: int):
        self._batch, self._start, self._width = batch, start, width

    @classmethod
    def of(cls, bits: Bits) -> "Field":
        """From plain bits, one row per report and one column per bit."""
        return Batch(np.packbits(bits, axis=1)).field(0, bits.shape[1])

    @property
    def n(self) -> int:
        return len(self._batch.rows)

    @property
    def column_sums(self) -> Integers:
        return np.asarray(self._batch.column_sums[self._start : self._start + self._width])

    def counts(self, offset: int = 0, width: int | None = None) -> Integers:
        """How often each number occurs in a part of the field, by default all of it; at most 16 bits."""
        width = self._width if width is None else width
        codes = kernels.codes(self._batch.rows, self._start + offset, width)
        return kernels.code_counts(codes, 1 << width)

    def pair_counts(self, pairs: int) -> Integers:
        """The counts over all of so many equal parts of the field."""
        width = self._width // pairs
        return np.asarray(np.sum([self.counts(k * width, width) for k in range(pairs)], axis=0))


def totals(field: Field, mechanism: str, d: int, table: Any) -> Totals:
    """Score totals per method and category of a question's field.

    `d` and `table` are those of mechanisms.of. A multiple choice also counts under "drawn" the reports of each item; a
    grid's totals are those of item 0, item 1, ... in one list.
    """
    return _TALLIES[mechanism](field, d, table)


def _randomized_response(field: Field, d: int, table: Any) -> Totals:
    return {"support": field.counts()[:d].tolist()}


def _bits(field: Field, d: int, table: Any) -> Totals:
    return {"support": field.column_sums.tolist()}


def _laplace(field: Field, d: int, table: Any) -> Totals:
    """A value y is packed as y + 2^m - 1 in m+1 bits: the first bit says y >= 1."""
    digits = len(table["magnitude"])
    columns = field.column_sums.reshape(d, digits + 1)
    values = _numbers(columns) - field.n * (2**digits - 1)
    return {"threshold": columns[:, 0].tolist(), "sum": values.tolist()}


def _noise(field: Field, d: int, table: Any) -> Totals:
    """A value y is packed as y + J: totals are linear in the bits."""
    columns = field.column_sums.reshape(d, noise.bin_width(table))
    values = _numbers(columns) - field.n * (len(table["noise"]) // 2)
    return {"sum": values.tolist()}


def _exponential(field: Field, d: int, table: Any) -> Totals:
    return {"inverse": field.counts()[:d].tolist()}


def _one_bit(field: Field, d: int, table: Any) -> Totals:
    return {"mean": field.column_sums.tolist()}


def _laplace_mean(field: Field, d: int, table: Any) -> Totals:
    return {"mean": field.counts()[: len(table["rows"][0]) + 1].tolist()}


def _multiple(field: Field, d: int, table: Any) -> Totals:
    """A pair is an item and its bit."""
    counts = field.pair_counts(table["sample"]).reshape(-1, 2)[:d]
    return {"support": counts[:, 1].tolist(), "drawn": counts.sum(axis=1).tolist()}


def _grid(field: Field, d: int, table: Any) -> Totals:
    """A pair is an item and its option."""
    counts = field.pair_counts(table["sample"]).reshape(-1, 1 << (d - 1).bit_length())
    return {"support": counts[: table["items"], :d].reshape(-1).tolist()}


def _numbers(columns: Integers) -> Integers:
    """The totals of numbers from the totals of their binary digits, the most significant first."""
    return np.asarray(columns @ (1 << np.arange(columns.shape[1] - 1, -1, -1, dtype=np.int64)))


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
