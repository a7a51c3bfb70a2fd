"""The initial design of a draft without one: the proposal for a moderate total and a thousand people (M46). A designer
sees it on the page “People and protection”, beside the alternatives."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple, cast

from django.conf import settings

from ldp.forms import lot
from ldp.forms.definition import arms_of, weights
from ldp.kinds.protocol import Size
from ldp.planning import design_proposals
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, KeyPair
from ldp.planning.design_proposals import Proposal
from surveys.drafts import assignment, forms
from surveys.drafts.normalize import normalize
from surveys.drafts.outline import deciding
from surveys.models.release import first_release
from surveys.rules.draft import Draft, Question, without
from surveys.rules.refusals import DraftRefused
from surveys.rules.unchecked import Unchecked
from surveys.survey import kinds
from surveys.survey.definition import build_cache, routing
from surveys.survey.definition.document import Definition

BEGINNING = "2"  # the total alpha of a report
UNKNOWN = PlannedQuestion("yes_no", Size(2))
PEOPLE = 1000  # where no one has set an expected number
IMPORTANT = 4.0  # the importance of a question that matters most
FIRST_ALPHA = "1"  # of a question that has none yet, where it is shown all the same


class InitialDesign(NamedTuple):
    """The initial design of a draft, and its brief."""

    brief: Brief
    proposal: Proposal


def publishes_nothing(definition: Definition, expected: int | None) -> bool:
    """Whether too few people are expected for any form to be published at the end."""
    largest = max(lot.chances(weights(definition)))
    return (expected or PEOPLE) * largest < settings.RELEASE_LEAST


def propose(draft: Draft, important: Collection[str] = ()) -> InitialDesign | None:
    """Give the draft its first forms and alphas, in place. Return None, without a change, where no question is
    complete, one has an alpha already or is in several forms. Present forms keep their questions. `important` are the
    keys of the questions that matter most."""
    normalize(draft)
    if any("alpha" in part for part in [*draft["questions"], *forms.all_draws(draft)]):
        return None
    planned = [(question, plan) for question in draft["questions"] if (plan := _plan(question)) is not None]
    with suppress(ValueError):
        if any(len(forms.homes(draft, question["key"])) > 1 for question in draft["questions"]):
            return None
        if planned and forms.forms_of(draft) and _are_in_one_report(draft):
            return _keep(draft, important)
        return _begin(draft, planned, important) if planned else None
    return None


def _begin(
    draft: Draft, planned: Sequence[tuple[Question, PlannedQuestion]], important: Collection[str]
) -> InitialDesign:
    questions = [_brief_question(question, plan, important) for question, plan in planned]
    beginning = brief([question for question, _plan_of_it in planned], questions, Fraction(BEGINNING), PEOPLE)
    proposal = design_proposals.propose(beginning)
    take(draft, proposal.design)
    return InitialDesign(beginning, proposal)


def _keep(draft: Draft, important: Collection[str]) -> InitialDesign:
    """An incomplete question counts as a yes/no question until it is complete."""
    questions = [_brief_question(question, _plan(question) or UNKNOWN, important) for question in draft["questions"]]
    kept = brief(draft["questions"], questions, Fraction(BEGINNING), PEOPLE)
    proposal = design_proposals.propose_within(kept, [tuple(forms.keys_of(form)) for form in forms.forms_of(draft)])
    take(draft, proposal.design)
    return InitialDesign(kept, proposal)


def _brief_question(question: Question, plan: PlannedQuestion, important: Collection[str]) -> BriefQuestion:
    return BriefQuestion(question["key"], plan, IMPORTANT if question["key"] in important else 1.0)


def _are_in_one_report(draft: Draft) -> bool:
    """Whether each question is in one report with the questions that decide on it."""
    pairs = [(key, each["key"]) for each in draft["questions"] for key in deciding(each)]
    homes = [(forms.homes(draft, decider), forms.homes(draft, own)) for decider, own in pairs]
    return all(not decider or (own and all(form in decider for form in own)) for decider, own in homes)


def _plan(question: Question) -> PlannedQuestion | None:
    """The question as planned; its condition may still be incomplete."""
    alone, mechanism = without(question, routing.FIELDS) | {"alpha": FIRST_ALPHA}, question.get("mechanism")
    try:
        return planned_question(build_cache.build(alone, ""), mechanism if isinstance(mechanism, str) else None)
    except DraftRefused:
        return None


def take(draft: Draft, design: Design) -> None:
    """Give the draft a design. Defaults are not named, so that they follow the alpha: the mechanism, and settings that
    the kind does not let a designer choose."""
    chosen = {question["key"]: _selected(question) for question in draft["questions"]}
    forms = tuple(form._replace(draws=_unnamed(form.draws, chosen)) for form in design.forms)
    assignment.assign(draft, Design(_unnamed(design.everybody, chosen), forms))


def _selected(question: Question) -> frozenset[str]:
    kind = kinds.in_draft(cast(Unchecked, question))
    return frozenset(kind.optional | kind.required) if kind else frozenset()


def _unnamed(draws: Sequence[DesignDraw], chosen: dict[str, frozenset[str]]) -> tuple[DesignDraw, ...]:
    return tuple(draw if len(draw.keys) > 1 else _alone(draw, chosen[draw.keys[0]]) for draw in draws)


def _alone(draw: DesignDraw, chosen: frozenset[str]) -> DesignDraw:
    sizes, sample = draw.sizes if "size" in chosen else (), draw.sample if "sample" in chosen else None
    return draw._replace(mechanism="", sizes=sizes, sample=sample)


def brief(questions: Sequence[Unchecked], own: Sequence[BriefQuestion], total: Fraction, n: int, **more: Any) -> Brief:
    """Return the brief for these questions of a draft: what decides whether another one is asked is in one report with
    it, versions of one question are not. ValueError where nothing is left for the forms."""
    first = first_release(settings.BATCH)[0]
    given = {"fewest": settings.RELEASE_LEAST, "first": first} | more
    return Brief(tuple(own), total, n, together=tuple(_linked(questions)), apart=tuple(_versions(questions)), **given)


def _linked(questions: Sequence[Unchecked]) -> Iterator[KeyPair]:
    keys = {question["key"] for question in questions}
    return ((key, each["key"]) for each in questions for key in deciding(each) if key in keys)


def _versions(questions: Sequence[Unchecked]) -> Iterator[KeyPair]:
    """The pairs of versions of one question."""
    known = {question["key"]: arms_of(questions, question["key"]) for question in questions}
    return ((one, other) for one, other in combinations(known, 2) if known[one] and known[one] == known[other])
