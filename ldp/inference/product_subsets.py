"""What is known of the lists of a draw by randomized response on product subsets, given answers (M44).

Of a question with d options of which a report lists a, z_k = (1{k is listed} - a/d)/g with g = (d - a)/(d - 1) has the
mean 1{x = k} - 1/d where the lists were made to contain the answers, x, and 0 where they are random. In either case the
lists of different questions are independent. So with lambda the chance of the former

    E[z_k w_l] = lambda (1{x = k} - 1/d)(1{y = l} - 1/d')

for the z of one question and the w of another of the same draw, and z_k/lambda + 1/d is unbiased for 1{x = k}.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp.arrays import Values


@dataclass(frozen=True)
class Listing:
    """`d` options, of which a report lists `a`."""

    d: int
    a: int

    @property
    def share(self) -> Fraction:
        """The chance that a random list has an option."""
        return Fraction(self.a, self.d)

    @property
    def gap(self) -> Fraction:
        """g."""
        return Fraction(self.d - self.a, self.d - 1)

    @property
    def variance(self) -> Fraction:
        """That of z_k of a random list."""
        return self.share * (1 - self.share) / self.gap**2

    def z(self, listed: Values) -> Values:
        """z of 0 and 1, any shape."""
        return np.asarray((listed - float(self.share)) / float(self.gap))

    @cached_property
    def random(self) -> Values:
        """E of (1, z)(1, z)' for a random list, (1 + d, 1 + d)."""
        d, a = self.d, self.a
        both = np.full((d, d), a * (a - 1) / (d * (d - 1)))
        np.fill_diagonal(both, float(self.share))
        return self._second(np.full(d, float(self.share)), both)

    @cached_property
    def kept(self) -> Values:
        """The same for a list that contains the answer, for each answer, (d, 1 + d, 1 + d)."""
        d, a = self.d, self.a
        other = (a - 1) / (d - 1)
        neither = (a - 1) * (a - 2) / ((d - 1) * (d - 2)) if d > 2 else 0.0
        found = []
        for x in range(d):
            mean, both = np.full(d, other), np.full((d, d), neither)
            mean[x] = 1.0
            both[x] = both[:, x] = other
            np.fill_diagonal(both, mean)
            found.append(self._second(mean, both))
        return np.stack(found)

    def _second(self, mean: Values, both: Values) -> Values:
        s, g = float(self.share), float(self.gap)
        second = np.ones((self.d + 1, self.d + 1))
        second[0, 1:] = second[1:, 0] = (mean - s) / g
        second[1:, 1:] = (both - s * (mean[:, None] + mean) + s**2) / g**2
        return second
