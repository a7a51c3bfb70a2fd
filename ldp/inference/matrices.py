"""The covariance matrices of a release's estimates (M13): one for each question or item, method and target.

They are computed at the estimated shares projected onto the simplex (M14), so they belong to a possible truth and no
variance is negative. If all estimates are in [0, 1] and add up to 1, the diagonal has the squares of the published
standard errors. An inverted channel (M7) is close to that: its standard errors come from the scores' second moments. A
multiple choice has no matrix: each option has separate reports, and two options seldom share one.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.inference import estimates, tallied
from ldp.inference.estimates import TARGETS, onto_simplex, shares
from ldp.inference.tallied import Tallied
from ldp.mechanisms import of
from ldp.question import Drawn
from ldp.scores import ChannelMoments, Counts, PairMoments, PooledPairs, ScoreMoments, Target, Totals


class Covariances(NamedTuple):
    """One matrix, with a row and a column for each option. `question` is the key of a result."""

    question: str
    method: str
    target: Target
    options: list[str]
    matrix: Values


def of_question(question: Drawn, totals: Totals, n: int) -> Iterator[Covariances]:
    """Yield the matrices of a definition's question from its totals over n reports; none for a mean, which has one
    estimate."""
    if "options" not in question or "drawn" in totals:
        return
    for key, name, each in _parts(question, totals, n):
        for target in TARGETS:
            matrix = _matrix(each.moments, each.pair, each.totals, each.n, each.target(target))
            yield Covariances(key, name, target, question["options"], matrix)


def _parts(question: Drawn, totals: Totals, n: int) -> Iterator[tuple[str, str, Tallied]]:
    """Yield the key, method and totals of each matrix, leaving out any without a report."""
    if "items" in question:
        [name] = totals
        yield from ((key, name, each) for key, each in tallied.of_question(question, totals, n))
        return
    randomizer = of(question)
    pairs = randomizer.pairs()
    for name, moments in randomizer.moments().items():
        yield question["key"], name, Tallied(moments, pairs.get(name), totals[name], n)


def _matrix(
    moments: ScoreMoments, pair: PairMoments | PooledPairs | None, totals: Counts, n: int, target: Target
) -> Values:
    share = onto_simplex(shares(moments.scores(totals), n, moments))
    if isinstance(moments, ChannelMoments):
        return estimates.channel_covariance(share, n, estimates.channel_rows(moments), np.array(moments.phi()), target)
    assert pair is not None, "a method of several options has the law of its pairs"
    return estimates.covariance(share, n, moments, pair, target)
