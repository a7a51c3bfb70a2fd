"""The number of people that reaches a precision: five points for every answer, in a proposal or the present survey; or
each question's wish."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ldp.planning import design_needs
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion
from ldp.planning.outlook import HOPELESS
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.proposal import ProposalOffer, plannable
from surveys.designer.privacy.questions import reports
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import PRECISE
from surveys.drafts import proposals
from surveys.figures import numerals

# Fewer people are shown only if they are at most this part.
FEWER = 0.9
# With more questions, the number of people for the best design is not computed.
MOST = 20

people = lru_cache(maxsize=256)(design_needs.people)


def precise(questions: Sequence[StudioQuestion]) -> str:
    """Return the number of people that makes every answer precise to five points, with the present draws. Return "" if
    a question cannot be built or no number is enough."""
    if not questions or not all(question.built for question in questions):
        return ""
    needed = [question.people_needed(PRECISE) for question in questions]
    return text(None if None in needed else max(filter(None, needed)))


def precise_at_best(questions: Sequence[StudioQuestion]) -> str:
    """Return the number of people for the same precision in the best design with the same total. Return "" if it saves
    less than a tenth, nothing is proposed, or there are too many questions."""
    if len(plannable(questions)) < len(questions) or len(questions) > MOST or not precise(questions):
        return ""
    needed = max(question.people_needed(PRECISE) or 0 for question in questions)
    with suppress(ValueError):
        best = people(_as_it_stands(questions), PRECISE)
        return text(best) if best and best <= FEWER * needed else ""
    return ""


def planned_question(question: StudioQuestion) -> PlannedQuestion:
    """Return the question for planning, with the designer's mechanism."""
    plan = question.without_form.variant.plan
    assert plan
    return plan


def _as_it_stands(questions: Sequence[StudioQuestion]) -> Brief:
    """Return the brief of the present draft: its total, and everyone's questions beside forms."""
    total = max(sum(alphas, Fraction(0)) for alphas in reports(questions))
    in_forms = any(question.forms for question in questions)
    alone = [question for question in questions if in_forms and not question.asked]
    everyone = tuple((question.key, Fraction(question.alpha)) for question in alone)
    listed = [BriefQuestion(question.key, planned_question(question)) for question in questions]
    drafts, target = [question.draft for question in questions], questions[0].target
    return proposals.brief(drafts, listed, total, 1, everyone=everyone, target=target)


def precise_proposal(offered: ProposalOffer) -> str:
    return text(people(offered.brief, PRECISE)) if len(offered.brief.questions) <= MOST else ""


def text(people: int | None) -> str:
    return numerals.count_up(people) if people else ""


class Missed(NamedTuple):
    """A question that misses its wished interval. `people` is the number that would reach it, "" if none would."""

    title: str
    wished: str
    expected: str
    people: str


def missed(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> Iterator[Missed]:
    """Return the wishes that a proposal misses."""
    widths = offered.outcome.half_widths
    for question, of in zip(questions, offered.brief.questions, strict=True):
        built = question.without_form.variant.built
        if of.wished and widths[of.key] > of.wished and built:
            its, needed = measure(built), people(offered.brief, of.wished, of.key)
            typed = numerals.with_unit(numerals.plus_minus(numerals.local(f"{of.wished * its.times:g}")), its.unit)
            yield Missed(question.text or question.key, typed, its.full(widths[of.key]), text(needed))


def without_result(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[tuple[str, str]]:
    """Return the questions without an expected result in a proposal, with the number of people that would give one; ""
    if none would."""
    return [
        (question.text or question.key, text(people(offered.brief, HOPELESS, question.key)))
        for question in questions
        if offered.outcome.half_widths[question.key] > HOPELESS
    ]
