"""How many people make answers as precise as somebody wishes: every answer to five points, of a proposal and of a
survey as it stands, and each question to what is wished of it."""

from collections.abc import Sequence
from typing import NamedTuple

from ldp.planning import thirds
from ldp.planning.outlook import HOPELESS
from ldp.planning.proposals import Proposal
from surveys.design.alpha.figures import measure
from surveys.design.alpha.proposal import Wish, half_widths
from surveys.design.alpha.questions import Question
from surveys.design.alpha.verdicts import PRECISE
from surveys.figures import numerals


def precise(questions: Sequence[Question]) -> str:
    """How many people make every answer precise to five points, as the questions stand; empty where not all of them can
    be asked, or no number is enough."""
    if not questions or not all(question.built for question in questions):
        return ""
    needed = [question.people_needed(PRECISE) for question in questions]
    return text(None if None in needed else max(filter(None, needed)))


def precise_proposal(proposal: Proposal | None, wish: Wish) -> str:
    return text(proposal.people(PRECISE, wish.target)) if proposal else ""


def text(people: int | None) -> str:
    return numerals.count_up(people) if people else ""


class Missed(NamedTuple):
    """A question whose wished interval is not reached, with how many people would do; empty where none would."""

    title: str
    wished: str
    expected: str
    people: str


def missed(questions: Sequence[Question], proposal: Proposal, wish: Wish) -> list[Missed]:
    """What a proposal does not reach of the wishes."""
    listed = []
    for place, wished in sorted(wish.widths.items()):
        question = questions[place]
        width = _half_width(question, place, proposal, wish)
        if width > wished and question.variant.built:
            its = measure(question.variant.built)
            people = text(_people(question, place, proposal, wish, wished))
            typed = numerals.with_unit("±" + numerals.local(f"{wished * its.times:g}"), its.unit)
            listed.append(Missed(question.text or question.key, typed, its.full(width), people))
    return listed


def without_result(questions: Sequence[Question], proposal: Proposal, wish: Wish) -> list[tuple[str, str]]:
    """The questions of which a proposal lets expect no result, each with how many people would do; empty where none
    would."""
    listed = []
    for place, width in sorted(half_widths(questions, proposal, wish).items()):
        if width > HOPELESS:
            question = questions[place]
            needed = _people(question, place, proposal, wish, HOPELESS)
            listed.append((question.text or question.key, text(needed)))
    return listed


def _half_width(question: Question, place: int, proposal: Proposal, wish: Wish) -> float:
    plan = question.variant.plan
    assert plan
    if place in wish.own:
        return thirds.half_width(plan, wish.own[place], wish.n, target=wish.target)
    return proposal.half_widths(wish.n, wish.target)[place]


def _people(question: Question, place: int, proposal: Proposal, wish: Wish, wished: float) -> int | None:
    plan = question.variant.plan
    assert plan
    if place in wish.own:
        return thirds.people(plan, wish.own[place], wished, target=wish.target)
    return proposal.people_for(place, wished, wish.target)
