"""The survey's forms as the page shows them: what each question of them gets and costs, and what a whole report can
tell."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from ldp.forms.definition import arms_of
from ldp.planning import meaning
from surveys.designer.privacy.figures import measure, says_nothing
from surveys.designer.privacy.questions import PlannedForm, StudioQuestion, forms_of, reports
from surveys.designer.privacy.verdicts import Verdict, verdict
from surveys.designer.studio import meaning as words
from surveys.drafts.assignment import EVERYBODY, NEW
from surveys.figures import numerals, strengths
from surveys.figures.typed import written
from surveys.rules.context import Context
from surveys.rules.texts import decimal


class CardQuestion(NamedTuple):
    """A question of the list: its alpha with its step, and the half-width with what is said of it; empty where there is
    none, and words where it says nothing."""

    question: StudioQuestion
    step: strengths.ProtectionStep | None
    width: str
    unit: str
    verdict: Verdict | None
    targets: Sequence[tuple[str, str]] = ()


class FormCard(NamedTuple):
    """A form, or what everybody is asked, where `form` is None. `alpha` is that of its questions together, `report`
    that of a whole report of it."""

    form: PlannedForm | None
    rows: list[CardQuestion]
    people: str
    part: str
    alpha: str
    report: str
    step: strengths.ProtectionStep | None
    remarks: Sequence[str] = ()

    @property
    def place(self) -> int:
        """The number of the form, from 1; 0 for what everybody is asked."""
        return self.form.place if self.form else 0

    @property
    def typed_alpha(self) -> str:
        """The alpha as a field has it."""
        return written(self.alpha) if self.alpha else ""


def cards(questions: Sequence[StudioQuestion], n: int, least: int) -> list[FormCard]:
    """A card of what everybody is asked, if there is anything, and one of each form. Below `least` reports a form has
    no results before the survey ends."""
    forms, sums = forms_of(questions), reports(questions)
    shared = [question for question in questions if question.form is None]
    listed = [_card(None, shared, n, forms, [])] if shared else []
    for form, alphas in zip(forms, sums, strict=False):
        own = [question for question in questions if question.form and question.form.place == form.place]
        listed.append(_card(form, own, n, forms, alphas, least))
    return listed


def _card(
    form: PlannedForm | None,
    questions: Sequence[StudioQuestion],
    n: int,
    forms: Sequence[PlannedForm],
    report: list[Fraction],
    least: int = 0,
) -> FormCard:
    alphas = [Fraction(each.alpha) for each in questions if each.alpha]
    alpha = alphas[0] if form and form.joint and alphas else sum(alphas, Fraction(0))
    people = questions[0].people(n) if questions else n
    return FormCard(
        form,
        [row(question, n, targets(question, forms)) for question in questions],
        numerals.integer(people),
        numerals.percent(float(form.share)) if form else "",
        decimal(alpha) if alphas else "",
        decimal(sum(report, Fraction(0))) if report else "",
        strengths.of_survey(report or alphas) if alphas else None,
        _remarks(form, n * form.share, least) if form else _never(people) if not forms else (),
    )


def row(question: StudioQuestion, n: int, targets: Sequence[tuple[str, str]] = ()) -> CardQuestion:
    if question.built is None:
        return CardQuestion(question, None, "", "", None, targets)
    shown, half_width = measure(question.built), question.half_width(n)
    step = strengths.of_question(Fraction(question.alpha))
    unit = "" if says_nothing(half_width) else shown.unit
    return CardQuestion(question, step, shown.planned(half_width, n), unit, verdict(half_width), targets)


def _never(people: int) -> list[str]:
    """A remark where too few people are expected for any result."""
    if people >= settings.RELEASE_LEAST:
        return []
    text = _("With fewer than %(least)s reports nothing is ever published, and fewer people are expected.")
    return [text % {"least": numerals.integer(settings.RELEASE_LEAST)}]


def _remarks(form: PlannedForm, people: Fraction, least: int) -> list[str]:
    remarks = []
    if people < settings.RELEASE_LEAST:
        text = _("Fewer than %(least)s reports are expected of this form: nothing of it is ever published.")
        remarks.append(text % {"least": numerals.integer(settings.RELEASE_LEAST)})
    elif people < least:
        text = _("Fewer than %(least)s reports are expected of this form: there is no result of it before the end.")
        remarks.append(text % {"least": numerals.integer(least)})
    if form.joint and form.alpha and form.together is None and all(each.built_joint for each in form.members):
        remarks.append(_("These questions have too many combinations of answers to be randomized together."))
    return remarks


def targets(question: StudioQuestion, forms: Sequence[PlannedForm]) -> list[tuple[str, str]]:
    """The places to which a question may be moved, each with its name; none as long as there are no forms."""
    if not forms:
        return []
    own = question.form.place if question.form else 0
    versions = arms_of([member.draft for form in forms for member in form.members], question.key)
    free = [form for form in forms if form.place != own and not set(versions) & set(form.keys)]
    places = [(str(form.place - 1), _("Form %(n)d") % {"n": form.place}) for form in free]
    everybody = [(EVERYBODY, _("Everybody"))] if own and not versions else []
    return [*everybody, *places, (NEW, _("A new form"))]


def total_context(questions: Sequence[StudioQuestion]) -> Context:
    """The survey's total and what a whole report can tell."""
    every = reports(questions)
    if not any(every):
        return {}
    largest = max(every, key=sum)
    factors = _factors(questions)
    return {
        "total": decimal(sum(largest, Fraction(0))),
        "step": max((strengths.of_survey(alphas) for alphas in every if alphas), key=lambda step: -step.filled),
        "factor": max(factors, default=None),
        "belief": words.belief_line_of_survey(max(factors)) if factors else "",
        "forms": len(every) if forms_of(questions) else 0,
        "efficiency": _efficiency(questions, sum(largest, Fraction(0))),
    }


def _efficiency(questions: Sequence[StudioQuestion], total: Fraction) -> str:
    """How near the survey comes to the bound for a whole one (M36b); empty where it is not known."""
    from ldp.forms.results import planned_efficiency  # numpy takes a while to load

    each = [(question.built, question.part) for question in questions if question.built]
    if len(each) < len(questions):
        return ""
    efficiency = planned_efficiency(total, each)
    return "" if efficiency is None else numerals.percent(efficiency)


def _factors(questions: Sequence[StudioQuestion]) -> list[Fraction]:
    """The factor of a report of each form; none where a question is not complete."""
    if not all(question.built for question in questions):
        return []
    everybody = _product([question for question in questions if question.form is None])
    return [everybody * _factor(form, questions) for form in forms_of(questions)] or [everybody]


def _factor(form: PlannedForm, questions: Sequence[StudioQuestion]) -> Fraction:
    if form.joint and form.together:
        return meaning.draw_factor(form.together.draw["table"], form.together.counts)
    return _product([question for question in questions if question.form and question.form.place == form.place])


def _product(questions: Sequence[StudioQuestion]) -> Fraction:
    return math.prod((meaning.factor(question.built) for question in questions if question.built), start=Fraction(1))
