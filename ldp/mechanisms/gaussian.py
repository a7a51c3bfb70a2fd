"""Discrete Gaussian noise in each bin (M6; Canonne, Kamath and Steinke 2020), (alpha, delta)-private.

The widest curve exp(-k^2/(2 s^2)) that is needed, by the exact delta of its table (compare Balle and Wang 2018) instead
of a bound. ListTable, report and proof are those of ldp.tables.noise.
"""

from fractions import Fraction

from ldp.exact import ListTable
from ldp.tables import noise

EXTRAS: tuple[str, ...] = ("delta",)


def table(alpha: Fraction, d: int, delta: Fraction = noise.DELTA) -> ListTable:
    """ValueError where alpha and delta are too small for a table."""
    return noise.table(alpha, delta, offset=False)


certified = noise.certified
realized_alpha = noise.realized_alpha
realized_delta = noise.realized_delta
randomize = noise.randomize
moments = noise.moments
pairs = noise.pairs
packing = noise.packing
tally = noise.tally
