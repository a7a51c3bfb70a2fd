"""The width of a release's intervals, and whether they are as narrow as its survey waits for."""

from itertools import groupby
from typing import cast

from ldp.document import Document, QuestionResult
from ldp.planning.stopping import half_width
from ldp.question import Drawn
from ldp.scores import Target
from surveys.figures.targets import usual_target
from surveys.models import Survey
from surveys.researcher.results import reached, released
from surveys.survey import kinds


def by_question(questions: list[Drawn], document: Document, target: Target = "population") -> dict[str, float]:
    """Return the half-width of each of a definition's questions, a share of its scale; infinite where something of it
    is not known at all."""
    groups = groupby(_narrowed(questions, document, target), key=lambda result: result["key"].partition(".")[0])
    results = {key: list(own) for key, own in groups}
    widths = {}
    for question in questions:
        kind, own = kinds.of(question), results.get(question["key"], [])
        scale, items = kind.scale(question), len(kind.items(question)) or 1
        widths[question["key"]] = half_width(own, items, document["confidence"], scale.low, scale.high, target)
    return widths


def _narrowed(questions: list[Drawn], document: Document, target: Target) -> list[QuestionResult]:
    """Return the results, of questions that only some people were asked about these alone, as pages show them."""
    routed, results = {question["key"] for question in questions if "asked_if" in question}, []
    for result in document["questions"]:
        if result["key"].partition(".")[0] not in routed:
            results.append(result)
            continue
        own = released.of_release(document["survey"], document["release"], result["key"])
        shown = reached.narrowed(own.displayed(document["confidence"], target), own)
        categories = [{**each, target: each["shown"]} for each in shown["methods"][0]["categories"]]
        results.append(cast(QuestionResult, {**result, "methods": [{**shown["methods"][0], "categories": categories}]}))
    return results


def is_reached(survey: Survey, document: Document) -> bool:
    """Return whether the survey ends at a precision and a release with this document has it, about whom all numbers of
    the survey are."""
    wished, target = survey.closes_at_half_width, usual_target(survey.definition)
    return wished is not None and max(by_question(survey.questions, document, target).values()) <= wished
