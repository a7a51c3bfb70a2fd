"""Discrete Gaussian noise in each bin (M6; Canonne, Kamath and Steinke 2020), (alpha, delta)-private.

The table is the narrowest curve exp(-k^2/(2 s^2)) that keeps delta. The delta is exact, not a bound (compare Balle and
Wang 2018). Table, report and proof are those of ldp.tables.noise.
"""

from fractions import Fraction

from ldp.exact import ListTable
from ldp.tables import noise

EXTRAS: tuple[str, ...] = ("delta",)


def table(alpha: Fraction, d: int, delta: Fraction = noise.DELTA) -> ListTable:
    """Return the table of least variance. ValueError if alpha and delta are too small for a table."""
    return noise.table(alpha, delta, offset=False)


certified = noise.certified
realized_alpha = noise.realized_alpha
realized_delta = noise.realized_delta
randomize = noise.randomize
moments = noise.moments
pairs = noise.pairs
packing = noise.packing
tally = noise.tally
