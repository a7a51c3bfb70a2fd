"""Sums over the fields of questions in a batch of packed reports.

A mechanism's `tally` computes score totals, the sufficient statistic, from a field (M12). Totals of batches add up, so
a survey of any size becomes a few integers for each question.
"""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.arrays import Integers
from ldp.packing import subset
from ldp.subsets import Counts, Items, Sizes, symbols

Bits = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

# Fields of at most this many bits are counted by code.
CODE_BITS = 16

# Number of reports multiplied at once. Their sums are exact in single precision.
_CHUNK = 1 << 13


class Batch:
    """Packed reports, shape (n, bytes). All questions' columns are summed together, once."""

    def __init__(self, rows: kernels.Rows):
        self.rows = rows

    @cached_property
    def column_sums(self) -> Integers:
        return kernels.column_sums(self.rows)

    def field(self, start: int, width: int) -> "Field":
        return Field(self, start, width)


class Field:
    """A question's bits in a batch: `width` bits of each report, from bit `start`."""

    def __init__(self, batch: Batch, start: int, width: int):
        self._batch, self._start, self._width = batch, start, width

    @classmethod
    def of(cls, bits: Bits) -> "Field":
        """Return the field of unpacked bits, a row for each report, a column for each bit."""
        return Batch(np.packbits(bits, axis=1)).field(0, bits.shape[1])

    @property
    def n(self) -> int:
        return len(self._batch.rows)

    @property
    def column_sums(self) -> Integers:
        """The number of reports with a 1 in each bit, shape (width,)."""
        return np.asarray(self._batch.column_sums[self._start : self._start + self._width])

    def number_sums(self, parts: int) -> Integers:
        """Return the totals of the numbers in `parts` equal parts of the field, (parts,), from sums of bits."""
        columns = self.column_sums.reshape(parts, -1)
        return np.asarray(columns @ (1 << np.arange(columns.shape[1] - 1, -1, -1, dtype=np.int64)))

    def counts(self, offset: int = 0, width: int | None = None) -> Integers:
        """Return how often each number occurs in a part of the field, by default all of it; at most 16 bits."""
        width = self._width if width is None else width
        codes = kernels.codes(self._batch.rows, self._start + offset, width)
        return kernels.code_counts(codes, 1 << width)

    def part_counts(self, parts: int) -> Integers:
        """Return how often each number occurs, summed over `parts` equal parts of the field."""
        width = self._width // parts
        return np.asarray(np.sum([self.counts(k * width, width) for k in range(parts)], axis=0))

    def part_codes(self, parts: int) -> list[Integers]:
        """Return the reports' numbers in each of `parts` equal parts of the field, each of shape (n,)."""
        width = self._width // parts
        starts = (self._start + k * width for k in range(parts))
        return [kernels.codes(self._batch.rows, start, width).astype(np.int64) for start in starts]

    def listed(self, counts: Counts, sizes: Sizes) -> Integers:
        """Return how many reports list each combination of options. The field has the questions' subsets in order,
        `sizes` of the `counts` options (ldp/packing.py). Each question has an axis; for Items the axis has the first
        item's options, then the next item's."""
        if len(counts) == 1 and sizes[0] != 1:
            return self.column_sums
        plain = all(isinstance(options, int) for options in counts)
        if plain and self._width <= CODE_BITS:
            return _opened(self.counts(), cast(Sequence[int], counts), cast(Sequence[int], sizes))
        shape = [symbols(options) for options in counts]
        half = _split(shape)
        whole = np.zeros((math.prod(shape[:half]), math.prod(shape[half:])))
        for start in range(0, self.n, _CHUNK):
            each = self._indicators(slice(start, start + _CHUNK), counts, sizes)
            whole += _products(each[:half]).T @ _products(each[half:])
        return np.rint(whole).astype(np.int64).reshape(shape)

    def _indicators(self, rows: slice, counts: Counts, sizes: Sizes, start: int = 0) -> list[Floats]:
        """Return 0/1 arrays of the options that reports list, one of shape (rows, options) for each question."""
        each: list[Floats] = []
        for options, size in zip(counts, sizes, strict=True):
            if isinstance(options, Items):
                own, width = self._indicators_of_items(rows, options, cast(Sequence[int], size), start)
            else:
                own, width = self._indicators_of_one(rows, options, cast(int, size), start)
            each.append(own)
            start += width
        return each

    def _indicators_of_one(self, rows: slice, d: int, a: int, start: int) -> tuple[Floats, int]:
        """Return a question's listed options, (rows, d), from bit `start` of the field, and the number of bits read."""
        at, chunk, width = self._start + start, self._batch.rows[rows], subset(d, a).width
        if a == 1:
            return (kernels.codes(chunk, at, width)[:, None] == np.arange(d)).astype(np.float32), width
        return kernels.bits(chunk, at, width).astype(np.float32), width

    def _indicators_of_items(self, rows: slice, options: Items, size: Sequence[int], start: int) -> tuple[Floats, int]:
        """Return the listed options of Items, (rows, items d), and the number of bits read. An item that was not drawn
        lists none."""
        (drawn, a), begin = size, start
        whole = np.zeros((len(self._batch.rows[rows]), options.items, options.d), dtype=np.float32)
        for _ in range(drawn):
            one, place_bits = self._indicators_of_one(rows, options.items, 1, start)
            other, width = self._indicators_of_one(rows, options.d, a, start + place_bits)
            whole += one[:, :, None] * other[:, None, :]
            start += place_bits + width
        return whole.reshape(len(whole), -1), start - begin

    def listed_of_items(self, sample: int, items: int, d: int, size: int) -> Integers:
        """Return how many reports list each option of each item, (items, d). The field has `sample` items, each
        followed by its subset."""
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
    """Return how often each combination of options was listed, from the counts of the subsets' codes."""
    cube, opened = counts, 1
    for d, a in zip(options, sizes, strict=True):
        cube = cube.reshape(opened, 1 << subset(d, a).width, -1)
        cube = cube[:, :d] if a == 1 else _members(d) @ cube
        opened *= d
    return cube.reshape(tuple(options))


@lru_cache(maxsize=CODE_BITS)
def _members(d: int) -> Integers:
    """Return which options each code of a subset of d options lists, (d, 2^d)."""
    return np.asarray(np.arange(1 << d) >> np.arange(d - 1, -1, -1)[:, None] & 1)


def _split(counts: Sequence[int]) -> int:
    """Return how many questions come first when a split leaves about equally many combinations on both sides."""
    return min(range(1, len(counts)), key=lambda k: math.prod(counts[:k]) + math.prod(counts[k:]))


def _products(each: Sequence[Floats]) -> Floats:
    """Return the products of each report's indicators, (n, combinations); the last question changes fastest."""
    whole = np.ones((len(each[0]), 1), dtype=np.float32)
    for one in each:
        whole = (whole[:, :, None] * one[:, None, :]).reshape(len(whole), -1)
    return whole
