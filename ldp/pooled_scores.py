"""The pooled score of several forms (M45): its whole-number weights, which follow from tables alone, and its moments.
Its law is in ldp.inference.pooled."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from ldp.scores import Part, PooledMoments, ScoreMoments

# Scores are the least whole numbers whose proportions are within NEAR of the best ones, at most SCORE_MAX.
NEAR, SCORE_MAX = Fraction(1, 20), 60


def moments(forms: Sequence[tuple[int, ScoreMoments]], d: int) -> tuple[ScoreMoments, tuple[int, ...]]:
    """Return the pooled score's moments for a question with d options, and the weight of a 1 in each form. `forms` has
    each form's n and the moments of its 0/1 scores. Forms with one channel keep its moments and weigh 1."""
    scores = whole_scores(tuple(channel for _, channel in forms), d)
    merged: dict[ScoreMoments, int] = {}
    for n, channel in forms:
        merged[channel] = merged.get(channel, 0) + n
    score_of = dict(zip((channel for _, channel in forms), scores, strict=True))
    parts = tuple(Part(n, channel, score_of[channel]) for channel, n in merged.items() if n)
    if len(parts) == 1:
        return parts[0].moments, tuple(1 for _ in forms)
    return of_parts(parts), scores


def every(forms: Sequence[tuple[int, ScoreMoments]], d: int) -> tuple[PooledMoments, tuple[int, ...]]:
    """Return moments with a part for every channel, even one without reports so far, and the weights. An interval for
    every look is one mixture from the first release on, so it must not depend on which form has results first."""
    scores = whole_scores(tuple(own for _, own in forms), d)
    merged: dict[ScoreMoments, Part] = {}
    for (n, own), score in zip(forms, scores, strict=True):
        merged[own] = Part(n + (merged[own].n if own in merged else 0), own, score)
    return of_parts(tuple(merged.values())), scores


def resized(moments: PooledMoments, n: int) -> PooledMoments:
    """Return the moments of about n reports in the same proportions of forms."""
    counts = [max(round(part.n * n / moments.n), int(part.n > 0)) for part in moments.parts]
    parts = zip(moments.parts, counts, strict=True)
    return of_parts(tuple(Part(count, part.moments, part.score) for part, count in parts))


@lru_cache(maxsize=128)
def of_parts(parts: tuple[Part, ...]) -> PooledMoments:
    """Return the moments of the pooled score of these parts."""
    n = sum(part.n for part in parts)

    def mean(power: int, values: Sequence[Fraction]) -> Fraction:
        # In whole numbers: a sum of fractions takes several times as long.
        scale = math.lcm(*(value.denominator for value in values))
        numerators = (
            part.n * part.score**power * value.numerator * (scale // value.denominator)
            for part, value in zip(parts, values, strict=True)
        )
        return Fraction(sum(numerators), n * scale)

    a, b = (mean(1, [getattr(part.moments, end) for part in parts]) for end in "ab")
    v_a, v_b = (mean(2, [getattr(part.moments, end) for part in parts]) for end in ("v_a", "v_b"))
    return PooledMoments(a, v_a, b, v_b, parts)


@lru_cache(maxsize=1024)
def whole_scores(channels: tuple[ScoreMoments, ...], d: int) -> tuple[int, ...]:
    """Return the weight of a 1 in each channel. ValueError unless scores are 0/1, likelier 1 for their own option."""
    if not all(channel.binary and channel.gap > 0 for channel in channels):
        raise ValueError("pooled scores must be 0 or 1, and likelier 1 for their own option")
    return whole_multiples([_best(channel, channel.b + channel.gap / d) for channel in channels])


def whole_multiples(best: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the least whole numbers within NEAR of a multiple of `best`, the largest at most SCORE_MAX. If there are
    none, return the multiple with the largest SCORE_MAX, rounded, at least 1."""
    shares = [each / max(best) for each in best]
    for largest in range(1, SCORE_MAX + 1):
        scores = [max(round(largest * share), 1) for share in shares]
        if all(abs(score / (largest * share) - 1) <= NEAR for score, share in zip(scores, shares, strict=True)):
            break
    return tuple(scores)


def _best(channel: ScoreMoments, pi: Fraction) -> Fraction:
    return channel.gap / (pi * (1 - pi))
