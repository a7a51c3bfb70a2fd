"""Go or no-go: a survey's protection and expected results, shown to the person responsible before it opens."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from ldp.forms import lot, report
from ldp.forms.definition import groups, questionnaire, weights
from ldp.planning.stopping import widening
from ldp.planning.thirds import CONFIDENCE
from ldp.regression.condition_scores import bounded
from ldp.scores import Target
from surveys.designer.opening.crossings import uncrossed
from surveys.designer.privacy.cards import FormCard, cards, total_context
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.groups import outlook
from surveys.designer.privacy.inputs import batch_of, people_of
from surveys.designer.privacy.questions import questions_of
from surveys.designer.privacy.readers import planned_reports
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import Verdict, verdict
from surveys.designer.privacy.wishes import precise, precise_at_best
from surveys.designer.studio import waves
from surveys.drafts.proposals import publishes_nothing
from surveys.figures import numerals, strengths
from surveys.figures.sentences import comma_separated
from surveys.figures.targets import planned_for, usual_target
from surveys.models import Survey
from surveys.models.release import first_release
from surveys.researcher.results.routing import ADVICE
from surveys.rules.enumeration import with_commas
from surveys.survey.definition.document import Definition
from surveys.survey.definition.invitations import groups_of


class PlannedMargin(NamedTuple):
    """The expected precision of an answer. `half_width` is a part of the possible range."""

    half_width: float
    text: str
    verdict: Verdict


class QuestionReadiness(NamedTuple):
    """A question's margins: `one_look` if its results do not decide when the survey ends, `every_look` if they may."""

    question: StudioQuestion
    one_look: PlannedMargin
    every_look: PlannedMargin
    people: str

    @property
    def margins(self) -> tuple[tuple[str, PlannedMargin], tuple[str, PlannedMargin]]:
        """Return both margins with their CSS classes."""
        return ("one-look", self.one_look), ("every-look", self.every_look)


class Readiness(NamedTuple):
    """The outlook of a survey. `concerns` are reasons against opening, possibly none. `weakest` is the form, from 1,
    with the largest alpha."""

    step: strengths.ProtectionStep
    weakest: int
    belief: str
    wave: str
    people: str
    precise: str
    at_best: str
    about: str
    answers: list[QuestionReadiness]
    first: str
    uncrossed: list[str]
    concerns: list[str]

    @property
    def rough(self) -> bool:
        """Return whether some answer will not be known precisely."""
        return any(answer.every_look.verdict.name != "precise" for answer in self.answers)

    @property
    def widest(self) -> list[tuple[str, str]]:
        """Return the widest margin of each kind, with its CSS class."""
        sorts = zip(*(each.margins for each in self.answers), strict=True)
        return [(sort[0][0], max(sort, key=lambda each: each[1].half_width)[1].text) for sort in sorts]


def readiness(
    survey: Survey, definition: Definition, wishes: Sequence[tuple[str, str]] = (), target: Target | None = None
) -> Readiness:
    """Return the outlook of a draft that can open with this definition. It is about the usual target unless `target` is
    given. `wishes` are the keys of pairs to cross."""
    about = target or usual_target(definition)
    questions, n = [question.about(about) for question in questions_of(survey)], people_of(survey)
    together = total_context(questions)
    shown = cards(questions, n, _least(survey))
    factors, parts = _widenings(survey, definition, about), questionnaire(definition)
    answers = [_answer(question, n, factors.get(question.key, 1)) for question in questions]
    return Readiness(
        strengths.of_definition(definition),
        1 + max(range(len(parts.forms)), key=parts.total),
        together["belief"],
        waves.sentence(definition, together["factor"], together["delta"]),
        numerals.integer(n),
        precise(questions),
        precise_at_best(questions),
        planned_for(about, "forms" in definition),
        answers,
        _first(survey, shown),
        uncrossed(questions, wishes),
        _concerns(survey, definition, answers, shown),
    )


def _widenings(survey: Survey, definition: Definition, about: Target) -> dict[str, float]:
    """Return, by key, the factor by which a question's margins widen if results may decide when the survey ends; {} if
    no results are expected before its end."""
    if _comes_late(survey, definition):
        return {}
    chances, whole, people = lot.chances(weights(definition)), questionnaire(definition), people_of(survey)
    factors = {
        question["key"]: widening(question, people * float(sum(chances[form] for form in forms)), CONFIDENCE, about)
        for question in report.alone(definition)
        if (forms := whole.reports_about(question["key"]))
    }
    return {key: factor for key, factor in factors.items() if math.isfinite(factor)}


def _answer(question: StudioQuestion, n: int, factor: float) -> QuestionReadiness:
    people = round(question.people(n) * (question.whom.part if question.whom else 1))
    one_look = _margin(question, question.half_width(n))
    every_look = _margin(question, question.half_width(n, watched=True) * factor)
    return QuestionReadiness(question, one_look, every_look, numerals.integer(people))


def _margin(question: StudioQuestion, width: float) -> PlannedMargin:
    assert question.built
    return PlannedMargin(width, measure(question.built).full(width), verdict(width))


def _first(survey: Survey, shown: Sequence[FormCard]) -> str:
    """Return when results come: once a form has two batches of reports, or at the end if the survey publishes once."""
    if survey.publishes_once:
        text = _("The results appear once, at the end of the survey, for each form with at least %(least)d reports.")
        return text % {"least": settings.RELEASE_LEAST}
    low, high = first_release(batch_of(survey))
    shares = [float(card.form.share) for card in shown if card.form]
    if not shares:
        text = _(
            "The first results appear when %(low)d reports are there, at the latest when there are %(high)d. If the "
            "survey ends before, they appear at its end, if there are at least %(least)d reports."
        )
        if groups_of(survey.draft):
            text = _(
                "The first results appear when %(low)d people of a group have answered, at the latest when %(high)d "
                "have. At the end every group with at least %(least)d reports has results."
            )
        return text % {"low": low, "high": high, "least": settings.RELEASE_LEAST}
    text = _(
        "Each form has results of its own. They first appear when %(low)d people have answered the form, at the "
        "latest when %(high)d have. That is after about %(first)s reports in all for the first form, and about "
        "%(last)s for the last. At the end every form with at least %(least)d reports has results."
    )
    if min(shares) == max(shares):
        text = _(
            "Each form has results of its own. They first appear when %(low)d people have answered the form, at the "
            "latest when %(high)d have, which is after about %(first)s reports in all. At the end every form with at "
            "least %(least)d reports has results."
        )
    first, last = (numerals.count_up(round(low / share)) for share in (max(shares), min(shares)))
    numbers = {"low": low, "high": high, "least": settings.RELEASE_LEAST, "first": first, "last": last}
    return text % numbers


def _comes_late(survey: Survey, definition: Definition) -> bool:
    """Return whether no form, or no group, is expected to have results before the survey ends."""
    return people_of(survey) * max(planned_reports(survey, definition).shares) < _least(survey)


def _least(survey: Survey) -> int:
    """Return the reports that a form needs for results before the survey ends."""
    return first_release(batch_of(survey))[0]


def _of_groups(survey: Survey, all_late: bool) -> list[str]:
    """Return concerns about groups: groups with results only at the end, unless all groups are so, and groups with very
    wide margins."""
    shown, concerns = outlook(survey), []
    late = [group.name for group in shown if group.at_the_end]
    if late and not all_late and not survey.publishes_once:
        text = _("These groups have results at the end only, if at least %(least)d of each answer: %(groups)s.")
        concerns.append(text % {"least": settings.RELEASE_LEAST, "groups": comma_separated(late)})
    vague = [
        f"{each.name} ({each.width})" for each in shown if each.verdict and each.verdict.name in ("vague", "nothing")
    ]
    if vague:
        text = _("These groups are so small that their widest margins will be very wide: %(groups)s.")
        concerns.append(text % {"groups": comma_separated(vague)})
    return concerns


def _concerns(
    survey: Survey, definition: Definition, answers: Sequence[QuestionReadiness], shown: Sequence[FormCard]
) -> list[str]:
    concerns = []
    if caution := strengths.of_definition(definition).caution:
        concerns.append(str(caution))
    if any(each.one_look.verdict.name in ("vague", "nothing") for each in answers):
        text = _("Some results are very rough or say nothing. More people, a larger alpha or fewer questions help.")
        concerns.append(text)
    if names := [each["text"] for each in bounded(report.alone(definition), False)]:
        text = _(
            "Results of these questions are intervals without estimates, because several answers decide who is asked: "
            "%(questions)s."
        )
        concerns.append(f"{text % {'questions': with_commas(names)}} {ADVICE}")
    if publishes_nothing(survey.draft, definition, survey.expected_n):
        text = _("With %(people)s people nothing is ever published: a survey needs at least %(least)d reports.")
        if "forms" in definition:
            text = _(
                "With %(people)s people nothing is ever published: at the end, only forms with at least %(least)d "
                "reports have results, and no form is expected to get as many."
            )
        concerns.append(text % {"people": numerals.integer(people_of(survey)), "least": settings.RELEASE_LEAST})
    late = _comes_late(survey, definition)
    if late and not publishes_nothing(survey.draft, definition, survey.expected_n):
        text = _("With %(people)s people there are no results before the survey ends.")
        concerns.append(text % {"people": numerals.integer(people_of(survey))})
    concerns += _of_groups(survey, late) if groups(definition) else []
    concerns += dict.fromkeys(remark for card in shown for remark in card.remarks if not (late and remark == card.late))
    if survey.expected_n is None:
        concerns.append(_("You gave no number of people: 1,000 are assumed."))
    return concerns
