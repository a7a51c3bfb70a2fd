"""The scores and the guarantee of any channel, by linear algebra: the twin of the statements about single channels."""

import math

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values


def channel_scores(channel: npt.ArrayLike) -> Values:
    """Return phi[z, j] with E[phi_j(z) | truth x] = [x = j], shape (k, d): a report's unbiased contribution to each
    share.

    `channel` is Q[x, z], shape (d, k) of rank d <= k. If k = d, phi is the inverse of Q. If k > d, phi is the right
    inverse with the least variance at equal shares: D^-1 Q' (Q D^-1 Q')^-1, where D has the chances of the outputs at
    equal shares. A subset selection, written out over all its subsets, has the scores of M12.
    """
    q = np.asarray(channel, dtype=np.float64)
    scaled = q / q.mean(axis=0)
    return np.asarray(np.linalg.solve(q @ scaled.T, scaled).T)


def channel_shares(counts: npt.ArrayLike, scores: Values) -> Values:
    """Return the unbiased shares, shape (d,), from the counts of the k outputs and the scores of `channel_scores`."""
    numbers = np.asarray(counts, dtype=np.float64)
    return np.asarray(numbers @ scores / numbers.sum())


def guarantee(channel: npt.ArrayLike) -> float:
    """Return the alpha of a channel Q[x, z]: the largest log ratio in a column. It is infinite if a column has zeros
    beside positive chances."""
    rows = np.asarray(channel, dtype=np.float64)
    rows = rows[:, rows.max(axis=0) > 0]
    with np.errstate(divide="ignore"):
        return float(np.log(rows.max(axis=0) / rows.min(axis=0)).max())


def excess(channel: npt.ArrayLike, alpha: float) -> float:
    """Return the delta of a channel at this alpha: the largest sum over z of max(Q[x, z] - e^alpha Q[x', z], 0)."""
    rows = np.asarray(channel, dtype=np.float64)
    pairs = rows[:, None, :] - math.exp(alpha) * rows[None, :, :]
    return float(np.maximum(pairs, 0.0).sum(axis=2).max())
