"""How many answers without privacy would tell a share as well (M21)."""

import numpy as np

from ldp.inference import estimates
from ldp.inference.reading.tallied import Tallied
from ldp.scores import ChannelMoments


def effective_n(tallied: Tallied, share: float) -> float | None:
    """n times the variance of an answer over that of a report, in a population with this share; None where the noise
    depends on the other answers."""
    if isinstance(tallied.moments, ChannelMoments):
        return None
    variance = float(estimates.unit_variances(np.array(share), tallied.moments, "population"))
    return tallied.n * share * (1 - share) / variance
