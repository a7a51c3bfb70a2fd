"""The covariance matrices of a release's estimates (M13): one for each question or item, method and target.

They are computed at the estimated shares projected on the simplex (M14), so that they belong to a possible truth and no
variance is negative. Where all estimates lie in [0, 1] and add up to 1 the diagonal holds the squares of the published
standard errors. For an inverted channel (M7) it is close to them: standard errors come from the scores' second moments.
Multiple choice has no matrix: each option has its own reports, and two options seldom share one.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.inference import estimates
from ldp.inference.estimates import TARGETS, onto_simplex, shares
from ldp.mechanisms import of
from ldp.question import Drawn
from ldp.scores import ChannelMoments, Counts, PairMoments, PooledPairs, ScoreMoments, Target, Totals


class Covariances(NamedTuple):
    """`question` is the key of a result; the matrix has a row and a column for each of the options."""

    question: str
    method: str
    target: Target
    options: list[str]
    matrix: Values


def of_question(question: Drawn, totals: Totals, n: int) -> Iterator[Covariances]:
    """Yield matrices of a definition's question, from its totals over n reports; nothing for a mean, which has one
    estimate."""
    if "options" not in question or "drawn" in totals:
        return
    randomizer = of(question)
    pairs = randomizer.pairs()
    for name, moments in randomizer.moments().items():
        for key, own, drawn in _parts(question, totals[name], n):
            for target in TARGETS:
                by: Target = "population" if drawn < n else target
                matrix = _matrix(moments, pairs.get(name), own, drawn, by)
                yield Covariances(key, name, target, question["options"], matrix)


def _parts(question: Drawn, totals: Counts, n: int) -> Iterator[tuple[str, Counts, int]]:
    """Yield each result's key, totals and number of reports; those without a report are left out."""
    if "items" not in question:
        yield question["key"], totals, n
        return
    d = len(question["options"])
    for place in range(len(question["items"])):
        own = totals[place * d : (place + 1) * d]
        if drawn := sum(own):
            yield f"{question['key']}.{place + 1}", own, drawn


def _matrix(
    moments: ScoreMoments, pair: PairMoments | PooledPairs | None, totals: Counts, n: int, target: Target
) -> Values:
    share = onto_simplex(shares(moments.scores(totals), n, moments))
    if isinstance(moments, ChannelMoments):
        return estimates.channel_covariance(share, n, estimates.channel_rows(moments), np.array(moments.phi()), target)
    assert pair is not None, "a method of several options has the law of its pairs"
    return estimates.covariance(share, n, moments, pair, target)
