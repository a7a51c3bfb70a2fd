"""How many people make answers as precise as somebody wishes: every answer to five points, of a proposal and of a
survey as it stands, and each question to what is wished of it."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from django.conf import settings

from ldp.planning.outlook import HOPELESS
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.proposal import ProposalOffer, half_widths, linked, plannable, plans_for
from surveys.designer.privacy.questions import StudioQuestion, is_plain, reports
from surveys.designer.privacy.verdicts import PRECISE
from surveys.designer.privacy.wish import Wish
from surveys.drafts.proposals import versions
from surveys.figures import numerals

# Fewer people are named where they are at most this part.
FEWER = 0.9


def precise(questions: Sequence[StudioQuestion]) -> str:
    """How many people make every answer precise to five points, as the questions stand; empty where not all of them can
    be asked, or no number is enough."""
    if not questions or not all(question.built for question in questions):
        return ""
    needed = [question.people_needed(PRECISE) for question in questions]
    return text(None if None in needed else max(filter(None, needed)))


def precise_at_best(questions: Sequence[StudioQuestion]) -> str:
    """How many people would, in the forms that are proposed for that many under the same total; empty where these are
    not fewer by a tenth at least, or nothing is proposed."""
    planned = plannable(questions)
    if len(planned) < len(questions) or not is_plain(questions) or not precise(questions):
        return ""
    needed = max(question.people_needed(PRECISE) or 0 for question in questions)
    with suppress(ValueError):
        best = plans_for(planned, _as_it_stands(questions, planned)).people(PRECISE)
        return text(best) if best and best <= FEWER * needed else ""
    return ""


def _as_it_stands(questions: Sequence[StudioQuestion], planned: Sequence[StudioQuestion]) -> Wish:
    """The total that stands, with what is asked of everybody beside forms."""
    total = max(sum(alphas, Fraction(0)) for alphas in reports(questions))
    in_forms = any(question.forms for question in questions)
    own = {place: Fraction(each.alpha) for place, each in enumerate(questions) if in_forms and not each.forms}
    apart = versions([question.draft for question in planned])
    target = questions[0].target
    return Wish(total, 1, settings.RELEASE_LEAST, {}, own, linked=linked(planned), apart=apart, target=target)


def precise_proposal(offered: ProposalOffer) -> str:
    return text(offered.plans.people(PRECISE))


def precise_everything(offered: ProposalOffer) -> str:
    everything = offered.comparison.everything
    return text(offered.plans.people_with(everything, PRECISE)) if everything else ""


def text(people: int | None) -> str:
    return numerals.count_up(people) if people else ""


class Missed(NamedTuple):
    """A question whose wished interval is not reached, with how many people would do; empty where none would."""

    title: str
    wished: str
    expected: str
    people: str


def missed(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[Missed]:
    """What a proposal does not reach of the wishes."""
    listed, widths = [], half_widths(questions, offered.proposal, offered.wish)
    for place, wished in sorted(offered.wish.widths.items()):
        question = questions[place]
        if widths[place] > wished and question.variant.built:
            its = measure(question.variant.built)
            people = text(offered.plans.people(wished, place))
            typed = numerals.with_unit("±" + numerals.local(f"{wished * its.times:g}"), its.unit)
            listed.append(Missed(question.text or question.key, typed, its.full(widths[place]), people))
    return listed


def without_result(questions: Sequence[StudioQuestion], offered: ProposalOffer) -> list[tuple[str, str]]:
    """The questions of which a proposal lets expect no result, each with how many people would do; empty where none
    would."""
    return [
        (questions[place].text or questions[place].key, text(offered.plans.people(HOPELESS, place)))
        for place, width in sorted(half_widths(questions, offered.proposal, offered.wish).items())
        if width > HOPELESS
    ]
