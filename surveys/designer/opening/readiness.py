"""Go or no-go: a survey's protection and expected results, for the person responsible, before it opens."""

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.forms.definition import groups, questionnaire
from ldp.scores import Target
from surveys.designer.opening.crossings import uncrossed
from surveys.designer.privacy.cards import FormCard, about_routed, cards, total_context
from surveys.designer.privacy.figures import measure, says_nothing
from surveys.designer.privacy.groups import outlook
from surveys.designer.privacy.inputs import batch_of, people_of
from surveys.designer.privacy.questions import StudioQuestion, questions_of
from surveys.designer.privacy.verdicts import Verdict, verdict
from surveys.designer.privacy.wishes import precise, precise_at_best
from surveys.designer.studio import waves
from surveys.drafts.proposals import publishes_nothing
from surveys.figures import numerals, strengths
from surveys.figures.targets import planned_about, usual_target
from surveys.models import Survey
from surveys.models.release import first_release
from surveys.survey.definition.document import Definition


class QuestionReadiness(NamedTuple):
    """A question with how exactly its answer will be known."""

    question: StudioQuestion
    width: str
    people: str
    verdict: Verdict


class Readiness(NamedTuple):
    """`concerns` speak against opening as it is; there may be none. `weakest` is the form, from 1, whose report has the
    largest alpha."""

    step: strengths.ProtectionStep
    weakest: int
    belief: str
    wave: str
    people: str
    precise: str
    at_best: str
    about: str
    about_routed: str
    answers: list[QuestionReadiness]
    first: str
    uncrossed: list[str]
    concerns: list[str]

    @property
    def rough(self) -> int:
        """How many answers will be known, but not precisely."""
        return sum(answer.verdict.name == "rough" for answer in self.answers)


def readiness(
    survey: Survey, definition: Definition, wishes: Sequence[tuple[str, str]] = (), target: Target | None = None
) -> Readiness:
    """Return the outlook of a draft that can be opened to this definition, about the usual target unless another one is
    chosen; `wishes` are the keys of pairs to be crossed."""
    about = target or usual_target(definition)
    questions, n = [question.about(about) for question in questions_of(survey)], people_of(survey)
    together = total_context(questions)
    shown = cards(questions, n, _least(survey))
    answers, parts = [_answer(question, n) for question in questions], questionnaire(definition)
    return Readiness(
        strengths.of_definition(definition),
        1 + max(range(len(parts.forms)), key=parts.total),
        together["belief"],
        waves.sentence(definition, together["factor"], together["delta"]),
        numerals.integer(n),
        precise(questions),
        precise_at_best(questions),
        planned_about(about, "forms" in definition),
        about_routed(questions),
        answers,
        _first(survey, shown),
        uncrossed(questions, wishes),
        _concerns(survey, definition, answers, shown),
    )


def _answer(question: StudioQuestion, n: int) -> QuestionReadiness:
    assert question.built
    width, shown = question.half_width(n), measure(question.built)
    text = shown.planned(width, n) if says_nothing(width) else shown.full(width)
    return QuestionReadiness(question, text, numerals.integer(question.people(n)), verdict(width))


def _first(survey: Survey, shown: Sequence[FormCard]) -> str:
    """When results come: as soon as a form has two batches of reports, unless the survey is to publish once."""
    if survey.publishes_once:
        text = _("The results appear once, at the end of the survey, of each part that has at least %(least)d reports.")
        return text % {"least": settings.RELEASE_LEAST}
    low, high = first_release(batch_of(survey))
    shares = [float(card.form.share) for card in shown if card.form]
    if not shares:
        text = _(
            "The first results appear when %(low)d reports are there, at the latest when there are %(high)d. If the "
            "survey ends before, they appear at its end, if there are at least %(least)d reports."
        )
        return text % {"low": low, "high": high, "least": settings.RELEASE_LEAST}
    text = _(
        "Each form has results of its own. They first appear when %(low)d people have answered the form, at the latest "
        "when %(high)d have: of the first form after about %(first)s reports in all, of the last after about %(last)s. "
        "At the end every form with at least %(least)d reports has results."
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


def _least(survey: Survey) -> int:
    """Reports of a form without which none of its results come while people answer."""
    return first_release(batch_of(survey))[0]


def _of_groups(survey: Survey) -> list[str]:
    """The groups with results at the end only, and those whose results will say next to nothing."""
    shown, concerns = outlook(survey), []
    late = [group.name for group in shown if group.at_the_end]
    if late and not survey.publishes_once:
        text = _("These groups have results at the end only, if at least %(least)d of each answer: %(groups)s.")
        concerns.append(text % {"least": settings.RELEASE_LEAST, "groups": ", ".join(late)})
    vague = [
        f"{each.name} ({each.width})" for each in shown if each.verdict and each.verdict.name in ("vague", "nothing")
    ]
    if vague:
        text = _("These groups are so small that their widest margins will be very wide: %(groups)s.")
        concerns.append(text % {"groups": ", ".join(vague)})
    return concerns


def _concerns(
    survey: Survey, definition: Definition, answers: Sequence[QuestionReadiness], shown: Sequence[FormCard]
) -> list[str]:
    concerns = []
    if caution := strengths.of_definition(definition).caution:
        concerns.append(str(caution))
    vague = [each for each in answers if each.verdict.name in ("vague", "nothing")]
    if vague:
        text = ngettext(
            "With %(people)s people, the results of %(n)d question will be very rough or say nothing. More people, a "
            "larger alpha or fewer questions would help.",
            "With %(people)s people, the results of %(n)d questions will be very rough or say nothing. More people, a "
            "larger alpha or fewer questions would help.",
            len(vague),
        )
        concerns.append(text % {"people": numerals.integer(people_of(survey)), "n": len(vague)})
    if publishes_nothing(definition, survey.expected_n):
        text = _("With %(people)s people nothing is ever published: a survey needs at least %(least)d reports.")
        if "forms" in definition:
            text = _(
                "With %(people)s people nothing is ever published: at the end, only forms with at least %(least)d "
                "reports have results, and no form is expected to get as many."
            )
        concerns.append(text % {"people": numerals.integer(people_of(survey)), "least": settings.RELEASE_LEAST})
    elif people_of(survey) * max((float(card.form.share) for card in shown if card.form), default=1) < _least(survey):
        text = _("With %(people)s people there are no results before the survey ends.")
        concerns.append(text % {"people": numerals.integer(people_of(survey))})
    concerns += _of_groups(survey) if groups(definition) else []
    concerns += dict.fromkeys(remark for card in shown for remark in card.remarks)
    if survey.expected_n is None:
        concerns.append(_("No number of expected people has been given; 1,000 are assumed here."))
    return concerns
