"""The planner's proposals for a draft (M46): its alphas and forms for a total and a number of people. The defaults are
a moderate total and a thousand people."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import Any, cast

from django.conf import settings

from ldp.forms import lot
from ldp.forms.definition import arms_of, groups, weights
from ldp.kinds.protocol import Size
from ldp.planning import design_proposals
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, KeyPair
from ldp.question import Drawn
from surveys.drafts import assignment, forms, protection
from surveys.drafts.normalize import normalize
from surveys.drafts.outline import deciding
from surveys.figures.targets import usual_target
from surveys.models.release import first_release
from surveys.rules.draft import Draft, Question, without
from surveys.rules.refusals import DraftRefused, Refusals
from surveys.rules.unchecked import Unchecked
from surveys.survey import kinds
from surveys.survey.definition import build_cache, cost, invitations, routing
from surveys.survey.definition.document import Definition

BEGINNING = "2"  # the total alpha of a report
UNKNOWN = PlannedQuestion("yes_no", Size(2))
PEOPLE = 1000  # if no one has set an expected number
IMPORTANT = 4.0  # the importance of a question that matters most
FIRST_ALPHA = "1"  # supposed for a question without alpha, to show it


def publishes_nothing(draft: Unchecked, definition: Definition, expected: int | None) -> bool:
    """Return whether too few people are expected for any form, or group, to be published at the end."""
    people = expected or PEOPLE
    if groups(definition):
        return max(invitations.people_of_groups(draft, people)) < settings.RELEASE_LEAST
    return people * max(lot.chances(weights(definition))) < settings.RELEASE_LEAST


def propose(draft: Draft, important: Collection[str] = (), total: Fraction = Fraction(BEGINNING)) -> bool:
    """Leave the protection of a draft to the planner, in place, with this total. Present forms keep their questions and
    are planned only now. Return False and change nothing if no question is complete, if a question has an alpha, or if
    one is in several forms. `important` are the keys of important questions."""
    normalize(draft)
    if any("alpha" in part for part in [*draft["questions"], *forms.all_draws(draft)]):
        return False
    if not any(map(_built, draft["questions"])):
        return False
    if any(len(forms.homes(draft, question["key"])) > 1 for question in draft["questions"]):
        return False
    if forms.forms_of(draft) and _are_in_one_report(draft):
        return _keep(draft, important, total)
    protection.leave(draft, total, important)
    follow(draft, PEOPLE)
    return True


def follow(draft: Draft, people: int | None) -> None:
    """Plan a draft's protection for this number of people, in place, if it is left to the planner. If nothing can be
    proposed, no question has an alpha."""
    total = protection.total(draft)
    if total is None:
        return
    with suppress(ValueError):
        plan(protection.without(draft), total, people or PEOPLE)


def plan(draft: Draft, total: Fraction, people: int) -> None:
    """Set the proposal's alphas in a draft without alphas, in place. Incomplete questions get none, nor do questions
    beyond the limit of cost. Raise ValueError if nothing can be proposed."""
    wished = brief_of(draft, total, people)
    if wished:
        take(draft, design_proposals.propose(wished).design)


def brief_of(draft: Draft, total: Fraction, people: int) -> Brief | None:
    """Return the brief of a draft whose protection is left to the planner; None if no question is complete. Raise
    ValueError if nothing can be proposed."""
    planned, keys = list(_affordable(draft)), protection.important(draft)
    if not planned:
        return None
    questions = [_brief_question(question, each, keys) for question, each in planned]
    # A survey with groups has no forms.
    only = {"most_forms": 1} if invitations.count(draft) else {}
    return brief([each for each, _of in planned], questions, total, people, target=usual_target(draft), **only)


def _affordable(draft: Draft) -> Iterator[tuple[Question, PlannedQuestion]]:
    budget = cost.Budget(invitations.count(draft))
    for question in draft["questions"]:
        if built := _built(question):
            try:
                budget.spend(built, "")
            except DraftRefused:
                return
            yield question, _planned(question, built)


def _keep(draft: Draft, important: Collection[str], total: Fraction) -> bool:
    """Plan the present forms. An incomplete question counts as a yes/no question."""
    questions = [_brief_question(question, _plan(question) or UNKNOWN, important) for question in draft["questions"]]
    kept = brief(draft["questions"], questions, total, PEOPLE)
    with suppress(ValueError):
        proposal = design_proposals.propose_within(kept, [tuple(forms.keys_of(form)) for form in forms.forms_of(draft)])
        take(draft, proposal.design)
        return True
    return False


def important(brief: Brief) -> list[str]:
    """Return the keys of the important questions."""
    return [each.key for each in brief.questions if each.importance > 1]


def _brief_question(question: Question, plan: PlannedQuestion, important: Collection[str]) -> BriefQuestion:
    return BriefQuestion(question["key"], plan, IMPORTANT if question["key"] in important else 1.0)


def _are_in_one_report(draft: Draft) -> bool:
    """Return whether each question shares a report with the questions that decide on it."""
    pairs = [(key, each["key"]) for each in draft["questions"] for key in deciding(each)]
    homes = [(forms.homes(draft, decider), forms.homes(draft, own)) for decider, own in pairs]
    return all(not decider or (own and all(form in decider for form in own)) for decider, own in homes)


def _plan(question: Question) -> PlannedQuestion | None:
    """Return the question for planning. Its condition may be incomplete."""
    built = _built(question)
    return _planned(question, built) if built else None


def _built(question: Question) -> Drawn | None:
    try:
        return build_cache.build(without(question, {routing.FIELD}) | {"alpha": FIRST_ALPHA}, "")
    except DraftRefused:
        return None


def _planned(question: Question, built: Drawn) -> PlannedQuestion:
    mechanism = question.get("mechanism")
    return planned_question(built, mechanism if isinstance(mechanism, str) else None)


def take(draft: Draft, design: Design) -> None:
    """Set a design in the draft. Default mechanisms are not named, so that they follow the alpha; nor are settings that
    a designer cannot choose."""
    chosen = {question["key"]: _selected(question) for question in draft["questions"]}
    forms = tuple(form._replace(draws=_unnamed(form.draws, chosen)) for form in design.forms)
    assignment.assign(draft, Design(_unnamed(design.everyone, chosen), forms))


def _selected(question: Question) -> frozenset[str]:
    kind = kinds.in_draft(cast(Unchecked, question))
    return frozenset(kind.optional | kind.required) if kind else frozenset()


def _unnamed(draws: Sequence[DesignDraw], chosen: dict[str, frozenset[str]]) -> tuple[DesignDraw, ...]:
    return tuple(draw if len(draw.keys) > 1 else _alone(draw, chosen[draw.keys[0]]) for draw in draws)


def _alone(draw: DesignDraw, chosen: frozenset[str]) -> DesignDraw:
    sizes, sample = draw.sizes if "size" in chosen else (), draw.sample if "sample" in chosen else None
    return draw._replace(mechanism="", sizes=sizes, sample=sample)


def brief(questions: Sequence[Unchecked], own: Sequence[BriefQuestion], total: Fraction, n: int, **more: Any) -> Brief:
    """Return the brief for these questions of a draft. A question shares a report with the questions that decide on it;
    versions of a question share none. Raise ValueError if nothing is left for the forms."""
    first = first_release(settings.BATCH)[0]
    conditions = {key: asked_if for key, asked_if in map(_condition, questions) if asked_if}
    return Brief(
        tuple(own),
        total,
        n,
        settings.RELEASE_LEAST,
        first,
        together=tuple(_linked(questions)),
        apart=tuple(_versions(questions)),
        conditions=conditions,
        **more,
    )


def _condition(question: Unchecked) -> tuple[str, Any]:
    """Return a question's key and its condition; None for no condition or an incomplete one."""
    return question["key"], routing.build(question, "", Refusals()).get(routing.FIELD)


def _linked(questions: Sequence[Unchecked]) -> Iterator[KeyPair]:
    keys = {question["key"] for question in questions}
    return ((key, each["key"]) for each in questions for key in deciding(each) if key in keys)


def _versions(questions: Sequence[Unchecked]) -> Iterator[KeyPair]:
    """Return the pairs of versions of one question."""
    known = {question["key"]: arms_of(questions, question["key"]) for question in questions}
    return ((one, other) for one, other in combinations(known, 2) if known[one] and known[one] == known[other])
