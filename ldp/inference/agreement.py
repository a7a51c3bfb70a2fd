"""A test of whether the forms that ask a question agree (M45).

Forms are assigned by lot, so each asks a random sample of the same people. A question's shares therefore agree in all
forms, unless people with certain answers leave one form more than another, or a form's other questions change answers.
Let v_f be the contrasts of form f's shares, C_f their covariance (M13) at the pooled shares, and v the mean of the v_f
with weights C_f^-1. The statistic is the sum of (v_f - v)' C_f^-1 (v_f - v). If forms agree, it is chi-square with (F
- 1)(d - 1) degrees of freedom. For forms with the same randomized response it is Pearson's statistic of the numbers of
sent options.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from ldp import pooled_scores
from ldp.arrays import Values
from ldp.inference import estimates, pooled
from ldp.inference.estimates import onto_simplex
from ldp.inference.hypotheses import EXPECTED_MIN, ChiSquare, helmert
from ldp.scores import PairMoments, ScoreMoments


@dataclass(frozen=True)
class FormTotals:
    """A question's totals, (d,), over a form's n >= 1 reports. Its 0/1 scores have these moments and mean products."""

    n: int
    moments: ScoreMoments
    pair: PairMoments
    totals: tuple[int, ...]

    @property
    def shares(self) -> Values:
        return estimates.shares(self.totals, self.n, self.moments)


def pooled_shares(forms: Sequence[FormTotals]) -> Values:
    """Return the pooled estimates, shape (d,)."""
    d = len(forms[0].totals)
    moments, scores = pooled_scores.moments([(form.n, form.moments) for form in forms], d)
    totals = [pooled.total(counts, scores) for counts in zip(*(form.totals for form in forms), strict=True)]
    return estimates.shares(totals, sum(form.n for form in forms), moments)


def agreement(forms: Sequence[FormTotals]) -> ChiSquare | None:
    """Return the test of two or more forms; None if for some option a form expects fewer than 5 reports with a 1, or
    with a 0."""
    share = onto_simplex(pooled_shares(forms))
    if min(_least_expected(form, share) for form in forms) < EXPECTED_MIN:
        return None
    contrasts = helmert(len(share))
    values = [contrasts @ form.shares for form in forms]
    inverses = [
        np.linalg.inv(
            contrasts @ estimates.covariance(share, form.n, form.moments, form.pair, "population") @ contrasts.T
        )
        for form in forms
    ]
    weighted = sum(inverse @ value for inverse, value in zip(inverses, values, strict=True))
    mean = np.linalg.solve(sum(inverses), weighted)
    statistic = sum(
        float((value - mean) @ inverse @ (value - mean)) for value, inverse in zip(values, inverses, strict=True)
    )
    degrees = (len(forms) - 1) * len(contrasts)
    return ChiSquare(statistic, degrees, float(scipy.stats.chi2.sf(statistic, degrees)))


def _least_expected(form: FormTotals, share: Values) -> float:
    chances = float(form.moments.b) + float(form.moments.gap) * share
    return form.n * float(np.minimum(chances, 1 - chances).min())
