"""What a share or mean would be if everybody had been asked a question that only some were (M34c; Manski 1989).

Whoever is not asked counts as the filler f. With u the share who were not asked, and w the filler's part in what is
estimated (1 of its own share, 0 of another one, of a mean its place from 0 to 1), those who were asked make up
theta' - u w. Whatever the others would have said, the whole lies between that and theta' + u (1 - w).

u is the share of the answers with which the question that decides does not lead on. Where its own filler is one that
does, those whom it was not put to are among them too. Of a multiple choice only a bound of u is known: at most all who
did not name the most common of the options.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import several
from ldp.inference.reading.among import Bounds
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.reading.tallied import Tallied

Row = tuple[Tallied, int]


class Decider(NamedTuple):
    """A question that decides: its categories with their totals, and the places of those that lead on. Of a multiple
    choice `rows` are those of the options that a report is about."""

    rows: Sequence[Row]
    options: Sequence[int]
    multiple: bool


class Unasked(NamedTuple):
    """The share who were not asked, cut to what is possible, and its upper limit."""

    estimate: float
    most: float


def unasked(deciders: Sequence[Decider], confidence: float) -> Unasked:
    """The share by the question that decides, and behind it each whose filler does not keep people from what comes
    next."""
    level = intervals.bonferroni(confidence, len(deciders))
    parts = [_multiple(each, level) if each.multiple else _single(each, level) for each in deciders]
    estimate, most = sum(part.estimate for part in parts), sum(part.most for part in parts)
    return Unasked(min(max(estimate, 0.0), 1.0), min(most, 1.0))


def _single(decider: Decider, level: float) -> Unasked:
    own = decider.rows[0][0]
    others = [j for j in range(own.d) if j not in decider.options]
    return Unasked(several.estimate(own, others), several.interval(own, others, level, "population").high)


def _multiple(decider: Decider, level: float) -> Unasked:
    rows = [decider.rows[j] for j in decider.options]
    each = intervals.bonferroni(level, len(rows))
    named = max(float(own.shares[j]) for own, j in rows)
    return Unasked(1 - named, 1 - max(own.interval(j, each, "population").low for own, j in rows))


def bounds(
    rows: Sequence[Row], fillers: Sequence[float], deciders: Sequence[Decider], confidence: float, items: int = 1
) -> list[Bounds]:
    """Bounds for each category, for the population; `fillers` are the filler's parts in them. The simultaneous
    intervals hold for all categories at once, and for those of `items` such questions."""
    shares = [unasked(deciders, 1 - (1 - confidence) * part) for part in (SPENT, SPENT / items)]
    left = [1 - (1 - confidence) * (1 - SPENT) / part for part in (1, len(rows) * items)]
    return [
        Bounds(
            float(own.shares[j]) - shares[0].estimate * filler,
            float(own.shares[j]) + shares[0].estimate * (1 - filler),
            *(_interval(own, j, filler, missing, level) for missing, level in zip(shares, left, strict=True)),
        )
        for (own, j), filler in zip(rows, fillers, strict=True)
    ]


def _interval(own: Tallied, j: int, filler: float, missing: Unasked, level: float) -> Interval:
    """Both limits of theta' and the one of u hold together."""
    low, high = own.interval(j, level, "population")
    return intervals.cut(low - missing.most * filler, high + missing.most * (1 - filler))
