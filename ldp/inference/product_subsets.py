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
from ldp.inference.together import second_moments


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
        return self._of_z(second_moments(self.a, self.d)[1])

    @cached_property
    def containing(self) -> Values:
        """E of (1, z)(1, z)' for a list that contains the answer, for each answer, (d, 1 + d, 1 + d)."""
        return self._of_z(second_moments(self.a, self.d)[0])

    def _of_z(self, moments: Values) -> Values:
        """From those of (1, Z), Z being 0 or 1."""
        turn = np.eye(1 + self.d) / float(self.gap)
        turn[0, 0], turn[1:, 0] = 1, -float(self.share / self.gap)
        return np.asarray(turn @ moments @ turn.T)
