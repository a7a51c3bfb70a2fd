"""Many respondents at once, for tests, planning and teaching. NOT private: nothing here may touch an answer.

A numpy Generator draws with floating-point comparisons, so randomness and chances differ from those of the exact
samplers (M1); the laws agree to about 1e-16. Reports appear as their scores. The chances p and q are a and b of the
moments. Every function takes the generator last.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp import exact
from ldp.scores import ScoreMoments

Answers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.int64]


def answers(shares: npt.ArrayLike, n: int, generator: np.random.Generator) -> Answers:
    """Return n true categories drawn from a population with these shares, shape (n,)."""
    chances = np.asarray(shares, dtype=np.float64)
    return np.asarray(generator.choice(len(chances), size=n, p=chances))


def population_counts(shares: npt.ArrayLike, n: int, surveys: int, generator: np.random.Generator) -> Answers:
    """Return true counts per category in many surveys with n respondents, shape (surveys, d)."""
    return np.asarray(generator.multinomial(n, np.asarray(shares, dtype=np.float64), size=surveys))


# Totals of many surveys at once, from true counts (surveys, d): no report is drawn ------------------------------------


def randomized_response_totals(counts: npt.ArrayLike, moments: ScoreMoments, generator: np.random.Generator) -> Scores:
    """Return score totals of M2, shape (surveys, d): reports with the same truth are multinomial. Raise ValueError if
    reports list several options."""
    true = np.asarray(counts, dtype=np.int64)
    d = true.shape[1]
    _check_one_listed(d, moments)
    channel = float(moments.b) + float(moments.gap) * np.eye(d)
    return np.asarray(sum(generator.multinomial(true[:, x], channel[x] / channel[x].sum()) for x in range(d)))


def _check_one_listed(d: int, moments: ScoreMoments) -> None:
    if moments.a + (d - 1) * moments.b != 1:
        raise ValueError("of randomized response by which a report lists one option")


def bit_totals(counts: npt.ArrayLike, moments: ScoreMoments, generator: np.random.Generator) -> Scores:
    """Return score totals of M3, or M5 by threshold, (surveys, d): Binomial(c, p) + Binomial(n - c, q) for each."""
    true = np.asarray(counts, dtype=np.int64)
    others = true.sum(axis=1, keepdims=True) - true
    return np.asarray(generator.binomial(true, float(moments.a)) + generator.binomial(others, float(moments.b)))


# Scores of the reports of one survey, from true categories (n,) -------------------------------------------------------


def randomized_response(true: Answers, d: int, moments: ScoreMoments, generator: np.random.Generator) -> Scores:
    """Return M2's scores, one 1 per report, shape (n, d). Raise ValueError if reports list several options."""
    _check_one_listed(d, moments)
    shift = np.floor(generator.random(len(true)) / float(moments.b)).astype(np.int64) + 1
    return np.eye(d, dtype=np.int64)[(true + np.where(shift < d, shift, 0)) % d]


def bits(true: Answers, d: int, moments: ScoreMoments, generator: np.random.Generator) -> Scores:
    """Return the scores of M3, or M5 by threshold: independent bits, shape (n, d)."""
    chances = float(moments.b) + float(moments.gap) * np.eye(d)[true]
    return (generator.random((len(true), d)) < chances).astype(np.int64)


def subsets(true: Answers, d: int, m: int, moments: ScoreMoments, generator: np.random.Generator) -> Scores:
    """Return M44's scores, m ones per report, (n, d). The truth is in with chance p; random keys choose the rest."""
    keys = generator.random((len(true), d))
    keys[np.arange(len(true)), true] = np.where(generator.random(len(true)) < float(moments.a), -1.0, 2.0)
    chosen = np.argsort(keys, axis=1)[:, :m]
    scores = np.zeros((len(true), d), dtype=np.int64)
    np.put_along_axis(scores, chosen, 1, axis=1)
    return scores


def laplace(true: Answers, d: int, table: Mapping[str, Any], generator: np.random.Generator) -> Scores:
    """Return M5's noisy bins, shape (n, d)."""
    flips = generator.random((len(true), d)) < table["flip"] / exact.RESOLUTION
    ones = flips != (np.arange(d) == true[:, None])
    magnitude = np.zeros((len(true), d), dtype=np.int64)
    for k, threshold in enumerate(table["magnitude"]):
        magnitude += (generator.random((len(true), d)) < threshold / exact.RESOLUTION).astype(np.int64) << k
    return np.where(ones, 1 + magnitude, -magnitude)


def outputs(true: Answers, channel: npt.ArrayLike, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return output indices of any channel Q[x, z] with few outputs, shape (n,)."""
    cumulated = np.cumsum(np.asarray(channel, dtype=np.float64), axis=1)[:, :-1]
    return np.asarray((generator.random(len(true))[:, None] >= cumulated[true]).sum(axis=1))
