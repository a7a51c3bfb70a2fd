"""The survey's forms as the page shows them: each question's alpha and cost in a form, and a whole report's privacy
loss."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, cast

from django.conf import settings
from django.utils.translation import gettext as _

from ldp.forms.definition import arms_of
from ldp.forms.efficiency import Efficiency
from ldp.planning import meaning, survey_efficiency
from surveys.designer.privacy.figures import measure, says_nothing
from surveys.designer.privacy.questions import forms_of, reports, shared_draws
from surveys.designer.privacy.studio_question import PlannedDraw, PlannedForm, StudioQuestion
from surveys.designer.privacy.verdicts import Verdict, verdict
from surveys.designer.studio import meaning as words
from surveys.drafts.assignment import EVERYONE, NEW, may_pool
from surveys.drafts.forms import may_join
from surveys.figures import numerals, strengths
from surveys.figures.bounds import nearness
from surveys.figures.sentences import comma_separated
from surveys.figures.typed import written
from surveys.rules.context import Context
from surveys.rules.draft import Question
from surveys.rules.texts import decimal


class CardQuestion(NamedTuple):
    """A question in a form. `alpha` and `step` are this form's; `width` and `verdict` are over all its forms. `width`
    is "" for an unknown width, and words for a meaningless one. `draw` is its joint draw here; `others` are its further
    forms."""

    question: StudioQuestion
    alpha: str
    step: strengths.ProtectionStep | None
    width: str
    unit: str
    verdict: Verdict | None
    targets: Sequence[tuple[str, str]] = ()
    draw: PlannedDraw | None = None
    others: str = ""
    place: int = 0

    @property
    def id(self) -> str:
        """Return an id for the row's controls, unique on the page."""
        return f"{self.question.key}-{self.place}" if self.question.several else self.question.key


class CardDraw(NamedTuple):
    """A draw with its questions. `draw` is None for questions that are drawn separately, one after the other."""

    draw: PlannedDraw | None
    rows: list[CardQuestion]

    @property
    def alphas(self) -> list[str]:
        return [self.draw.alpha] if self.draw else [row.alpha for row in self.rows]


class FormCard(NamedTuple):
    """A form, or everyone's questions if `form` is None. `alpha` is the sum over its questions, `report` a whole
    report's. `late` is a remark if there are no results before the end, else ""."""

    form: PlannedForm | None
    groups: list[CardDraw]
    people: str
    part: str
    alpha: str
    report: str
    step: strengths.ProtectionStep | None
    remarks: Sequence[str] = ()
    late: str = ""

    @property
    def rows(self) -> list[CardQuestion]:
        return [row for group in self.groups for row in group.rows]

    @property
    def joinable(self) -> list[CardQuestion]:
        """Return the questions that can be randomized together; [] if there are fewer than two."""
        able = [row for row in self.rows if may_join(cast(Question, row.question.draft))]
        return able if len(able) > 1 else []

    @property
    def place(self) -> int:
        """Return the number of the form, from 1; 0 for everyone."""
        return self.form.place if self.form else 0

    @property
    def typed_alpha(self) -> str:
        """Return the alpha as text for a field."""
        return written(self.alpha) if self.alpha else ""


def cards(questions: Sequence[StudioQuestion], n: int, least: int) -> list[FormCard]:
    """Return one card for everyone's questions, if there are any, and one for each form. A form below `least` reports
    has no results before the survey ends."""
    forms, sums = forms_of(questions), reports(questions)
    shared = [question for question in questions if not question.forms]
    listed = [_card(None, shared, n, forms, [])] if shared else []
    for form, alphas in zip(forms, sums, strict=False):
        own = [question for question in questions if form.place in question.places]
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
    groups = _groups([row(question, n, form, targets(question, form, forms)) for question in questions])
    alphas = [Fraction(alpha) for group in groups for alpha in group.alphas if alpha]
    alpha, people = sum(alphas, Fraction(0)), max(1, round(n * form.share)) if form else n
    late = _late(n * form.share, least) if form else ""
    return FormCard(
        form,
        groups,
        numerals.integer(people),
        numerals.percent(float(form.share)) if form else "",
        decimal(alpha) if alphas else "",
        decimal(sum(report, Fraction(0))) if report else "",
        strengths.of_survey(report or alphas) if alphas else None,
        _remarks(form, n * form.share, late) if form else _never(people) if not forms else (),
        late,
    )


def _late(people: Fraction, least: int) -> str:
    """Return a remark if a form has results only at the end."""
    if not settings.RELEASE_LEAST <= people < least:
        return ""
    text = _("Forms with fewer than %(least)s expected reports have no results before the end.")
    return text % {"least": numerals.integer(least)}


def row(
    question: StudioQuestion,
    n: int,
    form: PlannedForm | None = None,
    targets: Sequence[tuple[str, str]] = (),
) -> CardQuestion:
    """Return the question as this form asks it."""
    own = question.in_form(form.place if form else None) or question
    draw, others, place = own.joint, _others(question, form), form.place if form else 0
    if question.built is None:
        return CardQuestion(question, own.alpha, None, "", "", None, targets, draw, others, place)
    shown, half_width = measure(question.built), question.half_width(n)
    step = strengths.of_question(Fraction(own.alpha)) if own.alpha else None
    unit, width = "" if says_nothing(half_width) else shown.unit, shown.planned(half_width, n)
    return CardQuestion(question, own.alpha, step, width, unit, verdict(half_width), targets, draw, others, place)


def _others(question: StudioQuestion, form: PlannedForm | None) -> str:
    """Return the further forms that ask the question; "" if there are none."""
    return comma_separated(str(place) for place in question.places if form and place != form.place)


def _groups(rows: Sequence[CardQuestion]) -> list[CardDraw]:
    """Group the rows. A joint draw is placed at its first question, with single questions between joint draws."""
    groups: list[CardDraw] = []
    for each in rows:
        known = next((one for one in groups if each.draw and one.draw and one.draw.name == each.draw.name), None)
        if known is None and each.draw is None and groups and groups[-1].draw is None:
            known = groups[-1]
        if known is None:
            groups.append(CardDraw(each.draw, [each]))
        else:
            known.rows.append(each)
    return groups


def _never(people: int) -> list[str]:
    """Return a remark if too few people are expected for any result."""
    if people >= settings.RELEASE_LEAST:
        return []
    text = _("Nothing is ever published: that takes %(least)s reports, and fewer people are expected.")
    return [text % {"least": numerals.integer(settings.RELEASE_LEAST)}]


def _remarks(form: PlannedForm, people: Fraction, late: str) -> list[str]:
    remarks = [late] if late else []
    if people < settings.RELEASE_LEAST:
        text = _("Forms with fewer than %(least)s expected reports are never published.")
        remarks.append(text % {"least": numerals.integer(settings.RELEASE_LEAST)})
    if any(_is_too_much(draw) for draw in form.draws):
        remarks.append(_("These questions have too many combinations of answers to be randomized together."))
    return remarks


def _is_too_much(draw: PlannedDraw) -> bool:
    return bool(draw.joint and draw.alpha and draw.together is None and all(each.content for each in draw.members))


def targets(question: StudioQuestion, form: PlannedForm | None, forms: Sequence[PlannedForm]) -> list[tuple[str, str]]:
    """Return the places where a form's question may move, or be asked as well, with their names; [] without forms."""
    if not forms:
        return []
    versions = arms_of([member.draft for each in forms for member in each.members], question.key)
    free = [each for each in forms if each.place not in question.places and not set(versions) & set(each.keys)]
    places = [(str(each.place - 1), _("Form %(n)d") % {"n": each.place}) for each in free]
    everyone = [(EVERYONE, _("Everyone"))] if form and not versions else []
    listed = [*everyone, *places, (NEW, _("A new form"))]
    if form and all(may_pool(cast(Question, each.draft), each.draft) for each in question.in_each_form):
        listed += [(f"also:{each.place - 1}", _("also in form %(n)d") % {"n": each.place}) for each in free]
        listed += [("also:new", _("also in a new form"))]
    return listed + ([("leave:", _("out of this form"))] if form and question.several else [])


def total_context(questions: Sequence[StudioQuestion]) -> Context:
    """Return the survey's total alpha and the privacy loss of a whole report."""
    every = reports(questions)
    if not any(every):
        return {}
    largest = max(every, key=sum)
    factors = _factors(questions)
    return {
        "total": decimal(sum(largest, Fraction(0))),
        "step": max((strengths.of_survey(alphas) for alphas in every if alphas), key=lambda step: -step.filled),
        "factor": max(factors, default=None),
        "delta": max(_sums_of_delta(questions)),
        "belief": words.belief_line_of_survey(max(factors)) if factors else "",
        "forms": len(every) if forms_of(questions) else 0,
        "efficiency": nearness(_efficiency(questions, sum(largest, Fraction(0)))),
    }


def _efficiency(questions: Sequence[StudioQuestion], total: Fraction) -> Efficiency | None:
    """Return how near the survey comes to the bound for a whole survey (M48); None if unknown."""
    each = [(question.built, question.part) for question in questions if question.built]
    return survey_efficiency.planned(total, each) if len(each) == len(questions) else None


def _factors(questions: Sequence[StudioQuestion]) -> list[Fraction]:
    """Return the factor of each form's report; [] if a question is incomplete."""
    if not all(question.built for question in questions):
        return []
    everyone = _product(questions, None, shared_draws(questions))
    return [everyone * _product(questions, form.place, form.draws) for form in forms_of(questions)] or [everyone]


def _sums_of_delta(questions: Sequence[StudioQuestion]) -> list[Fraction]:
    """Return the sum of the deltas of each form's report; a joint draw has none."""
    places = [form.place for form in forms_of(questions)]
    everyone = _delta(questions, None)
    return [everyone + _delta(questions, place) for place in places] or [everyone]


def _delta(questions: Sequence[StudioQuestion], place: int | None) -> Fraction:
    """Return the sum of the deltas of this form's questions, or of everyone's."""
    channels = [own.built for question in questions if (own := question.in_form(place)) and own.built]
    return sum((Fraction(built.get("delta", 0)) for built in channels), Fraction(0))


def _product(questions: Sequence[StudioQuestion], place: int | None, draws: Sequence[PlannedDraw]) -> Fraction:
    """Return the factor of this form's draws, or of everyone's."""
    own_questions = [own for question in questions if (own := question.in_form(place)) and not own.joint]
    alone = [meaning.factor(own.built) for own in own_questions if own.built]
    together = [draw.together for draw in draws if draw.joint and draw.together]
    joint = [meaning.draw_factor(part.draw["table"], part.counts) for part in together]
    return math.prod([*alone, *joint], start=Fraction(1))
