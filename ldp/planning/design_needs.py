"""The precision that a number of people allows, and the number of people that a precision needs (M46)."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ldp.exact import ALPHA_MAX
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design, Keys
from ldp.planning.design_columns import Columns
from ldp.planning.design_outcomes import expected_for, outcome
from ldp.planning.design_proposals import Proposal, is_large, propose
from ldp.planning.design_widths import Widths
from ldp.search import N_MOST

# Precisions are shown for these numbers of most important questions.
_NUMBERS = (1, 3)
# The search for a number of people makes at most this many proposals: for wishes, or if some form gets too few reports.
# Without wishes it makes none for briefs with more questions or pairs than these.
_TRIES, _TRIED_QUESTIONS, _TRIED_PAIRS = 14, 6, 15


class Possible(NamedTuple):
    """The precision if only these questions are asked. The half-widths are infinite if nothing is published."""

    keys: Keys
    least: float
    most: float
    proposal: Proposal


def possible(brief: Brief) -> list[Possible]:
    """Return the precision for the most important question, the three most important, and all, without wishes or pairs.
    A set is left out if a question has no mechanism alone because the total exceeds the largest alpha."""
    plain = replace(brief, crossed="none", questions=tuple(each._replace(wished=None) for each in brief.questions))
    order = sorted(brief.questions, key=lambda each: (-each.importance, each.wished or math.inf))
    counts = [count for count in _NUMBERS if count < len(brief.questions)]
    chosen = [_closed(brief, [each.key for each in order[:count]]) for count in counts]
    possible_sets = []
    for keys in dict.fromkeys([*chosen, tuple(each.key for each in brief.questions)]):
        with suppress(ValueError):
            possible_sets.append(_possible(plain.only(keys)))
    return possible_sets


def _possible(brief: Brief) -> Possible:
    proposal = propose(brief)
    widths = proposal.outcome.half_widths.values()
    return Possible(tuple(each.key for each in brief.questions), min(widths), max(widths), proposal)


def _closed(brief: Brief, keys: list[str]) -> Keys:
    """Return the keys, their questions that must be in one report, and one question that forms can ask."""
    free = {each.key for each in brief.free}
    left = {*keys} if free & {*keys} else {*keys, next(iter(sorted(free)))}
    while more := {key for pair in brief.together if left & {*pair} for key in pair} - left:
        left |= more
    return tuple(each.key for each in brief.questions if each.key in left)


# The price list -------------------------------------------------------------------------------------------------------

ChangeName = Literal["drop", "mean", "merge", "alpha", "people", "uncross"]


@dataclass(frozen=True)
class Change:
    """A brief with one change: a question dropped with its dependents, a scale asked only for its mean, options merged
    to `number`, a larger total, more people, or no pair to cross. `standing` is the earlier design if it also meets the
    changed brief."""

    name: ChangeName
    brief: Brief
    key: str = ""
    number: str = ""
    standing: Design | None = None

    @property
    def proposal(self) -> Proposal:
        """The proposal for the changed brief. ValueError if its questions cannot be asked."""
        return propose(self.brief, self.standing)


def changes(brief: Brief, standing: Design | None = None) -> Iterator[Change]:
    """Yield changes that would make shares more precise, for a survey with the design `standing`."""
    for each in brief.questions:
        left = [other.key for other in brief.questions if other.key not in _closed(brief, [each.key])]
        if {*left} & {other.key for other in brief.free}:
            yield Change("drop", brief.only(left), each.key)
    for each in brief.free:
        yield from _simpler(brief, each)
    if brief.total + 1 <= ALPHA_MAX:
        more = replace(brief, total=brief.total + 1)
        yield Change("alpha", more, number=str(more.total), standing=standing)
    yield Change("people", replace(brief, n=2 * brief.n), number=str(2 * brief.n), standing=standing)
    if brief.pairs:
        yield Change("uncross", replace(brief, crossed="none"), standing=standing)


def _simpler(brief: Brief, question: BriefQuestion) -> Iterator[Change]:
    """Yield the changes to half as many options, and from a scale to its mean alone."""
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


# The number of people -------------------------------------------------------------------------------------------------


def people(brief: Brief, half_width: float, key: str = "") -> int | None:
    """Return about the least n whose proposal has no interval wider than `half_width`, for all questions or the one
    with this key; None if N_MOST people are too few. Without wishes all designs are the same from some n on, and the
    result is exact. With wishes, or if some forms get too few reports, proposals are compared. For many questions they
    are not, and the result is that of the design for very many people."""
    keys = (key,) if key else tuple(each.key for each in brief.questions)
    large = replace(brief, n=N_MOST)
    design = propose(large).design
    widths = Widths(large, design, design.parts)
    enough = _least(lambda n: max(widths.at(key, n) for key in keys) <= half_width, 0, N_MOST + 1)
    published = expected_for(brief.fewest) / min(part for part, _ in design.parts) if design.forms else brief.fewest
    if enough > N_MOST:
        return None

    def reaches(n: int) -> bool:
        return max(propose(replace(brief, n=n)).outcome.half_widths[k] for k in keys) <= half_width

    few = len(brief.free) <= _TRIED_QUESTIONS and len(brief.pairs) <= _TRIED_PAIRS
    high = max(math.ceil(published), enough)
    wishes = any(each.wished for each in brief.questions) and not is_large(brief)
    return _least(reaches, brief.fewest - 1, high, _TRIES if wishes or (few and high > enough) else 0)


def people_with(brief: Brief, design: Design, half_width: float) -> int | None:
    """Return the least n at which this design has no interval wider than `half_width`; None if more than N_MOST."""

    def reaches(n: int) -> bool:
        widths = outcome(Columns(replace(brief, n=n)), design).half_widths
        return max(widths.values()) <= half_width

    n = _least(reaches, 0, N_MOST + 1)
    return n if n <= N_MOST else None


def _least(reaches: Callable[[int], bool], low: int, high: int, tries: int = 64) -> int:
    """Return the least number above `low` that `reaches`, if `high` does, or the least found within the tries."""
    while high - low > 1 and tries:
        middle, tries = (low + high) // 2, tries - 1
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
