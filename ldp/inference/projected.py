"""Presentable shares, at least 0 and with sum 1 (M14): projected, and biased.

They stand beside the unbiased estimate, never in its place: averages, differences and intervals need the unbiased one.
"""

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values


def onto_simplex(estimates: npt.ArrayLike) -> Values:
    """The shares nearest to the estimates in the Euclidean distance, shape (d,).

    They are max(estimate - c, 0) with the one c that makes the sum 1 (Held, Wolfe and Crowder 1974).
    """
    v = np.asarray(estimates, dtype=np.float64)
    falling = np.sort(v)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(v) + 1)
    kept = np.nonzero(falling > excess)[0][-1]
    return np.asarray(np.maximum(v - excess[kept], 0.0))
