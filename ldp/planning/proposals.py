"""The forms that are proposed for questions under one total alpha (M36), beside today's way.

Every form keeps the whole of what the questions for everybody leave of the total. Within a form the questions have one
joint draw, or each its own mechanism with an equal part of the alpha, whichever is better. One form a question is a
partition as any other, and so is a single form: everything of everybody, which is never joint. So the proposal is never
worse than either: with its whole weights it is compared with both.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ldp.forms import efficiency
from ldp.planning import budget, form_prices, form_weights, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import Wanted, Way
from ldp.planning.form_search import UNABLE, Search
from ldp.planning.outlook import Target
from ldp.planning.partitions import Block, Partition

Pairs = Collection[tuple[int, int]]
NONE: Mapping[int, Fraction] = {}


class PlannedForm(NamedTuple):
    questions: tuple[int, ...]
    way: Way
    weight: int


@dataclass(frozen=True)
class Proposal:
    """`value` is what the objective makes least, of ldp.planning.form_weights: people per person without privacy, or
    people needed for the wishes."""

    forms: tuple[PlannedForm, ...]
    value: float
    questions: tuple[PlannedQuestion, ...]

    def part(self, form: PlannedForm) -> float:
        return form.weight / sum(each.weight for each in self.forms)

    def half_widths(self, n: int, target: Target = "population") -> dict[int, float]:
        """By question, where n people take part; of intervals that hold at once for the question."""
        return {
            question: price.half_width(n * self.part(form), target)
            for form in self.forms
            for question, price in zip(form.questions, form.way.prices, strict=True)
        }

    def efficiency(self, alpha: Fraction) -> float | None:
        """The bound for a whole survey over its own mean variance, at equal shares (M36b); None where a question is of
        another kind, or is asked of everybody beside the forms: no such bound is known."""
        variances = {
            question: price.variance / self.part(form)
            for form in self.forms
            for question, price in zip(form.questions, form.way.prices, strict=True)
        }
        if len(variances) < len(self.questions) or any(each.kind != "yes_no" for each in self.questions):
            return None
        return efficiency.efficiency(float(alpha), list(variances.values()))

    def people(self, half_width: float, target: Target = "population") -> int | None:
        """The least n with which no question's interval is wider; None where N_MOST are too few."""
        return thirds.least_people(lambda n: max(self.half_widths(n, target).values()), half_width)

    def people_for(self, question: int, half_width: float, target: Target = "population") -> int | None:
        """The least n with which this question's interval is no wider; None where N_MOST are too few."""
        form, price = next(
            (form, price)
            for form in self.forms
            for own, price in zip(form.questions, form.way.prices, strict=True)
            if own == question
        )
        part = self.part(form)
        return thirds.least_people(lambda n: price.half_width(n * part, target), half_width)


class Comparison(NamedTuple):
    """`everything`: all asked of everybody, each with an equal part of the total; `alone`: one form a question. None
    where that cannot be asked: parts are too small, or forms get less than a batch, or part what shall be crossed."""

    proposal: Proposal
    everything: Proposal | None
    alone: Proposal | None


def propose(
    wanted: Sequence[Wanted],
    total: Fraction,
    n: int,
    *,
    batch: int,
    crossed: Pairs = (),
    own: Mapping[int, Fraction] = NONE,
    apart: Pairs = (),
) -> Comparison:
    """For n expected people. `crossed` are pairs of questions that must be in one report, `apart` those that must not;
    `own` the questions that are asked of everybody, with their own alphas, which all forms leave out of the total.
    ValueError where nothing is left for the others, or where questions that must be crossed have no mechanism under it,
    or must be apart."""
    left = total - sum(own.values(), Fraction(0))
    free = [k for k in range(len(wanted)) if k not in own]
    if left <= 0 or not free or own.keys() & {k for pair in apart for k in pair}:
        raise ValueError("must leave questions and a part of the total to the forms")
    groups = _groups(free, [pair for pair in crossed if not own.keys() & set(pair)])
    search, planned = Search(wanted, left, batch / n, groups, apart), tuple(each.asked for each in wanted)
    alone = None
    if len(groups) == len(free):
        alone = _proposal(search, tuple((k,) for k in range(len(groups))), planned)
    everything = None if apart else _everything(wanted, free, left)
    proposals = [
        each for each in (_proposal(search, search.partition(), planned), alone, everything) if each is not None
    ]
    if not proposals:
        raise ValueError("has no mechanism for so many answers under so small an alpha")
    return Comparison(min(proposals, key=lambda each: each.value), everything, alone)


def _groups(free: Sequence[int], crossed: Pairs) -> tuple[Block, ...]:
    """What must stay together."""
    groups = [{k} for k in free]
    for pair in crossed:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _proposal(search: Search, partition: Partition, planned: tuple[PlannedQuestion, ...]) -> Proposal | None:
    """With whole weights; None where the partition cannot be asked."""
    if search.value(partition) == UNABLE:
        return None
    ways = [search.way(block) for block in partition]
    costs = [search.cost(block) for block in partition]
    weights = form_weights.whole(costs, search.least(partition), search.goal)
    forms = zip((search.questions(block) for block in partition), ways, weights, strict=True)
    parts = [weight / sum(weights) for weight in weights]
    return Proposal(tuple(PlannedForm(*form) for form in forms), search.goal.value(costs, parts), planned)


def _everything(wanted: Sequence[Wanted], free: Sequence[int], alpha: Fraction) -> Proposal | None:
    """Today's way: all of everybody, each with its own draw and an equal part of the alpha."""
    with suppress(ValueError):
        return designed(wanted, [DesignedForm(tuple(free), budget.equal(alpha, len(free)))])
    return None


# A designer's own forms -----------------------------------------------------------------------------------------------


class DesignedForm(NamedTuple):
    """`alphas`: of a joint form one for all its questions, else one for each."""

    questions: tuple[int, ...]
    alphas: Sequence[Fraction]
    joint: bool = False
    weight: int = 1


def propose_within(
    wanted: Sequence[Wanted], forms: Sequence[Block], total: Fraction, n: int, *, batch: int
) -> Proposal:
    """The best way and weight for each of these forms, whatever others there could be; what stands in none of them is
    asked of everybody. Each of those questions gets the same part of the total as every form. ValueError where a form
    has no mechanism under it."""
    everybody = len(wanted) - sum(map(len, forms))
    alpha = budget.equal(total, everybody + 1)[-1] if everybody else total
    search = Search(wanted, alpha, min(batch / n, 1 / len(forms)), [tuple(sorted(form)) for form in forms])
    proposal = _proposal(search, tuple((k,) for k in range(len(forms))), tuple(each.asked for each in wanted))
    if proposal is None:
        raise ValueError("has no mechanism for so many answers under so small an alpha")
    return proposal


def designed(wanted: Sequence[Wanted], forms: Sequence[DesignedForm]) -> Proposal:
    """What forms cost that somebody has put together, to be seen beside a proposal. ValueError says of a form why it
    cannot be."""
    free = [wanted[k] for form in forms for k in form.questions]
    goal, ways, costs = form_weights.objective(free), [], []
    for form in forms:
        members = [wanted[k] for k in form.questions]
        questions = [each.asked for each in members]
        ways.append(
            form_prices.together(questions, _single(form.alphas))
            if form.joint
            else form_prices.separate(questions, form.alphas)
        )
        costs.append(goal.cost(ways[-1], members))
    whole = sum(form.weight for form in forms)
    planned = (PlannedForm(form.questions, way, form.weight) for form, way in zip(forms, ways, strict=True))
    value = goal.value(costs, [form.weight / whole for form in forms])
    return Proposal(tuple(planned), value, tuple(each.asked for each in wanted))


def _single(alphas: Sequence[Fraction]) -> Fraction:
    if len(alphas) != 1:
        raise ValueError("must have one alpha for all questions of a joint form")
    return alphas[0]
