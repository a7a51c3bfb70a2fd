"""A draft's forms and alphas as they stand, as a proposal, so that nothing worse is proposed in their place."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import DesignedForm, PlannedForm, Proposal, designed
from surveys.designer.privacy.questions import StudioQuestion, forms_of, is_plain
from surveys.designer.privacy.wish import Wish


class Standing(NamedTuple):
    """`own` are the alphas of what everybody is asked beside the forms, by the question's place."""

    proposal: Proposal
    own: dict[int, Fraction]


def standing(questions: Sequence[StudioQuestion], forms: int, wanted: Sequence[Wanted], wish: Wish) -> Standing | None:
    """What stands of the questions that can be planned, each in its form, in a survey of so many forms; None where it
    is not complete, could not be proposed, or is no answer to the wish: its total is larger, pairs or alphas are not
    those that are wished, or a form is not expected to be published."""
    if len(forms_of(questions)) < forms or not is_plain(questions) or not all(each.built for each in questions):
        return None
    in_forms = forms > 0
    free = [place for place, each in enumerate(questions) if (each.forms if in_forms else place not in wish.own)]
    own = {place: Fraction(each.alpha) for place, each in enumerate(questions) if place not in free}
    if not free or any(own.get(place) != alpha for place, alpha in wish.own.items()):
        return None
    with suppress(ValueError):
        proposal = designed(wanted, _forms(questions, free))
        return Standing(proposal, own) if _answers(proposal, own, wish) else None
    return None


def _forms(questions: Sequence[StudioQuestion], free: Sequence[int]) -> list[DesignedForm]:
    groups: dict[int, list[int]] = {}
    for place in free:
        groups.setdefault(next(iter(questions[place].places), 0), []).append(place)
    return [_form([questions[place] for place in places], places) for _, places in sorted(groups.items())]


def _form(members: Sequence[StudioQuestion], places: Sequence[int]) -> DesignedForm:
    form, joint = next(iter(members[0].forms), None), members[0].joint
    alphas = [Fraction(joint.alpha)] if joint else [Fraction(member.alpha) for member in members]
    return DesignedForm(tuple(places), alphas, joint is not None, form.weight if form else 1)


def _answers(proposal: Proposal, own: dict[int, Fraction], wish: Wish) -> bool:
    """Whether it keeps to the total, to what must be in one report and what must not, and is published."""
    reports = [own.keys() | set(form.questions) for form in proposal.forms]
    kept = sum(own.values(), Fraction(0)) + max(map(_alpha, proposal.forms)) <= wish.total
    together = all(any(set(pair) <= report for report in reports) for pair in wish.crossed | wish.linked)
    apart = not any(set(pair) <= report for pair in wish.apart for report in reports)
    least = min(map(proposal.part, proposal.forms)) * wish.n
    return kept and together and apart and (len(reports) == 1 or least >= wish.fewest)


def _alpha(form: PlannedForm) -> Fraction:
    return sum(form.way.alphas, Fraction(0))
