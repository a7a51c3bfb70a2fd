"""The forms and alphas with which a draft begins that has none yet: what is proposed for a moderate total and a
thousand people (M36). A designer sees it on the page Privacy, beside what else could be."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from django.conf import settings

from ldp.forms import lot
from ldp.forms.definition import arms_of, weights
from ldp.kinds.protocol import Size
from ldp.planning import budget, proposals
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.planning.form_plans import Brief, Plans
from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import PlannedForm, Proposal
from ldp.scores import Target
from surveys.drafts import assignment, forms
from surveys.drafts.normalize import normalize
from surveys.drafts.outline import deciding
from surveys.rules.draft import Draft, Question, without
from surveys.rules.refusals import DraftRefused
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition import build_cache, routing
from surveys.survey.definition.document import Definition

BEGINNING = "2"  # the total alpha of a report
UNKNOWN = PlannedQuestion("yes_no", Size(2))
PEOPLE = 1000  # where nobody has said how many are expected
FIRST_ALPHA = "1"  # of a question that has none yet, where it is shown all the same
Pairs = frozenset[tuple[int, int]]


class DesignDraw(NamedTuple):
    """As `assignment.DrawDesign`."""

    alpha: Fraction
    keys: tuple[str, ...]
    mechanism: str = ""
    sizes: tuple[int, ...] = ()
    sample: int | None = None


class DesignForm(NamedTuple):
    weight: int
    draws: tuple[DesignDraw, ...]


class Design(NamedTuple):
    everybody: tuple[DesignDraw, ...]
    forms: tuple[DesignForm, ...]


def publishes_nothing(definition: Definition, expected: int | None) -> bool:
    """Whether so few people are expected that no form gets the reports without which nothing is published at the
    end."""
    largest = max(lot.chances(weights(definition)))
    return (expected or PEOPLE) * largest < settings.RELEASE_LEAST


def propose(draft: Draft) -> Proposal | None:
    """Give the draft its first forms and alphas, in place; None, and nothing is done, where no question is complete,
    one has an alpha already or stands in several forms. Forms that it has keep their questions."""
    normalize(draft)
    if any("alpha" in part for part in [*draft["questions"], *forms.all_draws(draft)]):
        return None
    planned = [(question, plan) for question in draft["questions"] if (plan := _plan(question)) is not None]
    with suppress(ValueError):
        if any(len(forms.homes(draft, question["key"])) > 1 for question in draft["questions"]):
            return None
        if planned and forms.forms_of(draft) and _are_in_one_report(draft):
            return _keep(draft)
        return _begin(draft, planned) if planned else None
    return None


def _begin(draft: Draft, planned: Sequence[tuple[Question, PlannedQuestion]]) -> Proposal:
    keys = [question["key"] for question, _plan_of_it in planned]
    wanted = tuple(Wanted(plan) for _question, plan in planned)
    pairs = [(first, question["key"]) for question, _plan_of_it in planned for first in deciding(question)]
    linked = frozenset((keys.index(first), keys.index(second)) for first, second in pairs if first in keys)
    apart = versions([question for question, _plan_of_it in planned])
    proposal = plans(wanted, Fraction(BEGINNING), settings.RELEASE_LEAST, linked, apart=apart).at(PEOPLE).proposal
    assignment.assign(draft, design(keys, proposal, {}))
    return proposal


def _keep(draft: Draft) -> Proposal:
    """What is not complete counts as a yes/no question until it is."""
    keys = [question["key"] for question in draft["questions"]]
    wanted = [Wanted(_plan(question) or UNKNOWN) for question in draft["questions"]]
    own = [tuple(map(keys.index, forms.keys_of(form))) for form in forms.forms_of(draft)]
    everybody = [question["key"] for question in forms.everybody(draft)]
    proposal = proposals.propose_within(wanted, own, Fraction(BEGINNING), PEOPLE, fewest=settings.RELEASE_LEAST)
    left = budget.equal(Fraction(BEGINNING), len(everybody) + 1)
    assignment.assign(draft, design(keys, proposal, dict(zip(everybody, left, strict=False))))
    return proposal


def _are_in_one_report(draft: Draft) -> bool:
    """Whether each question is asked together with those that decide on it."""
    pairs = [(key, each["key"]) for each in draft["questions"] for key in deciding(each)]
    homes = [(forms.homes(draft, decider), forms.homes(draft, own)) for decider, own in pairs]
    return all(not decider or (own and all(form in decider for form in own)) for decider, own in homes)


def _plan(question: Question) -> PlannedQuestion | None:
    """What is asked; whom it is asked of may still be open."""
    alone, mechanism = without(question, routing.FIELDS) | {"alpha": FIRST_ALPHA}, question.get("mechanism")
    try:
        return planned_question(build_cache.build(alone, ""), mechanism if isinstance(mechanism, str) else None)
    except DraftRefused:
        return None


@lru_cache(maxsize=16)
def plans(
    wanted: tuple[Wanted, ...],
    total: Fraction,
    fewest: int,
    together: Pairs,
    own: tuple[tuple[int, Fraction], ...] = (),
    apart: Pairs = frozenset(),
    target: Target = "population",
) -> Plans:
    """What is proposed for these questions, computed once for each number of people. ValueError where nothing is."""
    return Plans(Brief(wanted, total, fewest, sorted(together), dict(own), sorted(apart), target))


def versions(questions: Sequence[Unchecked]) -> Pairs:
    """Which of these are versions of one, by their places."""
    known = [arms_of(questions, question["key"]) for question in questions]
    pairs = combinations(range(len(known)), 2)
    return frozenset((i, j) for i, j in pairs if known[i] and known[i] == known[j])


def design(keys: Sequence[str], proposal: Proposal, own: Mapping[str, Fraction]) -> Design:
    """The design of a proposal for the questions of these keys, with the alphas of what everybody is asked beside it. A
    single form is everybody."""
    everybody = tuple(DesignDraw(alpha, (key,)) for key, alpha in own.items())
    made = [DesignForm(form.weight, _draws([keys[place] for place in form.questions], form)) for form in proposal.forms]
    return Design(everybody, tuple(made)) if len(made) >= forms.FEWEST else Design((*everybody, *made[0].draws), ())


def _draws(keys: Sequence[str], form: PlannedForm) -> tuple[DesignDraw, ...]:
    if form.way.joint:
        return (DesignDraw(form.way.alphas[0], tuple(keys)),)
    return tuple(DesignDraw(alpha, (key,)) for key, alpha in zip(keys, form.way.alphas, strict=True))
