"""A share or mean among the people who were asked a question, if only some were (M34d), and its bounds if everyone had
been asked (M34c; Manski 1989).

People who are not asked count as the filler f. Let u be their share, and w the filler's part in the estimated number: 1
in the filler's share, 0 in another share; in a mean, its place from 0 to 1. The people who were asked contribute
theta' - u w. For any answers of the others the whole lies between theta' - u w and theta' + u (1 - w).

u is the share of answers to the deciding question that do not lead on. If its own filler leads on, people who were not
asked the deciding question count in u too. If several questions decide, or several options of a multiple choice, u is
estimated from single reports (conditions.py). Their totals alone only bound u: for a multiple choice by everyone who
did not name the most common of the options; for several questions by the sum of their parts if all must lead on, and by
the least part if any is enough (Fréchet). A question without reports may keep out no one, or everyone. If people who
were not asked all count as one answer, u is also at most that answer's share theta'.

Among the people who were asked, the number is (theta' - u w)/(1 - u). It is monotone in each of theta' and u. So if an
interval of each holds, the number lies between its values at their ends. If reports only bound u, these ends are those
of all shares that the bounds allow, and there is no estimate.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ldp.document import ConditionTally
from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import conditions, several
from ldp.inference.reading.among import HALF_WIDTHS_MIN, Bounds
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.tallied import Tallied, TalliedShare
from ldp.scores import Target

CONFIDENCE = 0.95  # decides whether there is an estimate, and its standard error, at every confidence of a reader
LEAST = 1e-12  # the least divisor


class Decider(NamedTuple):
    """A deciding question: its categories with their totals, and the places of the answers that lead on. For a multiple
    choice `rows` has the options with reports; `partial`: an option that leads on has none. `before` are the questions
    that decide on this one, if its filler leads on."""

    rows: Sequence[TalliedShare]
    options: Sequence[int]
    multiple: bool
    before: "Deciders | None" = None
    partial: bool = False


UNKNOWN = Decider((), (), False, partial=True)  # no report is about the question


class Deciders(NamedTuple):
    """The questions that decide on one, and whether `all` of them must lead on, or `any`. `tally`: scores of single
    reports, which show the share of people not asked. `filled`: the answer to the question itself that everyone who was
    not asked counts as."""

    each: Sequence[Decider]
    joined: Callable[[Iterable[object]], bool] = all
    tally: ConditionTally | None = None
    filled: TalliedShare | None = None

    @property
    def by_totals(self) -> bool:
        """Return whether totals show the share of people not asked, and do not just bound it."""
        return len(self.each) == 1 and all(
            not (each.partial or (each.multiple and len(each.options) > 1))
            and (each.before is None or each.before.by_totals)
            for each in self.each
        )

    @property
    def exact(self) -> bool:
        return self.tally is not None or self.by_totals


class Unasked(NamedTuple):
    """The share of people who were not asked, or its bound, with its limits."""

    estimate: float
    most: float
    least: float = 0.0


def unasked(deciders: Deciders, confidence: float, target: Target = "population") -> Unasked:
    """Return the share of people who were not asked, cut to [0, 1], from the questions that decide, also through
    others."""
    if deciders.tally is not None:
        low, high = conditions.interval(deciders.tally, confidence)
        whole = Unasked(1 - conditions.estimate(deciders.tally), 1 - low, 1 - high)
    else:
        whole = _bounded(deciders, confidence, target)
    return Unasked(min(max(whole.estimate, 0.0), 1.0), min(whole.most, 1.0), max(whole.least, 0.0))


def _bounded(deciders: Deciders, confidence: float, target: Target) -> Unasked:
    """Return the share from totals. If totals only bound it, it is at most the filler's share."""
    if deciders.filled is None or deciders.by_totals:
        return _excluded(deciders, intervals.bonferroni(confidence, _count(deciders)), target)
    level, (own, j) = intervals.bonferroni(confidence, _count(deciders) + 1), deciders.filled
    whole, most = _excluded(deciders, level, target), own.interval(j, level, target).high
    return Unasked(min(whole.estimate, float(own.shares[j])), min(whole.most, most), whole.least)


def _count(deciders: Deciders) -> int:
    """Return the number of limits. All must hold at once, even if only the least is used."""
    return sum(1 + (_count(each.before) if each.before else 0) for each in deciders.each)


def _excluded(deciders: Deciders, level: float, target: Target) -> Unasked:
    """Return the bounds. If all deciders must lead on: at most the sum of the parts, at least the largest. If any is
    enough: at most the least part, at least the sum less k - 1."""
    parts = [_by_decider(each, level, target) for each in deciders.each]
    bound = sum if deciders.joined is all else min
    leasts = [part.least for part in parts]
    least = max(leasts) if deciders.joined is all else max(0.0, sum(leasts) - (len(parts) - 1))
    return Unasked(bound(part.estimate for part in parts), bound(part.most for part in parts), least)


def _by_decider(decider: Decider, level: float, target: Target) -> Unasked:
    """Return the people with another answer plus those who were not asked this question; no one is in both."""
    if not decider.rows:
        return Unasked(1.0, 1.0)
    own = _multiple(decider, level, target) if decider.multiple else _single(decider, level, target)
    if decider.before is None:
        return own
    before = _excluded(decider.before, level, target)
    return Unasked(own.estimate + before.estimate, own.most + before.most, own.least + before.least)


def _single(decider: Decider, level: float, target: Target) -> Unasked:
    own = decider.rows[0][0]
    others = [j for j in range(own.d) if j not in decider.options]
    span = several.interval(own, others, level, target)
    return Unasked(several.estimate(own, others), span.high, span.low)


def _multiple(decider: Decider, level: float, target: Target) -> Unasked:
    rows = [decider.rows[j] for j in decider.options]
    each = intervals.bonferroni(level, len(rows))
    named = max(float(own.shares[j]) for own, j in rows)
    spans = [own.interval(j, each, target) for own, j in rows]
    least = 0.0 if decider.partial else max(0.0, 1 - sum(span.high for span in spans))
    return Unasked(1 - named, 1 - max(span.low for span in spans), least)


def bounds(
    rows: Sequence[TalliedShare], fillers: Sequence[float], deciders: Deciders, confidence: float, items: int = 1
) -> list[Bounds]:
    """Return bounds for each category, for the population. `fillers` are the filler's parts w in them. Simultaneous
    intervals hold for all categories at once, and for `items` questions."""
    shares = [unasked(deciders, 1 - (1 - confidence) * part) for part in (SPENT, SPENT / items)]
    left = [1 - (1 - confidence) * (1 - SPENT) / part for part in (1, together(rows) * items)]
    return [
        Bounds(
            *_ends(float(own.shares[j]), filler, shares[0].estimate, deciders.exact),
            *(_interval(own, j, filler, missing, level) for missing, level in zip(shares, left, strict=True)),
        )
        for (own, j), filler in zip(rows, fillers, strict=True)
    ]


class Reached(NamedTuple):
    """A number among the people who were asked. The standard error is that of uncut intervals."""

    estimate: float | None
    standard_error: float
    interval: Interval
    simultaneous: Interval


def readable(deciders: Deciders, target: Target = "population") -> bool:
    """Return whether a quotient can be estimated: the share of people who were asked is known and large enough."""
    one = _at_confidence(deciders, target)
    reach = max(one.most - one.estimate, one.estimate - one.least)
    return deciders.exact and 1 - one.estimate >= max(HALF_WIDTHS_MIN * reach, LEAST)


def _at_confidence(deciders: Deciders, target: Target) -> Unasked:
    return unasked(deciders, 1 - (1 - CONFIDENCE) * SPENT, target)


def among_reached(
    rows: Sequence[TalliedShare],
    fillers: Sequence[float],
    deciders: Deciders,
    confidence: float,
    items: int = 1,
    target: Target = "population",
) -> list[Reached]:
    """Return each category's number among the people who were asked. `estimate` is None unless `readable`."""
    shares = [unasked(deciders, 1 - (1 - confidence) * part, target) for part in (SPENT, SPENT / items)]
    left = [1 - (1 - confidence) * (1 - SPENT) / part for part in (1, together(rows) * items)]
    one, has_estimate, numbers = _at_confidence(deciders, target), readable(deciders, target), []
    for (own, j), filler in zip(rows, fillers, strict=True):
        spans = [
            _among(own.interval(j, level, target), filler, missing) for missing, level in zip(shares, left, strict=True)
        ]
        estimate = without_filler(float(own.shares[j]), filler, one.estimate) if has_estimate else None
        numbers.append(Reached(estimate, _standard_error(own, j, filler, one, target, has_estimate), *spans))
    return numbers


def number_among(
    estimate: float,
    at: Callable[[float], Interval],
    filler: float,
    deciders: Deciders,
    confidence: float,
    least: float = 0.0,
) -> tuple[float, Interval]:
    """Return a share, or with `least` -1 a difference of shares, among the people who were asked, and its interval, cut
    to [least, 1]. `estimate` and its interval `at(confidence)` are the population's; `filler` is the filler's part in
    them. If too few people were asked for a quotient, the estimate is the middle of the interval."""
    missing = unasked(deciders, 1 - (1 - confidence) * SPENT)
    ends = uncut(at(1 - (1 - confidence) * (1 - SPENT)), filler, missing)
    span = Interval(*(intervals.clamp(end, least) for end in ends))
    if not readable(deciders):
        return (span.low + span.high) / 2, span
    return without_filler(estimate, filler, _at_confidence(deciders, "population").estimate), span


def _standard_error(own: Tallied, j: int, filler: float, missing: Unasked, target: Target, has_estimate: bool) -> float:
    """Return half the interval over z. The interval unites the published one and the normal one around the nearest
    possible share. Without an estimate its length counts as at most 1, because it may be a quotient by nothing."""
    span, share = own.interval(j, 1 - (1 - CONFIDENCE) * (1 - SPENT), target), min(max(float(own.shares[j]), 0.0), 1.0)
    reach = intervals.z(CONFIDENCE) * own.standard_error(j, target)
    low, high = uncut(Interval(min(span.low, share - reach), max(span.high, share + reach)), filler, missing)
    return (high - low if has_estimate else min(high - low, 1.0)) / 2 / intervals.z(CONFIDENCE)


def without_filler(share: Any, filler: Any, missing: Any) -> Any:
    """Return (theta' - u w)/(1 - u), the share or mean of the people who were asked, exactly for fractions."""
    return (share - missing * filler) / max(1 - missing, LEAST)


def _among(span: Interval, filler: float, missing: Unasked) -> Interval:
    return intervals.cut(*uncut(span, filler, missing))


def uncut(span: Interval, filler: float, missing: Unasked) -> Interval:
    """Return the range of the quotient over the ends of both intervals."""
    ends = [without_filler(end, filler, share) for end in span for share in (missing.least, missing.most)]
    return Interval(min(ends), max(ends))


def together(rows: Sequence[TalliedShare]) -> int:
    """Return the number of a question's bounds that hold at once. Two mirrored answers have one, because their bounds
    are mirrored too: a filler that is one answer is not the other."""
    return 1 if rows[0][0].mirrored else len(rows)


def _ends(share: float, filler: float, missing: float, exact: bool) -> Interval:
    """Return the estimated bounds. They are cut to [0, 1] unless `exact`, because an upper bound of u may subtract too
    much."""
    ends = share - missing * filler, share + missing * (1 - filler)
    return Interval(*ends) if exact else intervals.cut(*ends)


def _interval(own: Tallied, j: int, filler: float, missing: Unasked, level: float) -> Interval:
    """Return the interval of both bounds. The limits of theta' and of u hold at once."""
    low, high = own.interval(j, level, "population")
    return intervals.cut(low - missing.most * filler, high + missing.most * (1 - filler))
