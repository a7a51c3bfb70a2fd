"""The planned margin of a draft's weakest question: one number for the precision of its plan. A wide margin comes with
one change that the planner finds better."""

import math
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.planning import design_needs
from ldp.planning.design import Brief
from ldp.planning.design_proposals import propose
from surveys.designer.privacy.figures import measure, says_nothing
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.questions import questions_of, reports, within_budget
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import ROUGH
from surveys.designer.privacy.wishes import people as people_for
from surveys.designer.studio.basis import about
from surveys.drafts import proposals, protection
from surveys.drafts.normalize import normalized
from surveys.figures import numerals, strengths
from surveys.models import Survey
from surveys.rules.draft import Draft
from surveys.rules.texts import decimal

SUGGESTED = strengths.TOTALS[1:3]  # no page suggests hardly any protection
# With more questions than these, no smaller number of questions is suggested.
MOST = 20
# A plan is suggested only if it shrinks the widest margin to this part.
BETTER = 0.9


class Suggestion(NamedTuple):
    """A suggestion. `total` is the alpha of a report that its button sets; "" if the designer must act."""

    text: str
    total: str = ""


class Precision(NamedTuple):
    """A draft's precision. `weakest` is empty without a complete question. `planned`: the planner sets the alphas."""

    people: str
    assumed: bool
    step: strengths.ProtectionStep | None
    weakest: str
    about: str
    planned: bool
    wide: bool
    suggestion: Suggestion | None


def precision(survey: Survey) -> Precision:
    """Return the precision of a draft's weakest question."""
    questions, n = within_budget(questions_of(survey)), people_of(survey)
    complete = [question for question in questions if question.built]
    widest = max(complete, key=lambda question: _half_width(question, n), default=None)
    width, draft = _half_width(widest, n) if widest else 0.0, normalized(survey.draft)
    total = protection.total(draft)
    alphas = [total] if total else max(reports(questions), key=sum)
    return Precision(
        numerals.integer(n),
        survey.expected_n is None,
        strengths.of_survey(alphas) if alphas else None,
        _text(widest, width) if widest else "",
        _(", ").join(filter(None, (about(draft), widest.among if widest else ""))),
        total is not None,
        width > ROUGH,
        _suggestion(draft, n, width, total or sum(alphas, Fraction(0))) if width > ROUGH else None,
    )


def _half_width(question: StudioQuestion, n: int) -> float:
    """Return the planned half-width; infinite if too few people are asked for a result."""
    share = max((form.share for form in question.forms), default=Fraction(1))
    return math.inf if n * share < settings.RELEASE_LEAST else question.half_width(n)


def _text(question: StudioQuestion, width: float) -> str:
    assert question.built
    return _("no result") if says_nothing(width) else measure(question.built).full(width)


# One suggestion -------------------------------------------------------------------------------------------------------


def _suggestion(draft: Draft, n: int, width: float, total: Fraction) -> Suggestion | None:
    """Return the first change that makes the weakest question precise enough, in this order: the planner's forms, fewer
    questions, more people, a lower strength."""
    brief = _brief(draft, n, total)
    if brief is None:
        return None
    planned = _widest(brief)
    if planned <= max(ROUGH, BETTER * width) and planned < width:
        text = _("As the planner shares it among forms: %(width)s points.")
        return Suggestion(text % {"width": _points(planned)}, decimal(total))
    people = people_for(brief, ROUGH)
    return _fewer(brief) or (_more(people) if people and people <= 2 * n else None) or _lower(brief) or _more(people)


def _brief(draft: Draft, n: int, total: Fraction) -> Brief | None:
    left = normalized(draft)
    protection.leave(left, total, protection.important(draft))
    if protection.total(left):
        with suppress(ValueError):
            brief = proposals.brief_of(protection.without(left), total, n)
            if brief:
                propose(brief)  # raises ValueError if no design asks all questions
            return brief
    return None


def _widest(brief: Brief) -> float:
    with suppress(ValueError):
        return max(propose(brief).outcome.half_widths.values())
    return math.inf


def _points(width: float) -> str:
    return numerals.plus_minus(numerals.rounded_up(100 * min(width, 0.5)))


def _fewer(brief: Brief) -> Suggestion | None:
    """Suggest leaving out the widest questions and their dependents. Half or more must remain and be precise enough."""
    left, count = brief, len(brief.questions)
    if count > MOST:
        return None
    while 2 * len(left.questions) >= count:
        widths = propose(left).outcome.half_widths
        if max(widths.values()) <= ROUGH:
            values = {"n": len(left.questions), "all": count, "width": _points(max(widths.values()))}
            text = ngettext(
                "Ask %(n)d question instead of %(all)d: %(width)s points.",
                "Ask %(n)d questions instead of %(all)d: %(width)s points.",
                len(left.questions),
            )
            return Suggestion(text % values)
        drops = {change.key: change.brief for change in design_needs.changes(left) if change.name == "drop"}
        widest = max(drops, key=lambda key: widths[key], default=None)
        if widest is None:
            return None
        left = drops[widest]
    return None


def _more(people: int | None) -> Suggestion:
    if people is None:
        return Suggestion(_("No number of people makes it precise: ask less."))
    needed = {"people": numerals.count_up(people), "width": _points(ROUGH)}
    return Suggestion(_("%(people)s people make it %(width)s points.") % needed)


def _lower(brief: Brief) -> Suggestion | None:
    for total in SUGGESTED:
        if Fraction(total) <= brief.total:
            continue
        width = _widest(replace(brief, total=Fraction(total)))
        if width <= ROUGH:
            word = strengths.of_survey([Fraction(total)]).word
            text = _("With %(strength)s protection: %(width)s points.")
            return Suggestion(text % {"strength": word, "width": _points(width)}, total)
    return None
