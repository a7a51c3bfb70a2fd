"""Sums over many packed reports, near the speed of memory: the hot loops of a tally.

Reports are the rows of a uint8 array, most significant bits first. Totals of 0/1 scores are column sums. Totals of
categories are counts of codes. No mechanism is known here.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp.arrays import Integers

Rows = npt.NDArray[np.uint8]
WordArray = npt.NDArray[np.uint64]
Codes = npt.NDArray[Any]  # of uint8 or uint16

# About a dozen slices of this many bytes are in use at once. Together they fit into a core's cache.
_SLICE = 1 << 16


def column_sums(rows: Rows) -> Integers:
    """Return the number of rows with a 1 in each bit column, shape (8 w,), from bytes, shape (n, w)."""
    n, width = rows.shape
    slice_rows = max(8, 1 << (min(n, _SLICE // max(width, 1)) - 1).bit_length())
    sums = np.zeros(8 * width, dtype=np.int64)
    for weight, plane in _Adder(_slices(rows, slice_rows), slice_rows * width // 8).planes:
        sums += weight * _plain_sums(plane.view(np.uint8), width)
    return sums


def _slices(rows: Rows, slice_rows: int) -> Iterator[WordArray]:
    """Yield the rows as equal slices of 64-bit words; zeros fill the last slice. Rows may have any width."""
    whole = len(rows) // slice_rows * slice_rows
    words = np.ascontiguousarray(rows[:whole]).reshape(-1).view(np.uint64)
    yield from words.reshape(whole // slice_rows, slice_rows * rows.shape[1] // 8)
    if whole < len(rows):
        last = np.zeros((slice_rows, rows.shape[1]), dtype=np.uint8)
        last[: len(rows) - whole] = rows[whole:]
        yield last.reshape(-1).view(np.uint64)


def _plain_sums(plane: Rows, width: int) -> Integers:
    """Return the column sums of one slice, unpacked as at most 128 long rows: a byte counts only to 255."""
    long = plane.reshape(min(128, len(plane) // width), -1)
    sums = np.add.reduce(np.unpackbits(long, axis=1), axis=0, dtype=np.uint8)
    return np.asarray(sums.reshape(-1, 8 * width).sum(axis=0, dtype=np.int64))


class _Adder:
    """A carry-save adder. It adds equal slices of bits lane by lane, 64 lanes to a word, without unpacking them.

    A full adder turns three slices of one weight into a slice of that weight and a carry of twice the weight. Each
    weight has a running slice and at most one waiting slice, so n slices cost n full adders of five operations.
    """

    def __init__(self, slices: Iterable[WordArray], size: int):
        """Add all the slices, of `size` words each, without changing them."""
        self._size = size
        self._running: list[WordArray] = []
        self._waiting: list[WordArray | None] = []
        self._free: list[WordArray] = []
        self._scratch = np.empty(size, dtype=np.uint64)
        for piece in slices:
            self._push(0, piece)

    @property
    def planes(self) -> list[tuple[int, WordArray]]:
        """The remaining slices with their weights. Their weighted sum is the sum of all slices added."""
        left = [(1 << k, plane) for k, plane in enumerate(self._running)]
        return left + [(1 << k, plane) for k, plane in enumerate(self._waiting) if plane is not None]

    def _push(self, k: int, piece: WordArray) -> None:
        if k == len(self._running):
            self._running.append(np.zeros(self._size, dtype=np.uint64))
            self._waiting.append(None)
        partner = self._waiting[k]
        if partner is None:
            self._waiting[k] = piece
            return
        carry = self._add(self._running[k], partner, piece)
        self._waiting[k] = None
        if k:  # pieces of weight 1 are views of the reports; the adder made all others and reuses them
            self._free += [partner, piece]
        self._push(k + 1, carry)

    def _add(self, running: WordArray, b: WordArray, c: WordArray) -> WordArray:
        """Return the carries of running + b + c, and turn `running` into the low bits."""
        carry = self._free.pop() if self._free else np.empty(self._size, dtype=np.uint64)
        half = np.bitwise_xor(running, b, out=self._scratch)
        np.bitwise_and(running, b, out=carry)
        np.bitwise_xor(half, c, out=running)
        half &= c
        carry |= half
        return carry


def codes(rows: Rows, start: int, width: int) -> Codes:
    """Return the field of `width` <= 16 bits from bit `start` of each row as a number, shape (n,). Numbers of up to 8
    bits are uint8, longer ones uint16."""
    first, shift = divmod(start, 8)
    last = (start + width - 1) // 8
    dtype = np.dtype(f"u{1 << last - first}")  # the field touches one, two or three bytes, which one, two or four hold
    window = rows[:, first].astype(dtype)
    for k in range(first + 1, last + 1):
        window = window << 8 | rows[:, k]
    kept: Codes = np.asarray(window >> (8 * (last - first + 1) - shift - width) & ((1 << width) - 1))
    return kept.astype(np.uint8 if width <= 8 else np.uint16)


def bits(rows: Rows, start: int, width: int) -> Rows:
    """Return bits start..start+width-1 of each row, shape (n, width)."""
    first, last = start // 8, (start + width + 7) // 8
    unpacked = np.unpackbits(np.ascontiguousarray(rows[:, first:last]), axis=1)
    return np.asarray(unpacked[:, start - 8 * first :][:, :width])


def code_counts(values: Codes, size: int) -> Integers:
    """Return the count of each of 0..size-1 among the codes, (size,). Many bytes are counted in pairs."""
    if values.dtype != np.uint8 or len(values) < 1 << 16:
        return np.asarray(np.bincount(values, minlength=size))
    even = len(values) // 2 * 2
    pairs = np.bincount(np.ascontiguousarray(values[:even]).view(np.uint16), minlength=1 << 16).reshape(256, 256)
    counts = pairs.sum(axis=0) + pairs.sum(axis=1)
    if even < len(values):
        counts[values[even]] += 1
    return np.asarray(counts[:size])
