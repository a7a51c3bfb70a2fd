"""Packed reports as what can be summed: the fields of the questions in a batch.

A mechanism's `tally` makes its score totals of a field, which is the sufficient statistic (M12). Totals of batches add,
so a survey of any size reduces to a few integers for each question.
"""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.arrays import Integers
from ldp.packing import subset

Bits = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

# Fields of so many bits are counted by their codes.
CODE_BITS = 16

# So many reports are multiplied at once: sums of so many ones are exact in single precision.
_CHUNK = 1 << 13


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

    def part_codes(self, parts: int) -> list[Integers]:
        """The number of each report in each of so many equal parts of the field, shape (n,) each."""
        width = self._width // parts
        starts = (self._start + k * width for k in range(parts))
        return [kernels.codes(self._batch.rows, start, width).astype(np.int64) for start in starts]

    def listed(self, counts: Sequence[int], sizes: Sequence[int]) -> Integers:
        """How many reports list each combination of options, shape `counts`, of a field of subsets one after the other,
        so many of the `counts` options of each (ldp/packing.py)."""
        if len(counts) == 1 and sizes[0] > 1:
            return self.column_sums
        if self._width <= CODE_BITS:
            return _opened(self.counts(), counts, sizes)
        half = _split(counts)
        whole = np.zeros((math.prod(counts[:half]), math.prod(counts[half:])))
        for start in range(0, self.n, _CHUNK):
            each = self._indicators(slice(start, start + _CHUNK), counts, sizes)
            whole += _products(each[:half]).T @ _products(each[half:])
        return np.rint(whole).astype(np.int64).reshape(counts)

    def _indicators(self, rows: slice, counts: Sequence[int], sizes: Sequence[int], start: int = 0) -> list[Floats]:
        """For each question which options a report lists, (rows, options)."""
        each, start, chunk = [], self._start + start, self._batch.rows[rows]
        for d, a in zip(counts, sizes, strict=True):
            width = subset(d, a).width
            if a == 1:
                each.append((kernels.codes(chunk, start, width)[:, None] == np.arange(d)).astype(np.float32))
            else:
                each.append(kernels.bits(chunk, start, width).astype(np.float32))
            start += width
        return each

    def listed_of_items(self, sample: int, items: int, d: int, size: int) -> Integers:
        """How many reports list each option of each item, (items, d), of a field of `sample` items, each followed by
        its subset."""
        place_bits, width = (items - 1).bit_length(), self._width // sample
        if width <= CODE_BITS:
            return _opened(self.part_counts(sample), (items, d), (1, size))
        whole = np.zeros((items, d))
        for part in range(sample):
            for start in range(0, self.n, _CHUNK):
                rows = slice(start, start + _CHUNK)
                one, other = self._indicators(rows, (items, d), (1, size), part * (place_bits + subset(d, size).width))
                whole += one.T @ other
        return np.rint(whole).astype(np.int64)


def _opened(counts: Integers, options: Sequence[int], sizes: Sequence[int]) -> Integers:
    """From how often each code of subsets came, how often each combination of options was listed."""
    cube = counts.reshape([1 << subset(d, a).width for d, a in zip(options, sizes, strict=True)])
    cube = cube[tuple(slice(d if a == 1 else 1 << d) for d, a in zip(options, sizes, strict=True))]
    for axis, (d, a) in enumerate(zip(options, sizes, strict=True)):
        if a > 1:
            bits = np.arange(1 << d)[:, None] >> np.arange(d - 1, -1, -1) & 1
            cube = np.moveaxis(np.tensordot(cube, bits, axes=(axis, 0)), -1, axis)
    return np.asarray(cube)


def _split(counts: Sequence[int]) -> int:
    """How many of several questions the first side has, where both sides have about as many combinations."""
    return min(range(1, len(counts)), key=lambda k: math.prod(counts[:k]) + math.prod(counts[k:]))


def _products(each: Sequence[Floats]) -> Floats:
    """For every report the products of its indicators, the last one's changing fastest."""
    whole = np.ones((len(each[0]), 1), dtype=np.float32)
    for one in each:
        whole = (whole[:, :, None] * one[:, None, :]).reshape(len(whole), -1)
    return whole
