"""The chance that a sum of scores reaches a total, from its Fourier transform (M45)."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ldp.arrays import Complexes, Integers
from ldp.inference import intervals


class Frame:
    """Windows of N = size totals, their relevant frequencies and the shares that they serve. `steps` are e^(-i turn
    score) - 1, (forms, turns). With w_k = e^(2 pi i k/N), the transform X and a window from `start`, P(T >= total) is

        (1/N) sum over k of X_k (w_k^total + ... + w_k^(start+N-1)),    a geometric series.
    """

    def __init__(self, size: int, shares: tuple[float, float], kept: Integers, scores: Integers) -> None:
        self.size, self.shares, self.turns = size, shares, 2 * np.pi * kept / size
        self.steps = np.exp(-1j * np.multiply.outer(scores, self.turns)) - 1
        self._series = lru_cache(maxsize=64)(self._compute_series)
        self._k, self._turn = kept[1:], 2j * np.pi / size
        # In an even length one frequency is its own mirror image.
        self._unit = np.where(2 * self._k == size, 1.0, 2.0) / (np.exp(self._turn * self._k) - 1)

    def chance(self, transform: Complexes, total: int, start: int) -> float:
        """Return P(T >= total), from a window that holds all totals."""
        return intervals.clamp(float((transform @ self._series(total, start)).real) / self.size)

    def _compute_series(self, total: int, start: int) -> Complexes:
        """Return the series of each frequency, 0 first."""
        total = min(max(total, start), start + self.size)
        first, last = (np.exp(self._turn * (self._k * (end % self.size) % self.size)) for end in (start, total))
        return np.append(start + self.size - total, self._unit * (first - last))


class Lot:
    """The law of T if m of n people have the answer and a lot assigns forms, at pairs of turns of T and of M: `places`
    in a table of this shape. `inside` and `outside`, (forms, pairs), transform a report with the answer and with
    another. `numbers` are the forms' reports."""

    def __init__(
        self,
        numbers: Sequence[int],
        shape: tuple[int, ...],
        places: tuple[Integers, Integers],
        inside: Complexes,
        outside: Complexes,
    ) -> None:
        self._numbers, self._shape, self._places = numbers, shape, places
        self._outside, self._more = outside, inside - outside

    def transform(self, m: int) -> Complexes:
        """Return E e^(-i turn T) given M = m: the mean over turns of M, divided by P(M = m), its value at turn 0."""
        (rows, columns), (turns, length) = self._places, self._shape
        products = _powers(self._outside + m / sum(self._numbers) * self._more, self._numbers)
        products *= np.exp(2j * np.pi / length * (m * np.arange(length) % length))[columns]
        real, imaginary = (np.bincount(rows, part, turns) for part in (products.real, products.imag))
        return np.asarray((real + 1j * imaginary) / real[0])


def _powers(bases: Complexes, exponents: Sequence[int]) -> Complexes:
    """Return the product of the rows raised to these powers. The powers share their squarings."""
    product: Complexes = np.ones_like(bases[0])
    for bit in reversed(range(max(exponents).bit_length())):
        product *= product
        for base, exponent in zip(bases, exponents, strict=True):
            if exponent >> bit & 1:
                product *= base
    return product
