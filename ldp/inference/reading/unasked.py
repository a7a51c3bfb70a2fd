"""What a share or mean would be if everybody had been asked a question that only some were (M34c; Manski 1989).

Whoever is not asked counts as the filler f. With u the share who were not asked, and w the filler's part in what is
estimated (1 of its own share, 0 of another one, of a mean its place from 0 to 1), those who were asked make up
theta' - u w. Whatever the others would have said, the whole lies between that and theta' + u (1 - w).

u is the share of the answers with which the question that decides does not lead on. Where its own filler is one that
does, those whom it was not put to are among them too. Of a multiple choice only a bound of u is known: at most all who
did not name the most common of the options. Where several questions decide, u is at most the sum of what each has kept
out if all must lead on, and the least of these if any is enough (Fréchet).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import several
from ldp.inference.reading.among import Bounds
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.tallied import Tallied, TalliedShare


class Decider(NamedTuple):
    """A question that decides: its categories with their totals, and the places of those that lead on. Of a multiple
    choice `rows` are those of the options that a report is about. `before` decides whom it was put to, where whoever it
    was not put to counts as somebody whose answer leads on."""

    rows: Sequence[TalliedShare]
    options: Sequence[int]
    multiple: bool
    before: "Deciders | None" = None


class Deciders(NamedTuple):
    """The questions that decide on one, and whether all of them must lead on, or any. `partial`: nothing is known of
    another one, or of an option that leads on, so fewer were not asked than these tell."""

    each: Sequence[Decider]
    joined: Callable[[Iterable[object]], bool] = all
    partial: bool = False

    @property
    def exact(self) -> bool:
        """Whether the share is known, not only a bound of it."""
        one = len(self.each) == 1 and not self.partial
        return one and all(
            not (each.multiple and len(each.options) > 1) and (each.before is None or each.before.exact)
            for each in self.each
        )


class Unasked(NamedTuple):
    """The share who were not asked, or a bound of it, cut to what is possible, and its upper limit."""

    estimate: float
    most: float


def unasked(deciders: Deciders, confidence: float) -> Unasked:
    """The share by the questions that decide, and behind them those on which it depends who was asked these."""
    whole = _excluded(deciders, intervals.bonferroni(confidence, _count(deciders)))
    return Unasked(min(max(whole.estimate, 0.0), 1.0), min(whole.most, 1.0))


def _count(deciders: Deciders) -> int:
    """All limits must hold at once, also where the least of them is taken."""
    return sum(1 + (_count(each.before) if each.before else 0) for each in deciders.each)


def _excluded(deciders: Deciders, level: float) -> Unasked:
    """At most the sum of the parts, and of those whom any would have let in at most the least."""
    parts = [_by_decider(each, level) for each in deciders.each]
    bound = sum if deciders.joined is all else min
    return Unasked(bound(part.estimate for part in parts), bound(part.most for part in parts))


def _by_decider(decider: Decider, level: float) -> Unasked:
    """Who gave another answer, and who was not asked; nobody is among both."""
    own = _multiple(decider, level) if decider.multiple else _single(decider, level)
    if decider.before is None:
        return own
    before = _excluded(decider.before, level)
    return Unasked(own.estimate + before.estimate, own.most + before.most)


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
    rows: Sequence[TalliedShare], fillers: Sequence[float], deciders: Deciders, confidence: float, items: int = 1
) -> list[Bounds]:
    """Bounds for each category, for the population; `fillers` are the filler's parts in them. The simultaneous
    intervals hold for all categories at once, and for those of `items` such questions."""
    shares = [unasked(deciders, 1 - (1 - confidence) * part) for part in (SPENT, SPENT / items)]
    left = [1 - (1 - confidence) * (1 - SPENT) / part for part in (1, together(rows) * items)]
    return [
        Bounds(
            *_ends(float(own.shares[j]), filler, shares[0].estimate, deciders.exact),
            *(_interval(own, j, filler, missing, level) for missing, level in zip(shares, left, strict=True)),
        )
        for (own, j), filler in zip(rows, fillers, strict=True)
    ]


def together(rows: Sequence[TalliedShare]) -> int:
    """How many of a question's bounds hold at once: of two answers that are mirror images one, as are their bounds,
    since a filler that is the one is not the other."""
    return 1 if rows[0][0].mirrored else len(rows)


def _ends(share: float, filler: float, missing: float, exact: bool) -> Interval:
    """Whatever is only a bound of those who were not asked takes more away than there may be, and is cut."""
    ends = share - missing * filler, share + missing * (1 - filler)
    return Interval(*ends) if exact else intervals.cut(*ends)


def _interval(own: Tallied, j: int, filler: float, missing: Unasked, level: float) -> Interval:
    """Both limits of theta' and the one of u hold together."""
    low, high = own.interval(j, level, "population")
    return intervals.cut(low - missing.most * filler, high + missing.most * (1 - filler))
