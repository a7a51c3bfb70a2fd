"""Questions in forms under one total alpha (M36): what they promise and cost, as proposed or put together by hand.

Every form keeps the whole of what the questions for everybody leave of the total. Within a form the questions have one
joint draw, or each its own mechanism with an equal part of the alpha, whichever is better.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from ldp import search
from ldp.forms import efficiency
from ldp.planning import budget, form_prices, form_weights
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import Price, Wanted, Way
from ldp.planning.form_search import UNABLE, Block, Partition, Search
from ldp.scores import Target

IMPOSSIBLE = "has no mechanism for so many answers under so small an alpha"


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

    @cached_property
    def _weight(self) -> int:
        return sum(form.weight for form in self.forms)

    @cached_property
    def _prices(self) -> dict[int, tuple[Price, float]]:
        """By question, with its form's part."""
        return {
            question: (price, self.part(form))
            for form in self.forms
            for question, price in zip(form.questions, form.way.prices, strict=True)
        }

    def part(self, form: PlannedForm) -> float:
        return form.weight / self._weight

    def half_width(self, question: int, n: int, target: Target = "population") -> float:
        """That of intervals that hold at once for the question, where n people take part."""
        price, part = self._prices[question]
        return price.half_width(n * part, target)

    def half_widths(self, n: int, target: Target = "population") -> dict[int, float]:
        """By question."""
        return {question: self.half_width(question, n, target) for question in self._prices}

    def efficiency(self, alpha: Fraction) -> float | None:
        """The bound for a whole survey over its own mean variance, at equal shares (M36b); None where a question is of
        another kind, or is asked of everybody beside the forms: no such bound is known."""
        variances = [price.variance / part for price, part in self._prices.values()]
        if len(variances) < len(self.questions) or any(each.kind != "yes_no" for each in self.questions):
            return None
        return efficiency.efficiency(float(alpha), [2] * len(variances), variances).at_least

    def people(self, half_width: float, target: Target = "population") -> int | None:
        """The least n with which no question's interval is wider; None where N_MOST are too few."""
        return search.least_people(lambda n: max(self.half_widths(n, target).values()), half_width)


def proposed(search: Search, partition: Partition, planned: tuple[PlannedQuestion, ...]) -> Proposal | None:
    """With whole weights; None where the partition cannot be asked."""
    if search.value(partition) == UNABLE:
        return None
    ways = [search.way(block) for block in partition]
    costs = [search.cost(block) for block in partition]
    weights = form_weights.whole_weights(costs, search.least(partition), search.goal)
    forms = zip((search.questions(block) for block in partition), ways, weights, strict=True)
    parts = [weight / sum(weights) for weight in weights]
    return Proposal(tuple(PlannedForm(*form) for form in forms), search.goal.value(costs, parts), planned)


# A designer's own forms -----------------------------------------------------------------------------------------------


class DesignedForm(NamedTuple):
    """`alphas`: of a joint form one for all its questions, else one for each."""

    questions: tuple[int, ...]
    alphas: Sequence[Fraction]
    joint: bool = False
    weight: int = 1


def propose_within(
    wanted: Sequence[Wanted], forms: Sequence[Block], total: Fraction, n: int, *, fewest: int
) -> Proposal:
    """The best way and weight for each of these forms, whatever others there could be; what stands in none of them is
    asked of everybody. Each of those questions gets the same part of the total as every form. ValueError where a form
    has no mechanism under it."""
    everybody = len(wanted) - sum(map(len, forms))
    alpha = budget.equal(total, everybody + 1)[-1] if everybody else total
    least = min(expected_for(fewest) / n, 1 / len(forms))
    search = Search(wanted, alpha, least, [tuple(sorted(form)) for form in forms])
    proposal = proposed(search, tuple((k,) for k in range(len(forms))), tuple(each.asked for each in wanted))
    if proposal is None:
        raise ValueError(IMPOSSIBLE)
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


# How many reports a form must be expected to have for its results to be published at the end of a survey (P11) --------

# The chance that a form has enough.
SURE = 0.99


@lru_cache(maxsize=64)
def expected_for(fewest: int) -> float:
    """The expected number of reports with which a form has `fewest` of them almost surely.

    A form is drawn by lot, so its reports are binomial, and have a lower tail below a mean no larger than that of
    Poisson's law (Anderson and Samuels 1967).
    """
    if fewest < 1:
        return 0.0
    low, high = float(fewest), 2.0 * fewest + 10
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        fewer = math.fsum(math.exp(k * math.log(middle) - middle - math.lgamma(k + 1)) for k in range(fewest))
        low, high = (low, middle) if fewer <= 1 - SURE else (middle, high)
    return high
