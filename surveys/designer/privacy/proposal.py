"""The proposal for a designer's number of people, protection, most important questions and pairs to cross (M46): the
possible precision in a sentence, then the design."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.planning import budget, design_proposals
from ldp.planning.design import Brief, Design, DesignDraw
from ldp.planning.design_columns import Columns, draw_alone
from ldp.planning.design_needs import Possible, possible
from ldp.planning.design_outcomes import Outcome, outcome
from ldp.planning.design_proposals import Proposal
from surveys.designer.privacy.figures import measure, says_nothing
from surveys.designer.privacy.standing import standing
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import Verdict, planned_among, verdict
from surveys.figures import numerals, strengths

# Up to this many questions, the page also shows the cost of crossing all.
CROSSED_MOST = 8
# A smaller part of more people is not mentioned.
_LITTLE = 0.0005


def plannable(questions: Sequence[StudioQuestion]) -> list[StudioQuestion]:
    """Return the questions that can be built with some alpha."""
    return [question for question in questions if question.without_form.variant.plan]


class ProposalOffer(NamedTuple):
    """The proposal for a brief. `now` is the outcome of the present design, None if that does not meet the brief."""

    brief: Brief
    proposal: Proposal
    now: Outcome | None

    @property
    def outcome(self) -> Outcome:
        return self.proposal.outcome

    @property
    def everything(self) -> Design | None:
        """Return the design of all questions for everyone, each drawn alone with an equal part of the total; None if it
        is impossible or already the proposal."""
        if not self.proposal.design.forms or self.brief.apart:
            return None
        try:
            alphas = budget.equal(self.brief.total, len(self.brief.questions))
            draws = [draw_alone(each, alpha) for each, alpha in zip(self.brief.questions, alphas, strict=True)]
        except ValueError:
            return None
        return Design(tuple(draws))


def offer(questions: Sequence[StudioQuestion], brief: Brief) -> ProposalOffer:
    """Return the proposal for all questions of a draft. Raise ValueError if there is none."""
    stands = standing(questions, brief)
    proposal = design_proposals.propose(brief, stands)
    return ProposalOffer(brief, proposal, outcome(Columns(brief), stands) if stands else None)


# In a sentence --------------------------------------------------------------------------------------------------------


def answer(offered: ProposalOffer) -> str:
    """Return the precision that these people allow, for one question, for three, and for all; and the cost of
    crossing."""
    brief = offered.brief
    values = {
        "people": numerals.integer(brief.n),
        "strength": strengths.of_survey([brief.total]).word,
        "widths": _(", ").join(_possible(each) for each in possible(brief)),
    }
    sentence = _("With %(people)s people and %(strength)s protection you can know %(widths)s.") % values
    return " ".join(filter(None, (sentence, _crossing(offered))))


def _possible(one: Possible) -> str:
    text = ngettext("%(n)d question to %(widths)s", "%(n)d questions to %(widths)s", len(one.keys))
    return text % {"n": len(one.keys), "widths": _widths(one.least, one.most)}


def _widths(least: float, most: float) -> str:
    """Return the narrowest and the widest half-width as text, in points of the possible range."""
    if says_nothing(least):
        return _("no result")
    low, high = (numerals.plus_minus(numerals.rounded_up(100 * width)) for width in (least, min(most, 0.5)))
    if says_nothing(most):
        return _("%(low)s points, some without a result") % {"low": low}
    text = _("%(low)s points") if low == high else _("%(low)s to %(high)s points")
    return text % {"low": low, "high": high}


def widths(outcome: Outcome, keys: Sequence[str]) -> str:
    """Return the narrowest and the widest half-width of these questions."""
    own = [outcome.half_widths[key] for key in keys]
    return _widths(min(own), max(own))


def _crossing(offered: ProposalOffer) -> str:
    brief, proposal = offered.brief, offered.proposal
    if brief.crossed == "none":
        if not 1 < len(brief.free) <= CROSSED_MOST or not (crossed := replace(brief, crossed="all")).pairs:
            return ""
        proposal = design_proposals.propose(crossed)
    if proposal.outcome.uncrossed or proposal.crossing_cost is None:
        return _("Not all pairs can be crossed then.") if proposal.outcome.uncrossed else ""
    if proposal.crossing_cost <= _LITTLE:
        return _("Crossing them costs no more people.")
    part = numerals.percent(proposal.crossing_cost)
    if isinstance(brief.crossed, str):
        return _("Crossing all pairs costs %(part)s more people.") % {"part": part}
    return _("Crossing these pairs costs %(part)s more people.") % {"part": part}


# The design -----------------------------------------------------------------------------------------------------------


class ProposalLine(NamedTuple):
    """A question with its present and proposed half-widths, a message, and its forms. `among` names the people whom the
    widths are about if not everyone is asked."""

    question: StudioQuestion
    now: str
    proposed: str
    verdict: Verdict
    forms: str
    among: str


def lines(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[ProposalLine]:
    made, n = [], offered.brief.n
    for question in questions:
        now = _text(question, offered.now.half_widths[question.key], n) if offered.now else _as_it_stands(question, n)
        width = offered.outcome.half_widths[question.key]
        among = planned_among(offered.outcome.reached.get(question.key))
        text = _text(question, width, n)
        made.append(ProposalLine(question, now, text, verdict(width), _homes(offered, question), among))
    return made


def _as_it_stands(question: StudioQuestion, n: int) -> str:
    return _text(question, question.half_width(n), n) if question.built else ""


def _text(question: StudioQuestion, half_width: float, n: int) -> str:
    if math.isinf(half_width):
        return _("nothing is published")
    built = question.without_form.variant.built
    assert built
    return measure(built).planned(half_width, n)


def _homes(offered: ProposalOffer, question: StudioQuestion) -> str:
    forms = offered.proposal.design.forms
    places = [numerals.integer(place) for place, form in enumerate(forms, 1) if question.key in form.keys]
    return _(", ").join(places) if places else _("everyone")


class FormProposal(NamedTuple):
    """A form in words: its people, and its draws, each a list of titles."""

    title: str
    draws: list[list[str]]


def forms(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[FormProposal]:
    """Return a card for everyone's questions, if there are any, and one for each form."""
    design, made = offered.proposal.design, []
    titles = {question.key: question.text or question.key for question in questions}
    if design.everyone:
        made.append(FormProposal(_("Everyone"), _draws(design.everyone, titles)))
    for place, (form, (part, _all)) in enumerate(zip(design.forms, design.parts, strict=False), 1):
        people = numerals.integer(max(1, round(offered.brief.n * part)))
        title = _("Form %(n)d, about %(people)s people") % {"n": place, "people": people}
        made.append(FormProposal(title, _draws(form.draws, titles)))
    return made


def _draws(draws: Sequence[DesignDraw], titles: dict[str, str]) -> list[list[str]]:
    return [[titles[key] for key in draw.keys] for draw in draws]


def uncrossed(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[str]:
    """Return the wished pairs that cannot be crossed."""
    titles = {question.key: question.text or question.key for question in questions}
    return [f"{titles[one]} × {titles[other]}" for one, other in offered.outcome.uncrossed]


def before_the_end(offered: ProposalOffer) -> str:
    """Return a warning if some or all questions have no results before the survey ends; else ""."""
    times = set(offered.outcome.publishes.values())
    if offered.outcome.nothing or times == {"before"}:
        return ""
    if "before" in times:
        return _("Some questions have no results before the survey ends.")
    text = _("With %(people)s people there are no results before the survey ends.")
    return text % {"people": numerals.integer(offered.brief.n)}
