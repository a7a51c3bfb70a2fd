"""The chance that a sum of scores reaches a total, from its Fourier transform (M45)."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Complexes, Integers, Values
from ldp.inference import intervals


class Cells(NamedTuple):
    """Cells of the shares M/n of people, of equal width in the arc sine of the root of the share. On that scale the
    standard deviation of M/n is about the same in all cells."""

    low: float
    width: float
    number: int

    @classmethod
    def of(cls, least: float, most: float, width: float, ranges: int) -> "Cells":
        """Return cells between these shares, of at most this width, equally many in each of `ranges` ranges."""
        low, high = (math.asin(math.sqrt(share)) for share in (least, most))
        number = ranges * max(math.ceil((high - low) / width / ranges), 1)
        return cls(low, (high - low) / number, number)

    def place(self, share: float) -> int:
        """Return the number of the cell of a share, 0 and more."""
        place = int((math.asin(math.sqrt(share)) - self.low) / self.width)
        return min(max(place, 0), self.number - 1)

    def share(self, place: float) -> float:
        """Return the share at an edge of a cell, or inside it."""
        return math.sin(self.low + self.width * place) ** 2


class Frame:
    """Windows of N = size totals, their relevant frequencies and the shares that they serve. With w_k = e^(2 pi i k/N),
    the transform X and a window from `start`, P(T >= total) is

        (1/N) sum over k of X_k (w_k^total + ... + w_k^(start+N-1)),    a geometric series.

    `steps` are e^(-i turn score) - 1, (forms, turns); `cells` divide the shares.
    """

    def __init__(self, size: int, shares: tuple[float, float], kept: Integers, scores: Integers, cells: Cells) -> None:
        self.cells, self.size, self.shares, self.turns = cells, size, shares, 2 * np.pi * kept / size
        self.steps = np.exp(-1j * np.multiply.outer(scores, self.turns)) - 1
        self.series = lru_cache(maxsize=64)(self._compute_series)
        self._k, self._turn = kept[1:], 2j * np.pi / size
        # In an even length one frequency is its own mirror image.
        self._unit = np.where(2 * self._k == size, 1.0, 2.0) / (np.exp(self._turn * self._k) - 1)

    def chance(self, transform: Complexes, total: int, start: int) -> float:
        """Return P(T >= total), from a window that holds all totals."""
        return intervals.clamp(float((transform @ self.series(total, start)).real) / self.size)

    def _compute_series(self, total: int, start: int) -> Complexes:
        """Return the series of each frequency, 0 first."""
        total = min(max(total, start), start + self.size)
        first, last = (np.exp(self._turn * (self._k * (end % self.size) % self.size)) for end in (start, total))
        return np.append(start + self.size - total, self._unit * (first - last))


class Lot:
    """The law of T given that m of n people have the answer and forms are assigned by lot. It is known at pairs of
    turns of T and of M: the `places` of a table with `length` columns, sorted by column. `inside` and `outside` are the
    transforms of a report with the answer and with another, (forms, pairs); `numbers` are the forms' reports."""

    def __init__(
        self,
        numbers: Sequence[int],
        length: int,
        places: tuple[Integers, Integers],
        inside: Complexes,
        outside: Complexes,
    ) -> None:
        self._numbers, self._length, (self._rows, columns) = numbers, length, places
        self._columns, self._begins = np.unique(columns, return_index=True)
        self._outside, self._more = outside, inside - outside

    def sums(self, series: Complexes, share: float, numbers: Integers) -> Values:
        """Return the sum over turns of E e^(-i turn T) times each of the series, (k, turns), given that M is each of
        these `numbers`, (k, numbers). They must be near n times the share. The series at turn 0 of T gives P(M = m)."""
        products = _powers(self._outside + share * self._more, self._numbers)
        series = np.vstack((series, np.arange(series.shape[1]) == 0))
        waves = np.zeros((len(series), self._length), dtype=complex)
        waves[:, self._columns] = np.add.reduceat(series[:, self._rows] * products, self._begins, axis=1)
        sums = scipy.fft.ifft(waves, axis=1).real[:, numbers % self._length]
        return np.asarray(sums[:-1] / sums[-1])


def _powers(bases: Complexes, exponents: Sequence[int]) -> Complexes:
    """Return the product of the rows raised to these powers. The powers share their squarings."""
    product: Complexes = np.ones_like(bases[0])
    for bit in reversed(range(max(exponents).bit_length())):
        product *= product
        for base, exponent in zip(bases, exponents, strict=True):
            if exponent >> bit & 1:
                product *= base
    return product
