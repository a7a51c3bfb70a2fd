"""The forms that are proposed for questions under one total alpha, for every number of people (M36, M36c).

One form a question is a partition as any other, and so is a single form: everything of everybody, which is never joint.
So the proposal is never worse than either: with its whole weights it is compared with both.

A form must be expected to have so many reports that its results are published at the end. From some number of people on
that limits nothing, and the same forms are the best for any more.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from ldp import search
from ldp.kinds import KINDS
from ldp.planning import budget, form_weights, proposals, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import CONFIDENCE, Wanted
from ldp.planning.form_search import Block, Search
from ldp.planning.outlook import HOPELESS, quantile
from ldp.planning.proposals import IMPOSSIBLE, DesignedForm, Proposal, designed, proposed
from ldp.scores import Target
from ldp.search import N_MOST

QuestionPairs = Collection[tuple[int, int]]

# Of numbers of people with which some form would get too few reports so many are tried, over the number of questions.
_TRIES = 1000


class Comparison(NamedTuple):
    """`everything`: all asked of everybody, each with an equal part of the total; `alone`: one form a question. None
    where that cannot be asked: parts are too small, or forms get too few reports, or part what shall be crossed."""

    proposal: Proposal
    everything: Proposal | None
    alone: Proposal | None


Designs = tuple[Proposal | None, Proposal | None]


@dataclass(frozen=True)
class Brief:
    """What forms are proposed for. A form with `fewest` reports is published at the end. `crossed` are pairs of
    questions that must be in one report, `apart` those that must not; `own` the questions that are asked of everybody,
    with their own alphas, which all forms leave out of the total. Half-widths are about `target`."""

    wanted: Sequence[Wanted]
    total: Fraction
    fewest: int
    crossed: QuestionPairs = ()
    own: Mapping[int, Fraction] = field(default_factory=dict)
    apart: QuestionPairs = ()
    target: Target = "population"


def propose(wanted: Sequence[Wanted], total: Fraction, n: int, *, fewest: int, **more: Any) -> Comparison:
    """For n expected people; `more` as in a Brief. ValueError as of Plans."""
    return Plans(Brief(wanted, total, fewest, **more)).at(n)


class Plans:
    """The best forms for every number of people. ValueError where nothing is left for the questions in forms, or where
    some that must be crossed have no mechanism under it, or must be apart."""

    def __init__(self, brief: Brief) -> None:
        own, self.brief, self._wanted = brief.own, brief, brief.wanted
        self._left = brief.total - sum(own.values(), Fraction(0))
        self._free = [k for k in range(len(brief.wanted)) if k not in own]
        if self._left <= 0 or not self._free or own.keys() & {k for pair in brief.apart for k in pair}:
            raise ValueError("must leave questions and a part of the total to the forms")
        self._groups = _groups(self._free, [pair for pair in brief.crossed if not own.keys() & set(pair)])
        self._expected, self._known = proposals.expected_for(brief.fewest), dict[int, Comparison]()
        self._tries = _TRIES // len(self._free)

    def at(self, n: int) -> Comparison:
        """The proposal for n expected people. ValueError where these are too few for what must be apart."""
        if n not in self._known:
            best, alone = self._designs(n)
            proposals = [each for each in (best, alone, self._everything) if each is not None]
            if not proposals:
                raise ValueError(IMPOSSIBLE)
            self._known[n] = Comparison(self._best(proposals, n), self._everything, alone)
        return self._known[n]

    def half_widths(self, proposal: Proposal, n: int) -> dict[int, float]:
        """By question, of those for everybody too."""
        return {k: self._half_width(k, proposal, n) for k in range(len(self._wanted))}

    def _half_width(self, question: int, proposal: Proposal, n: int) -> float:
        if question not in self.brief.own:
            return proposal.half_width(question, n, self.brief.target)
        plan, alpha = self._wanted[question].asked, self.brief.own[question]
        return thirds.half_width(plan, alpha, n, target=self.brief.target)

    def people(self, half_width: float, question: int | None = None) -> int | None:
        """The least n with whose proposal no interval is wider, or this question's is not; None where N_MOST are too
        few. Where so many questions are asked that not all n can be tried, at which some forms get too few reports, it
        is enough, and no n from which on all forms get enough is less."""

        questions = range(len(self._wanted)) if question is None else [question]

        def reaches(n: int) -> bool:
            return all(self._half_width(k, self.at(n).proposal, n) <= half_width for k in questions)

        start = min(self._unlimited_from, N_MOST)
        if reaches(start):
            return self._least(reaches, 0, start)
        return self._least(reaches, start, N_MOST) if reaches(N_MOST) else None

    def _least(self, reaches: Callable[[int], bool], low: int, high: int) -> int:
        """The least n above `low`, which does not reach it, where `high` does; of those that are tried."""
        while high - low > 1:
            middle = (low + high) // 2
            if middle not in self._known and middle < self._unlimited_from:
                self._tries -= 1
                if self._tries < 0:
                    break
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return high

    def people_with(self, proposal: Proposal, half_width: float) -> int | None:
        """The least n with which no interval is wider in these very forms; None where N_MOST are too few."""
        return search.least_people(lambda n: max(self.half_widths(proposal, n).values()), half_width)

    @cached_property
    def _everything(self) -> Proposal | None:
        """Today's way: all of everybody, each with its own draw and an equal part of the alpha."""
        if self.brief.apart:
            return None
        with suppress(ValueError):
            alphas = budget.equal(self._left, len(self._free))
            return designed(self._wanted, [DesignedForm(tuple(self._free), alphas)])
        return None

    def _designs(self, n: int) -> Designs:
        best, alone = self._unlimited
        if self._unlimited_from <= n:
            return best, alone
        best_here, alone_here = self._searched(self._expected / n)
        published = best and (len(best.forms) == 1 or min(map(best.part, best.forms)) * n >= self._expected)
        return best if published else best_here, alone_here

    @cached_property
    def _search(self) -> Search:
        return Search(self._wanted, self._left, 0.0, self._groups, self.brief.apart)

    @cached_property
    def _unlimited(self) -> Designs:
        return self._searched(0.0)

    @cached_property
    def _unlimited_from(self) -> int:
        """The number of people from which every form of the unlimited designs is published, with wishes and without."""
        least = [min(map(each.part, each.forms)) for each in self._unlimited if each and len(each.forms) > 1]
        own = max((math.ceil(self._expected / part) for part in least), default=1)
        return max(own, self._without_wishes._unlimited_from) if self._without_wishes else max(own, 1)

    def _searched(self, least: float) -> Designs:
        """The best forms, and one for each question, where none may have less than this part of all reports."""
        search = self._search.limited(least)
        partitions = [search.partition()]
        if len(self._groups) == len(self._free):
            partitions.append(tuple((k,) for k in range(len(self._groups))))
        planned = tuple(each.asked for each in self._wanted)
        best, alone = [*(proposed(search, each, planned) for each in partitions), None][:2]
        return best, alone

    @cached_property
    def _without_wishes(self) -> "Plans | None":
        if not any(each.wished for each in self._wanted):
            return None
        return Plans(replace(self.brief, wanted=[each._replace(wished=None) for each in self._wanted]))

    def _best(self, proposals: Sequence[Proposal], n: int) -> Proposal:
        """The first of these by its objective; with wishes by its merit, of those that are no worse than what is
        proposed without any wish, or that."""
        if self._without_wishes is None:
            return min(proposals, key=lambda each: each.value)
        plain = self._without_wishes.at(n).proposal
        base, *merits = (merit(self._wanted, self.half_widths(each, n)) for each in (plain, *proposals))
        better = [pair for pair in zip(merits, range(len(merits)), strict=True) if pair[0].is_no_worse_than(base)]
        return proposals[min(better)[1]] if better else _valued(plain, self._wanted)


def _valued(proposal: Proposal, wanted: Sequence[Wanted]) -> Proposal:
    """The proposal by the objective of these questions."""
    goal = form_weights.objective([wanted[k] for form in proposal.forms for k in form.questions])
    costs = [goal.cost(form.way, [wanted[k] for k in form.questions]) for form in proposal.forms]
    return replace(proposal, value=goal.value(costs, list(map(proposal.part, proposal.forms))))


def _groups(free: Sequence[int], crossed: QuestionPairs) -> tuple[Block, ...]:
    """What must stay together."""
    groups = [{k} for k in free]
    for pair in crossed:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


# Which of two designs of a survey is better for its questions and wishes, by the half-widths that it promises ---------

_ROUNDING = 1e-9


class Merit(NamedTuple):
    """How many wishes are missed, how many questions have no result, how many times its wish the interval is that
    misses it most (1 where none does), and the mean over the questions, by their importance, of the square of how much
    wider intervals are than without privacy."""

    missed: int
    without_result: int
    furthest: float
    error: float

    def is_no_worse_than(self, other: "Merit") -> bool:
        """Whether it misses no wish more, loses no result more, and where it gains neither is as near to the wishes,
        and as precise if it is no nearer."""
        if self.missed > other.missed or self.without_result > other.without_result:
            return False
        if self[:2] != other[:2]:
            return True
        if not math.isclose(self.furthest, other.furthest, rel_tol=_ROUNDING):
            return self.furthest < other.furthest
        return self.error <= other.error * (1 + _ROUNDING)


def merit(wanted: Sequence[Wanted], half_widths: Mapping[int, float]) -> Merit:
    """The merit of a design that promises these half-widths, by question."""
    wishes = [half_widths[k] / each.wished for k, each in enumerate(wanted) if each.wished]
    return Merit(
        sum(wish > 1 for wish in wishes),
        sum(width > HOPELESS for width in half_widths.values()),
        max(1.0, *wishes) if wishes else 1.0,
        math.fsum(each.importance * (half_widths[k] / _plain(each.asked)) ** 2 for k, each in enumerate(wanted)),
    )


def _plain(question: PlannedQuestion) -> float:
    """The half-width without privacy, but for the number of people."""
    kind = KINDS[question.kind]
    return quantile(CONFIDENCE, kind.together(question.size, question.size.d == 2)) * math.sqrt(
        kind.without_privacy(question.size).expected
    )
