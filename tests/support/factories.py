"""Surveys and reports for the tests, made as users make them."""

import random
from typing import Any

from ldp.privatize import draw_form, make_report
from surveys.life.lifecycle import create_draft, open_survey
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


def opened_survey(draft: dict[str, Any] = DRAFT, **fields: Any) -> Survey:
    survey = create_draft(draft, **fields)
    open_survey(survey)
    return survey


def report(survey: Survey, seed: object, form: int | None = None, **answers: Any) -> str:
    """Return the body of a report, randomized from the seed. Questions without an answer here get the first one. The
    seed draws the form unless `form` names it."""
    words = random.Random(str(seed))
    chosen = {question["key"]: "0" if question["kind"] == "mean" else 0 for question in survey.questions} | answers
    drawn = draw_form(survey.definition, lambda: words.getrandbits(32)) if form is None else form
    return make_report(survey.definition, survey.digest, chosen, lambda: words.getrandbits(32), drawn)
