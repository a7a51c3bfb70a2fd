"""A check that intervals of the unseen respondent (M30) hold, for many surveys at once and without their ends."""

import numpy as np
import numpy.typing as npt

from ldp.inference import unseen_batch

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.bool_]


def tails(
    values: Values, counts: Values, truth: npt.ArrayLike, lowest: Places | bool, highest: Places | bool
) -> Values:
    """Return the smaller of the two chances that decide whether an interval of the mean score holds the truth, shape
    (rows,).

    At confidence c the interval holds if this is above (1 - c)/2. Values and counts have shape (rows, v); the extreme
    values of a row are the unseen respondent's. A truth that is `lowest` or `highest` possible is not missed beyond:
    the interval is cut to it.
    """
    means = np.broadcast_to(np.asarray(truth, dtype=np.float64), len(values))
    above = unseen_batch.chances_above(values - means[:, None], counts, values.max(axis=1) - means)
    below = unseen_batch.chances_above(means[:, None] - values, counts, means - values.min(axis=1))
    return np.minimum(np.where(lowest, 1.0, above), np.where(highest, 1.0, below))
