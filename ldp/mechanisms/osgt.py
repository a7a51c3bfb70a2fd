"""Noise with offset-symmetric Gaussian tails in each bin (M6; Sadeghi and Korki 2022), (alpha, delta)-private.

The shape exp(-(|k|+m)^2/(2 s^2)) is between Laplace and Gaussian noise; m and s give the least variance that keeps
alpha and delta. Table, report and proof are those of ldp.tables.noise. ldp.central.offset has the law in real numbers.
"""

from fractions import Fraction

from ldp.exact import ListTable
from ldp.tables import noise

EXTRAS: tuple[str, ...] = ("delta",)


def table(alpha: Fraction, d: int, delta: Fraction = noise.DELTA) -> ListTable:
    """Return the table of least variance. ValueError if alpha and delta are too small for a table."""
    return noise.table(alpha, delta, offset=True)


certified = noise.certified
realized_alpha = noise.realized_alpha
realized_delta = noise.realized_delta
randomize = noise.randomize
moments = noise.moments
pairs = noise.pairs
packing = noise.packing
tally = noise.tally
