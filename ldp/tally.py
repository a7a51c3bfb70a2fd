"""Packed reports as what can be summed: the fields of the questions in a batch.

A mechanism's `tally` makes its score totals of a field, which is the sufficient statistic (M12). Totals of batches add,
so a survey of any size reduces to a few integers for each question.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.arrays import Integers

Bits = npt.NDArray[np.uint8]


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
        """How many reports have a 1 in each bit, shape (width,)."""
        return np.asarray(self._batch.column_sums[self._start : self._start + self._width])

    def number_sums(self, parts: int) -> Integers:
        """The totals of the numbers in so many equal parts of the field, shape (parts,), from those of their digits."""
        columns = self.column_sums.reshape(parts, -1)
        return np.asarray(columns @ (1 << np.arange(columns.shape[1] - 1, -1, -1, dtype=np.int64)))

    def counts(self, offset: int = 0, width: int | None = None) -> Integers:
        """How often each number occurs in a part of the field, by default all of it; at most 16 bits."""
        width = self._width if width is None else width
        codes = kernels.codes(self._batch.rows, self._start + offset, width)
        return kernels.code_counts(codes, 1 << width)

    def part_counts(self, parts: int) -> Integers:
        """How often each number occurs in any of so many equal parts of the field."""
        width = self._width // parts
        return np.asarray(np.sum([self.counts(k * width, width) for k in range(parts)], axis=0))
