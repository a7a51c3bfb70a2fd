"""The forms and alphas with which a draft begins that has none yet: what is proposed for a moderate total and a
thousand people (M36). A designer sees it on the page Privacy, beside what else could be."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.conf import settings

from ldp.planning import proposals
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import Comparison, Proposal
from surveys.definition import build_cache, routing
from surveys.drafts import assignment, forms
from surveys.drafts.assignment import FormDesign
from surveys.drafts.normalize import Draft, normalize
from surveys.drafts.outline import decides
from surveys.rules.refusals import DraftRefused

BEGINNING = "2"  # the total alpha of a report
PEOPLE = 1000  # where nobody has said how many are expected
FIRST_ALPHA = "1"  # of a question that has none yet, where it is shown all the same
Pairs = frozenset[tuple[int, int]]


def propose(draft: Draft) -> Comparison | None:
    """Give the draft its first forms and alphas, in place; None, and nothing is done, where no question is complete or
    one has an alpha already."""
    normalize(draft)
    if any("alpha" in part for part in [*draft["questions"], *draft.get("forms", [])]):
        return None
    planned = [(question, plan) for question in draft["questions"] if (plan := _plan(question)) is not None]
    keys = [question["key"] for question, _plan_of_it in planned]
    if not planned:
        return None
    wanted = tuple(Wanted(plan) for _question, plan in planned)
    pairs = [(decides(question), question["key"]) for question, _plan_of_it in planned]
    linked = frozenset((keys.index(first), keys.index(second)) for first, second in pairs if first in keys)
    try:
        found = compare(wanted, Fraction(BEGINNING), PEOPLE, settings.BATCH, linked)
    except ValueError:
        return None
    assignment.assign(draft, designs(keys, found.proposal), {})
    forms.settle(draft)
    return found


def _plan(question: dict[str, Any]) -> PlannedQuestion | None:
    """What is asked; whom it is asked of may still be open."""
    own = {name: value for name, value in question.items() if name not in routing.FIELDS}
    try:
        return planned_question(build_cache.build(own | {"alpha": FIRST_ALPHA}, ""), question.get("mechanism"))
    except DraftRefused:
        return None


@lru_cache(maxsize=64)
def compare(
    wanted: tuple[Wanted, ...],
    total: Fraction,
    n: int,
    batch: int,
    together: Pairs,
    own: tuple[tuple[int, Fraction], ...] = (),
) -> Comparison:
    """The proposal for these questions, computed once. ValueError where there is none."""
    return proposals.propose(wanted, total, n, batch=batch, crossed=sorted(together), own=dict(own))


def designs(keys: Sequence[str], proposal: Proposal) -> list[FormDesign]:
    """The forms of a proposal for the questions of these keys."""
    return [
        FormDesign([keys[place] for place in form.questions], form.way.alphas, form.way.joint, form.weight)
        for form in proposal.forms
    ]
