"""What dishonest or broken clients could do to an estimate, and whether the reports look like the mechanism (M15b)."""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp.inference.hypotheses import ChiSquare
from ldp.scores import ScoreMoments

# Cells of a chi-square test are joined until each expects this many reports, the usual rule (Cochran 1954).
EXPECTED_MIN = 5.0


def influence(moments: ScoreMoments, span: int = 1) -> float:
    """R: n times the most that one report can move a share. `span` is the score's largest value minus its least."""
    return float(Fraction(span) / abs(moments.gap))


def shift(m: int, n: int, moments: ScoreMoments, span: int = 1) -> float:
    """The most that m of n reports can move a share, m R / n."""
    return m * influence(moments, span) / n


def reports_needed(margin: float, n: int, moments: ScoreMoments, span: int = 1) -> int:
    """m*: the least number of reports that can move a share by this margin, the least m with m R / n >= margin.

    The result may exceed n: then all reports together could not.
    """
    return math.ceil(margin * n / influence(moments, span))


def ones_law(moments: ScoreMoments, d: int) -> npt.NDArray[np.float64]:
    """Chances of 0..d ones in a report of d independent bits, one of them true: Bernoulli(p) + Binomial(d-1, q).

    It is the same whatever the answers are, so that the check below needs to know none.
    """
    p, q = float(moments.a), float(moments.b)
    others = stats.binom.pmf(np.arange(d), d - 1, q)
    return np.asarray(np.append((1 - p) * others, 0.0) + np.append(0.0, p * others))


def health_check(counts: npt.ArrayLike, law: npt.ArrayLike) -> ChiSquare:
    """Whether counts of 0, 1, ... (ones per report, magnitudes, ...) fit a law with the same number of cells.

    It finds broken clients and crude forgeries, never all forgeries: who draws from the mechanism for an invented
    answer looks like everybody else. No report is dropped on its word. With fewer than two cells left the p-value is 1.
    """
    observed, expected = _joined(np.asarray(counts, dtype=np.float64), np.asarray(law, dtype=np.float64))
    statistic = float(((observed - expected) ** 2 / expected).sum())
    degrees = len(observed) - 1
    return ChiSquare(statistic, degrees, float(stats.chi2.sf(statistic, degrees)) if degrees else 1.0)


def _joined(
    counts: npt.NDArray[np.float64], law: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Neighbouring cells joined from the left until each expects EXPECTED_MIN; the rest joins the last."""
    if counts.shape != law.shape:
        raise ValueError(f"counts have {counts.size} cells and the law {law.size}")
    expected = counts.sum() * law
    ends, filled = [], 0.0
    for cell, weight in enumerate(expected):
        filled += weight
        if filled >= EXPECTED_MIN:
            ends.append(cell + 1)
            filled = 0.0
    starts = np.array([0, *ends[:-1]])
    return np.add.reduceat(counts, starts), np.add.reduceat(expected, starts)
