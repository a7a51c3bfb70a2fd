"""The precision that a number of people allows, and the number that a precision needs (M46)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ldp.exact import ALPHA_MAX
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design, Keys
from ldp.planning.design_columns import Columns
from ldp.planning.design_outcomes import expected_for, outcome, question_prices
from ldp.planning.design_proposals import Proposal, propose
from ldp.search import N_MOST

# Precisions are shown for these numbers of most important questions.
_NUMBERS = (1, 3)
# The most proposals made to find a number of people at which some form gets too few reports; none for more questions or
# pairs than these.
_TRIES, _TRIED_QUESTIONS, _TRIED_PAIRS = 14, 6, 15


class Possible(NamedTuple):
    """The precision if only these questions are asked: `least` and `most` are half-widths, infinite where nothing is
    published."""

    keys: Keys
    least: float
    most: float
    proposal: Proposal


def possible(brief: Brief) -> list[Possible]:
    """Return the precision of one question, of three, and of all, the most important first, without wishes or pairs."""
    plain = replace(brief, crossed="none", questions=tuple(each._replace(wished=None) for each in brief.questions))
    order = sorted(brief.questions, key=lambda each: (-each.importance, each.wished or math.inf))
    counts = [count for count in _NUMBERS if count < len(brief.questions)]
    chosen = [_closed(brief, [each.key for each in order[:count]]) for count in counts]
    return [_possible(plain.only(keys)) for keys in dict.fromkeys([*chosen, tuple(e.key for e in brief.questions)])]


def _possible(brief: Brief) -> Possible:
    proposal = propose(brief)
    widths = proposal.outcome.half_widths.values()
    return Possible(tuple(each.key for each in brief.questions), min(widths), max(widths), proposal)


def _closed(brief: Brief, keys: list[str]) -> Keys:
    """The keys, plus the questions that must be in one report with them, plus one question that forms can ask."""
    free = {each.key for each in brief.free}
    left = {*keys} if free & {*keys} else {*keys, next(iter(sorted(free)))}
    while more := {key for pair in brief.together if left & {*pair} for key in pair} - left:
        left |= more
    return tuple(each.key for each in brief.questions if each.key in left)


# The price list -------------------------------------------------------------------------------------------------------

ChangeName = Literal["drop", "mean", "merge", "alpha", "people", "uncross"]


@dataclass(frozen=True)
class Change:
    """A brief with one change: a question dropped with its dependents, a scale asked for its mean alone, options merged
    to a number, a larger total, more people, or no pair to be crossed."""

    name: ChangeName
    brief: Brief
    key: str = ""
    number: str = ""

    @property
    def proposal(self) -> Proposal:
        """ValueError where its questions cannot be asked."""
        return propose(self.brief)


def changes(brief: Brief) -> Iterator[Change]:
    """Yield changes that would make shares more precise."""
    for each in brief.questions:
        left = [other.key for other in brief.questions if other.key not in _closed(brief, [each.key])]
        if {*left} & {other.key for other in brief.free}:
            yield Change("drop", brief.only(left), each.key)
    for each in brief.free:
        yield from _simpler(brief, each)
    if brief.total + 1 <= ALPHA_MAX:
        yield Change("alpha", replace(brief, total=brief.total + 1), number=str(brief.total + 1))
    yield Change("people", replace(brief, n=2 * brief.n), number=str(2 * brief.n))
    if brief.pairs:
        yield Change("uncross", replace(brief, crossed="none"))


def _simpler(brief: Brief, question: BriefQuestion) -> Iterator[Change]:
    """Half as many options, and for a scale its mean alone."""
    planned = question.asked
    if planned.mechanism or planned.delta:
        return
    if planned.kind == "ordered":
        yield Change("mean", _with(brief, question, PlannedQuestion("mean", Size(0))), question.key)
    if planned.kind in ("single_choice", "ordered", "histogram", "date") and planned.size.d > 3:
        d = (planned.size.d + 1) // 2
        merged = planned._replace(size=planned.size._replace(d=d))
        yield Change("merge", _with(brief, question, merged), question.key, str(d))


def _with(brief: Brief, question: BriefQuestion, planned: PlannedQuestion) -> Brief:
    changed = question._replace(asked=planned)
    return replace(brief, questions=tuple(changed if each is question else each for each in brief.questions))


# How many people are needed -------------------------------------------------------------------------------------------


def people(brief: Brief, half_width: float, key: str = "") -> int | None:
    """Return about the least n whose proposal has no wider interval (of the question with this key, if one is named);
    None where N_MOST are too few. From some n on all designs are the same, and the result is exact. With fewer people
    some forms get too few reports, so proposals are made; for many questions none are, and the result is the n from
    which on all designs are the same."""
    keys = (key,) if key else tuple(each.key for each in brief.questions)
    large = replace(brief, n=N_MOST)
    design, columns = propose(large).design, Columns(large)
    prices = question_prices(columns, design.parts)
    enough = _least(lambda n: max(prices[k].half_width(n, brief.target) for k in keys) <= half_width, 0, N_MOST + 1)
    published = expected_for(brief.fewest) / min(part for part, _ in design.parts) if design.forms else brief.fewest
    if enough > N_MOST:
        return None
    if enough >= published:
        return enough

    def reaches(n: int) -> bool:
        return max(propose(replace(brief, n=n)).outcome.half_widths[k] for k in keys) <= half_width

    tries = _TRIES if len(brief.free) <= _TRIED_QUESTIONS and len(brief.pairs) <= _TRIED_PAIRS else 0
    return _least(reaches, brief.fewest - 1, max(math.ceil(published), enough), tries)


def people_with(brief: Brief, design: Design, half_width: float) -> int | None:
    """Return the least n with which this very design has no wider interval; None where N_MOST are too few."""

    def reaches(n: int) -> bool:
        widths = outcome(Columns(replace(brief, n=n)), design).half_widths
        return max(widths.values()) <= half_width

    n = _least(reaches, 0, N_MOST + 1)
    return n if n <= N_MOST else None


def _least(reaches: Callable[[int], bool], low: int, high: int, tries: int = 64) -> int:
    """The least number above `low` that reaches it, where `high` does, or the least that was tried."""
    while high - low > 1 and tries:
        middle, tries = (low + high) // 2, tries - 1
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
