"""The exact coverage of published statements on a joint form's questions and cross-tables, for benchmarks.forms."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import stats

from benchmarks.shares import chances
from ldp import exact
from ldp.forms.marginals import JointTally
from ldp.inference import intervals
from ldp.inference.estimates import TARGETS
from ldp.mechanisms import randomized_response
from ldp.scores import ScoreMoments, Target

CONFIDENCE = 0.95
ALPHAS = ("0.5", "1", "2", "4", "8")
SIZES = (20, 200, 2000)
# The sizes of a form's questions, and the places of the question or cross-table that is looked at.
LOOKS = (
    ((2, 2), (0,)),
    ((2, 2), (0, 1)),
    ((2, 2, 2, 2), (0,)),
    ((2, 3, 4), (2,)),
    ((2, 3, 4), (1, 2)),
    ((5, 5), (0,)),
    ((5, 5), (0, 1)),
)
SHARES = np.concatenate((np.linspace(0, 1, 21), np.geomspace(1e-4, 0.04, 8)))
# For more respondents than MANY, only PLACES numbers with the answer are tried.
MANY, PLACES = 200, 9
LAWS = ((0.25, 0.25, 0.25, 0.25), (0.6, 0.1, 0.2, 0.1), (0.9, 0.02, 0.08, 0.0))


class Cell(NamedTuple):
    what: str
    alpha: str
    target: str
    n: int
    promised: float
    least: float

    @property
    def holds(self) -> bool:
        return self.least >= self.promised - 1e-9


def cells(alphas: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[Cell]:
    """Yield the coverage of a share or cell alone, and at the level at which all hold at once."""
    for (form, look), alpha, n, target in product(LOOKS, alphas, sizes, TARGETS):
        tally = JointTally(
            randomized_response.table(Fraction(alpha), form, (1,) * len(form)), form, (0,) * int(np.prod(form))
        )
        table = tally.tallied(*look)
        what = f"{' x '.join(str(form[k]) for k in look)} of {' x '.join(map(str, form))}"
        for level in (CONFIDENCE, intervals.bonferroni(CONFIDENCE, table.d)):
            yield Cell(what, alpha, target, n, level, least(table.moments, n, level, target))


def least(moments: ScoreMoments, n: int, level: float, target: Target) -> float:
    """Return the least coverage over shares, summed over the law of each total."""
    shares = SHARES if target == "population" else np.arange(n + 1) / n
    laws = chances(moments, n, shares, target) if target == "population" or n <= MANY else _some(moments, n)
    shares = shares if laws.shape[1] == len(shares) else _places(n) / n
    common = np.flatnonzero(laws.max(axis=1) > 1e-12)
    spans = np.array([intervals.exact(int(total), n, moments, level, target) for total in common])
    holds = (spans[:, :1] <= shares + 1e-12) & (shares - 1e-12 <= spans[:, 1:])
    return float(((laws[common] * holds).sum(axis=0)).min())


def _places(n: int) -> np.ndarray:
    return np.unique(np.concatenate((np.linspace(0, n, PLACES - 2), [1, n // 100])).astype(int))


def _some(moments: ScoreMoments, n: int) -> np.ndarray:
    """Return the chances of every total of n respondents, for each number with the answer, shape (n + 1, places)."""
    totals = np.arange(n + 1)
    laws = []
    for m in _places(n):
        inside = stats.binom.pmf(totals[: m + 1], m, float(moments.a))
        laws.append(np.convolve(inside, stats.binom.pmf(totals[: n - m + 1], n - m, float(moments.b))))
    return np.array(laws).T


def groups(alphas: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[Cell]:
    """Yield the coverage of shown shares within a group, for two yes/no questions under one alpha. Outcomes are summed;
    a share that is not shown counts as held. The least is over laws by which one survey of ten shows it."""
    for alpha, n in product(alphas, sizes):
        table = randomized_response.table(Fraction(alpha), (2, 2))
        lam = float(randomized_response.keep(table))
        found = [_within(table, (1 - lam) / 4 + lam * np.array(law), law, n) for law in LAWS]
        shown = [held for held, given in found if given > 0.1]
        if shown:
            yield Cell("share within a group of 2 x 2", alpha, "population", n, CONFIDENCE, min(shown))


def _within(table: exact.ListTable, reports: np.ndarray, law: tuple[float, ...], n: int) -> tuple[float, float]:
    truth, held, given = law[3] / (law[2] + law[3]), 0.0, 0.0
    whole = reports[2] + reports[3]
    for group in range(n + 1):
        weight = stats.binom.pmf(group, n, whole)
        splits = stats.binom.pmf(np.arange(group + 1), group, reports[3] / whole) if weight > 1e-9 else ()
        for both, chance in enumerate(splits):
            if chance < 1e-9:
                continue
            pair = JointTally(table, (2, 2), (n - group, 0, group - both, both)).pair(0, 1)
            span = pair.quotient(1, 1, CONFIDENCE)
            given += weight * chance * (span is not None)
            held += weight * chance * (span is None or span.low - 1e-9 <= truth <= span.high + 1e-9)
    return float(held), float(given)
