"""Surveys and reports for the tests, made the way users make them."""

import random
from typing import Any

from ldp.privatize import make_report
from surveys.lifecycle import create_draft, open_survey
from surveys.models import Survey

DRAFT: dict[str, Any] = {
    "title": "Three kinds",
    "introduction": "A survey for the tests.",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "1"},
        {"key": "which", "kind": "single_choice", "text": "Which?", "options": ["a", "b", "c"], "alpha": "1"}
        | {"mechanism": "bitwise", "prefer_not_to_say": True},
        {"key": "many", "kind": "histogram", "text": "How many?", "unit": "items", "edges": ["0", "1", "5", "9"]}
        | {"alpha": "2", "mechanism": "laplace"},
    ],
}


def draft(**changes: Any) -> dict[str, Any]:
    return DRAFT | changes


def opened_survey(**fields: Any) -> Survey:
    survey = create_draft(DRAFT, **fields)
    open_survey(survey)
    return survey


def report(survey: Survey, seed: object, **answers: int) -> str:
    """The body of a report: the answers given, 0 for the others, randomized from the seed."""
    chance = random.Random(str(seed))
    chosen = {question["key"]: answers.get(question["key"], 0) for question in survey.questions}
    return make_report(survey.definition, survey.digest, chosen, lambda: chance.getrandbits(32))
