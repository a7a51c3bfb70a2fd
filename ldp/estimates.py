"""Unbiased shares and their standard errors from score totals (M12)."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp.scores import ScoreLaw

Target = Literal["population", "respondents"]
TARGETS: tuple[Target, ...] = ("population", "respondents")
Shares = npt.NDArray[np.float64]


def shares(totals: npt.ArrayLike, n: int, law: ScoreLaw) -> Shares:
    """The unbiased estimates (S_j/n - b)/(a - b), shape (d,). They may be negative or above one."""
    return (np.asarray(totals, dtype=np.float64) / n - float(law.b)) / float(law.gap)


def standard_errors(estimates: Shares, n: int, law: ScoreLaw, target: Target) -> Shares:
    """Estimated standard errors, shape (d,): the variance of M12 at the estimates cut to [0, 1].

    For the target "population" sampling and randomization count, for "respondents" the randomization alone.
    """
    share = np.clip(estimates, 0.0, 1.0)
    gap = float(law.gap)
    variance = share * float(law.v_a) + (1 - share) * float(law.v_b)
    if target == "population":
        variance = variance + gap**2 * share * (1 - share)
    return np.sqrt(variance / n) / abs(gap)
