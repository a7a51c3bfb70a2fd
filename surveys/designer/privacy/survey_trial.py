"""A trial run of the whole draft. Invented people draw forms and answer, and their results look like the results page.
A seed determines everything; nothing is stored or enters a release."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp import kinds as mathematics
from ldp import results
from ldp.crossing import CrossingDocument
from ldp.document import ConditionTally, QuestionResult
from ldp.forms import report
from ldp.forms import results as in_forms
from ldp.inference import tallied
from ldp.planning import survey_efficiency
from ldp.planning import trial as trials
from ldp.planning.thirds import CONFIDENCE
from ldp.question import Drawn
from ldp.results import Counted
from surveys.access import requires
from surveys.designer.privacy import inputs, trial_crossing
from surveys.designer.privacy.context import FRESH
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.trial import labels_of, on_scale
from surveys.drafts.normalize import normalized
from surveys.figures import numerals
from surveys.figures.display import Category, Document, Result, is_estimated
from surveys.figures.layout import WIDTHS
from surveys.figures.sentences import comma_separated
from surveys.figures.targets import targeted
from surveys.figures.themes import THEMES
from surveys.models import Role, Survey
from surveys.researcher.results import presentation, reached
from surveys.researcher.results.released import ReleasedQuestion, rows_of
from surveys.researcher.results.selection import named
from surveys.rules.context import Context
from surveys.rules.refusals import DraftRefused
from surveys.survey import definition as definitions
from surveys.survey import kinds
from surveys.survey.definition.document import Definition
from surveys.survey.kinds.date import in_words
from surveys.web.language import with_language


def context(request: HttpRequest, survey: Survey) -> Context:
    """Return the context of designer/survey_trial.html; {} if the draft is incomplete."""
    definition = definition_of(survey)
    if definition is None:
        return {}
    people, seed = _people(survey, definition), _seed(request)
    wishes = inputs.wishes(request.GET)
    document, invented, crossing = _run(
        json.dumps(definition), people, seed, trial_crossing.keys_of(definition, wishes)
    )
    shown: Context = {"people": numerals.integer(people), "fewer": people < people_of(survey), "seed": seed + 1}
    shown |= {"questions": _questions(definition, document, invented), "level": presentation.level(document)}
    wish = inputs.wishes_query(request.GET)
    shown["query"] = with_language(f"seed={seed}&{wish}".rstrip("&"))
    shown["forms"] = [numerals.integer(form["n"]) for form in document.get("forms", ())]  # how many drew each
    shown["crossing"] = trial_crossing.context(crossing) if crossing else None
    return shown | {"contained": _contained(shown)}


@require_safe
@requires(Role.DESIGNER)
def plot(request: HttpRequest, survey: Survey, key: str, theme: str, width: str) -> HttpResponse:
    """Return a picture of the trial run that the URL describes."""
    from surveys.researcher.results import (
        plots,  # matplotlib takes half a second and 50 MB; only processes that draw load it
    )

    definition = definition_of(survey)
    if definition is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    keys = trial_crossing.keys_of(definition, inputs.wishes(request.GET))
    document, *_ = _run(json.dumps(definition), _people(survey, definition), _seed(request), keys)
    result = next((result for result in document["questions"] if result["key"] == key), None)
    if result is None:
        raise Http404
    response = HttpResponse(plots.draw(result, document["confidence"], theme, width), content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=FRESH)
    return response


class InventedAnswer(NamedTuple):
    """An answer, or a mean: its invented value, its estimate if there is one, and the interval that holds at once with
    the question's others."""

    key: str
    option: str
    invented: float
    estimate: float | None
    low: float
    high: float


def rows(survey: Survey, definition: Definition, seed: int) -> tuple[int, list[InventedAnswer]]:
    """Return the number of invented people and the results of their answers, for the API."""
    people = _people(survey, definition)
    document, invented, _ = _run(json.dumps(definition), people, seed, None)
    questions = {question["key"]: question for question in report.alone(definition)}
    pairs_of = [(questions[result["key"].partition(".")[0]], result) for result in document["questions"]]
    return people, [
        InventedAnswer(result["key"], option, truth, each["estimate"] if is_estimated(each) else None, low, high)
        for question, result in pairs_of
        for option, truth, each, (low, high) in _spans(question, result, _true(question, result["key"], invented))
    ]


def definition_of(survey: Survey) -> Definition | None:
    """Return the definition of a survey, or a draft's as opening would freeze it; None if incomplete."""
    if not survey.is_draft:
        return survey.definition
    try:
        return definitions.build(normalized(survey.draft))
    except DraftRefused:
        return None


def _people(survey: Survey, definition: Definition) -> int:
    return min(people_of(survey), trials.affordable_survey(definition))


def _seed(request: HttpRequest) -> int:
    seed = request.GET.get("seed", "")
    return int(seed) if seed.isdecimal() and len(seed) < 10 else 1


@lru_cache(maxsize=16)
def _run(
    text: str, n: int, seed: int, keys: trial_crossing.Keys | None
) -> tuple[Document, trials.Trial, CrossingDocument | None]:
    """Return the displayed part of a release's document, the invented values, and the cross-table's document."""
    definition = json.loads(text)
    run = trials.run(definition, n, seed, keys and trial_crossing.variables_of(definition, keys))
    counted = list(in_forms.counted(definition, run.tallies))
    estimates = [
        result | {"ended": True}
        for question, totals, about in counted
        for result in results.results(question, totals, about, CONFIDENCE)
    ]
    shown = _among_reached(counted, cast(list[QuestionResult], estimates), run)
    document: Any = {"n": n, "confidence": CONFIDENCE, "software": f"trial {seed}", "questions": shown}
    document["efficiency"] = survey_efficiency.document(definition, counted, n)
    if "forms" in definition:
        alphas = definitions.alphas_of_forms(definition)
        in_forms.add_forms(document, definition, run.tallies, alphas, [None] * len(alphas))
    crossing = trial_crossing.document_of(run.crossing) if run.crossing else None
    return document, run, crossing


@dataclass(frozen=True)
class InventedQuestion(ReleasedQuestion):
    """A question of a trial run, like one of a release. `every` has all by their keys, `published` its result."""

    every: dict[str, "InventedQuestion"] = field(default_factory=dict)
    published: QuestionResult | None = None
    scores: ConditionTally | None = None

    @property
    def condition(self) -> ConditionTally | None:
        return self.scores

    def beside(self, key: str) -> "InventedQuestion | None":
        return self.every.get(key)

    def result(self, confidence: float) -> QuestionResult:
        assert self.published
        return self.published


def _among_reached(counted: Sequence[Counted], estimates: Sequence[QuestionResult], run: trials.Trial) -> list[Result]:
    """Return the results, of questions that only some people are asked about these alone, as pages show them."""
    published, every = {result["key"]: result for result in estimates}, dict[str, InventedQuestion]()
    for question, totals, n in counted:
        parts = dict(tallied.of_question(question, totals, n, False))
        for key in [key for key in published if key.partition(".")[0] == question["key"]]:
            place, scores = int(key.partition(".")[2] or 0), run.conditions.get(question["key"])
            rows, options = rows_of(question, parts, key)
            about = "", 0, key, place, question, totals, n, False, True, rows, options
            every[key] = InventedQuestion(*about, every=every, published=published[key], scores=scores)
    return [reached.narrowed(named(cast(Result, result)), every[key]) for key, result in published.items()]


def _questions(definition: Definition, document: Document, run: trials.Trial) -> list[Context]:
    """Return the questions as on the results page, with their invented values."""
    grouped = groupby(document["questions"], key=lambda result: result["key"].partition(".")[0])
    results = {key: list(own) for key, own in grouped}
    alone = report.alone(definition)
    by_key = {question["key"]: question for question in alone}
    return [
        presentation.question(each, results[each["key"]], place, document, by_key=by_key)
        | {"invented": _invented(each, run.shares[each["key"]])}
        | {"held": [_held(each, result, _true(each, result["key"], run)) for result in results[each["key"]]]}
        for place, each in enumerate(alone, 1)
        if each["key"] in results
    ]


def _invented(question: Drawn, shares: list[float]) -> str:
    scale = kinds.of(question).scale(question)
    if scale.quantity == "mean":
        return numerals.with_unit(numerals.small(scale.low + scale.width * shares[0], 3), question["unit"])
    pairs = zip(labels_of(question), shares, strict=False)
    return comma_separated(f"{label} {numerals.percentage(numerals.share(share, 0))}" for label, share in pairs)


def _held(question: Drawn, result: Result, true: list[float]) -> tuple[int, int]:
    """Return the number of simultaneous intervals that contain the invented value, and the number of all."""
    inside = [low <= truth <= high for _, truth, _, (low, high) in _spans(question, result, true)]
    return sum(inside), len(inside)


def _true(question: Drawn, key: str, run: trials.Trial) -> list[float]:
    """Return the invented values of a result, of those who are asked."""
    if "asked_if" in question:
        return mathematics.of(question).true_shares(question, run.shares[question["key"]])
    return run.true[key]


def _spans(
    question: Drawn, result: Result, true: list[float]
) -> Iterator[tuple[str, float, Category, tuple[float, float]]]:
    """Return the answer, its invented value, its category, and the interval that holds at once with the others."""
    by_option = on_scale(question, true)
    names = dict(zip(in_words(list(by_option)), by_option, strict=True))
    for each in result["methods"][0]["categories"]:
        low, high = targeted(each)["simultaneous"]
        option = names[each["option"]]
        yield option, by_option[option], each, (low, high)


def _contained(context: Context) -> str:
    every = [pair for question in context["questions"] for pair in question["held"]]
    text = _("%(inside)s of %(every)s intervals hold the truth that was invented.")
    sums = (sum(column) for column in zip(*every, strict=True))
    return text % dict(zip(("inside", "every"), map(numerals.count, sums), strict=True))
