"""What a report counts in a pooled score of several forms (M45), from their tables alone: whole numbers, and the
moments of the score that they make. ldp.inference.pooled has its law."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from ldp.scores import Part, PooledMoments, ScoreMoments

# Scores are the least whole numbers that are so near to the best ones, or those out of so many.
NEAR, SCORE_MAX = Fraction(1, 20), 60


def moments(forms: Sequence[tuple[int, ScoreMoments]], d: int) -> tuple[ScoreMoments, tuple[int, ...]]:
    """The moments of the pooled score of n >= 1 reports of forms whose 0/1 scores have these, of a question with d
    options, and what a 1 counts in each form. Forms of one channel have its channel moments, and count 1."""
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
    """As `moments`, with a part of each channel, also of those without reports as yet: what holds at every release is
    one mixture from the first release on, whichever forms that was of."""
    scores = whole_scores(tuple(own for _, own in forms), d)
    merged: dict[ScoreMoments, Part] = {}
    for (n, own), score in zip(forms, scores, strict=True):
        merged[own] = Part(n + (merged[own].n if own in merged else 0), own, score)
    return of_parts(tuple(merged.values())), scores


def resized(moments: PooledMoments, n: int) -> PooledMoments:
    """The moments of about n reports, in the same proportions."""
    counts = [max(round(part.n * n / moments.n), int(part.n > 0)) for part in moments.parts]
    parts = zip(moments.parts, counts, strict=True)
    return of_parts(tuple(Part(count, part.moments, part.score) for part, count in parts))


def of_parts(parts: tuple[Part, ...]) -> PooledMoments:
    """The moments of the pooled score of these."""
    n = sum(part.n for part in parts)

    def mean(values: Sequence[Fraction]) -> Fraction:
        return sum((part.n * value for part, value in zip(parts, values, strict=True)), Fraction(0)) / n

    a, b = (mean([part.score * getattr(part.moments, end) for part in parts]) for end in "ab")
    v_a, v_b = (mean([part.score**2 * getattr(part.moments, end) for part in parts]) for end in ("v_a", "v_b"))
    return PooledMoments(a, v_a, b, v_b, parts)


@lru_cache(maxsize=1024)
def whole_scores(channels: tuple[ScoreMoments, ...], d: int) -> tuple[int, ...]:
    """What a 1 counts in each of these channels."""
    if not all(channel.binary and channel.gap > 0 for channel in channels):
        raise ValueError("pooled are 0/1 scores that speak for their option")
    return whole_multiples([_best(channel, channel.b + channel.gap / d) for channel in channels])


def whole_multiples(best: Sequence[Fraction]) -> tuple[int, ...]:
    """The least whole numbers within NEAR of a multiple of these, the largest at most SCORE_MAX; where there are none,
    those that are nearest with that largest, and at least 1."""
    shares = [each / max(best) for each in best]
    for largest in range(1, SCORE_MAX + 1):
        scores = [max(round(largest * share), 1) for share in shares]
        if all(abs(score / (largest * share) - 1) <= NEAR for score, share in zip(scores, shares, strict=True)):
            break
    return tuple(scores)


def _best(channel: ScoreMoments, pi: Fraction) -> Fraction:
    return channel.gap / (pi * (1 - pi))
