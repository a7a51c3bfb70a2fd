"""The facts for all documents of a survey's evidence. The same code computes them for pages and API."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from ldp import mechanisms
from ldp.document import Document
from ldp.forms import definition as definitions
from ldp.forms import lot, report
from ldp.forms.audiences import Audiences, audiences, planned
from ldp.forms.definition import questionnaire
from ldp.forms.report import Part
from ldp.mechanisms import randomized_response
from ldp.planning import meaning
from ldp.question import Drawn, Question, asked_in, channels
from ldp.scores import Target
from surveys import __version__
from surveys.designer.privacy.inputs import batch_of, people_of
from surveys.designer.privacy.readers import planned_reports
from surveys.designer.privacy.verdicts import PRECISE, planned_among
from surveys.figures.targets import usual_target
from surveys.life import chain
from surveys.models import Disclosure, Release, Survey
from surveys.researcher.results import response_cache
from surveys.survey import definition as frozen_definitions
from surveys.survey import kinds
from surveys.survey.definition import invitations, relay
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import in_language, languages_of

if TYPE_CHECKING:
    from ldp.planning.routed import Reach


class QuestionFacts(NamedTuple):
    """A question as if it were the only one. `forms` are the numbers, from 1, of the forms that ask it, none for
    everyone; `share` is the part of the people who draw them. The planned `half_width`, and the `people` for 5 points,
    are about `target`. `asked` is the expected part of people who are asked, if the results are only about them."""

    number: int
    question: Drawn
    forms: list[int]
    share: Fraction
    half_width: float
    people: int | None
    target: Target
    asked: float | None

    @property
    def among(self) -> str:
        """Return words for the people whom the results are about; "" for everyone."""
        return planned_among(self.asked)

    def by_channel(self, words: Callable[[Drawn], str]) -> str:
        """Return words for the question's channel. If channels differ by form, join them in the order of `forms`."""
        return " / ".join(map(words, channels(self.question)))

    @property
    def stands_in(self) -> str:
        """Return the numbers of the question's forms; "" if everyone is asked."""
        return _(", ").join(map(str, self.forms))

    @property
    def drawn_items(self) -> str:
        """Return how many of the question's items a report is about ("2 of the 5"); "" for all."""
        sampling = kinds.of(self.question).sampling
        if sampling is None:
            return ""
        samples, every = [each["table"]["sample"] for each in channels(self.question)], sampling.all(self.question)
        words = [_("%(some)s of the %(all)s") % {"some": sample, "all": every} for sample in samples]
        return " / ".join(words) if min(samples) < every else ""

    def worded(self, own: Question, translated: Question) -> "QuestionFacts":
        """Return the facts with the question's translated texts. Texts that are not translated stay."""
        texts = {name: text for name, text in translated.items() if text != own.get(name)}
        return self._replace(question=cast(Drawn, {**self.question, **texts}))


class ReportFacts(NamedTuple):
    """A report of one form, or of the whole survey if there are no forms. `keys` are all questions that it is about;
    `parts` are the draws that make it."""

    number: int
    weight: int
    share: Fraction
    keys: list[str]
    parts: list[Part]
    alpha: str
    delta: Fraction
    realized_alpha: float
    factor: Fraction

    @property
    def together(self) -> list[Part]:
        """Return the draws of several questions."""
        return [part for part in self.parts if part.joint]

    def belief(self, prior: int) -> tuple[int, int]:
        """Return the range in which a guess of `prior` of 100 ends, in 100, rounded outward (M39)."""
        return meaning.outward(meaning.belief(Fraction(prior, 100), self.factor))


class Facts(NamedTuple):
    """The facts of a survey. `document` is the newest release's, None before the first release."""

    survey: Survey
    definition: Definition
    digest: str
    alpha: str
    delta: Fraction
    strength: str
    questions: list[QuestionFacts]
    reports: list[ReportFacts]
    alpha_of_waves: Fraction
    delta_of_waves: Fraction
    people: int
    batch: int
    least: int
    releases: list[Release]
    document: Document | None
    disclosure: Disclosure
    languages: list[str]
    software: str
    readers: Audiences | None

    @property
    def is_draft(self) -> bool:
        return self.survey.is_draft

    def in_language(self, tag: str) -> "Facts":
        """Return the facts with the survey's texts in this language, else in the survey's own."""
        near = min(self.languages, key=lambda each: (each != tag, each.split("-")[0] != tag))
        definition = in_language(self.definition, near)
        pairs = zip(self.questions, self.definition["questions"], definition["questions"], strict=True)
        return self._replace(definition=definition, questions=[each.worded(*pair) for each, *pair in pairs])

    @property
    def title(self) -> str:
        return " ".join(self.definition["title"].split())

    @property
    def has_forms(self) -> bool:
        return "forms" in self.definition

    @property
    def is_wave(self) -> bool:
        return "wave_of" in self.definition

    @property
    def by_invitation(self) -> bool:
        return invitations.FIELD in self.definition

    @property
    def groups(self) -> list[str]:
        """Return the names of the groups that reports can name."""
        return definitions.groups(self.definition)

    @property
    def relay(self) -> str | None:
        """Return the host of the relay for reports; None if there is no relay."""
        origin = relay.origin_of(self.definition)
        return urlsplit(origin).netloc if origin else None

    @property
    def largest(self) -> ReportFacts:
        """Return the report with the largest alpha."""
        return max(self.reports, key=lambda each: each.factor)

    @property
    def release(self) -> Release | None:
        return self.releases[-1] if self.releases else None

    def reports_of(self, each: ReportFacts) -> int | None:
        """Return the number of reports in the newest release, of a form or of the smallest group; None before the first
        release."""
        if self.document is None:
            return None
        if self.groups:
            return min(group["n"] for group in self.document["groups"] if group["n"])
        return self.document["forms"][each.number - 1]["n"] if self.has_forms else self.document["n"]


def definition_of(survey: Survey) -> Definition:
    """Return the frozen definition, or a draft's as opening would freeze it. Raise DraftRefused if incomplete."""
    return survey.definition if survey.canonical else frozen_definitions.build(survey.draft)


def of_survey(survey: Survey) -> Facts:
    """Return a survey's facts. Raise DraftRefused if a draft is incomplete."""
    definition = definition_of(survey)
    people, whole = people_of(survey), questionnaire(definition)
    releases = [] if survey.is_draft else list(Release.objects.readable(survey))
    return Facts(
        survey,
        definition,
        frozen_definitions.digest(definition),
        frozen_definitions.alpha_total(definition),
        chain.delta(definition),
        whole.strength,
        _questions(definition, people),
        [_report(definition, form) for form in range(len(whole.forms))],
        chain.together(definition),
        chain.deltas_together(definition),
        people,
        batch_of(survey),
        settings.RELEASE_LEAST,
        releases,
        response_cache.document(releases[-1]) if releases else None,
        Disclosure.of(survey),
        languages_of(definition),
        f"deniable {__version__}",
        _readers(survey, definition, people, releases),
    )


def _readers(survey: Survey, definition: Definition, people: int, releases: list[Release]) -> Audiences | None:
    """Return a bound on what readers can learn, from the releases so far, else from the plan (M49)."""
    reports = planned_reports(survey, definition)
    if releases:
        return audiences(reports, Release.objects.numbers(survey, releases[-1].number), survey.publishes_once)
    return planned(reports, people, batch_of(survey), settings.RELEASE_LEAST, survey.publishes_once)


def _questions(definition: Definition, people: int) -> list[QuestionFacts]:
    whole, chances = questionnaire(definition), lot.chances(definitions.weights(definition))
    shares = {
        question["key"]: sum((chances[form] for form in whole.reports_about(question["key"])), Fraction(0))
        for question in definition["questions"]
    }
    from ldp.planning import routed  # scipy takes a while to load

    questions, target = report.alone(definition), usual_target(definition)
    parts = {key: float(share) for key, share in shares.items()}
    return [
        _question(
            number,
            question,
            shares[question["key"]],
            people,
            target,
            routed.reach_of(questions, parts, question["key"], target),
        )
        for number, question in enumerate(questions, 1)
    ]


def _question(
    number: int, question: Drawn, share: Fraction, people: int, target: Target, whom: "Reach | None"
) -> QuestionFacts:
    from ldp.planning import thirds

    return QuestionFacts(
        number,
        question,
        [form + 1 for form in asked_in(question) or []],
        share,
        thirds.built_half_width(question, float(people * share), target=target, whom=whom),
        thirds.built_people(question, PRECISE, float(share), target, whom),
        target,
        whom.part if whom else None,
    )


def _report(definition: Definition, form: int) -> ReportFacts:
    parts = report.parts(definition, form)
    own = definitions.forms(definition)[form]
    questions = definitions.questions_of(definition, form)
    return ReportFacts(
        form + 1,
        own["weight"],
        lot.chances(definitions.weights(definition))[form],
        [question["key"] for question in questions],
        parts,
        frozen_definitions.alphas_of_forms(definition)[form],
        sum((Fraction(part.draw.get("delta", 0)) for part in parts), Fraction(0)),
        math.fsum(map(_realized, parts)),
        math.prod(map(_factor, parts), start=Fraction(1)),
    )


def _realized(part: Part) -> float:
    if part.joint:
        return randomized_response.realized_alpha(part.draw["table"], part.counts)
    return mechanisms.of(part.drawn[0]).realized().alpha


def _factor(part: Part) -> Fraction:
    """Return the largest factor by which this part of a report changes the odds of a guess (M39)."""
    return meaning.draw_factor(part.draw["table"], part.counts) if part.joint else meaning.factor(part.drawn[0])
