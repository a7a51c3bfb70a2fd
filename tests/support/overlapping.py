"""A survey with one question for all and three questions in forms. The three pairs of these questions are the forms.
The forms differ in list sizes, weights and chances."""

import json
import random
from fractions import Fraction
from typing import Any
from unittest import mock

from ldp.mechanisms import randomized_response
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Report, Survey
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition
from surveys.survey.definition.layout import layouts
from tests.support.estimates import work
from tests.support.factories import report

QUESTIONS: dict[str, list[str]] = {
    "region": ["north", "south", "east"],
    "smokes": ["Yes", "No"],
    "often": ["never", "monthly", "weekly", "daily"],
    "mood": ["bad", "so so", "good"],
}
DRAFT: dict[str, Any] = {
    "title": "Overlapping forms",
    "introduction": "Each person gets two of three questions.",
    "questions": [
        {"key": key, "kind": "single_choice", "text": f"{key.title()}?", "options": options, "alpha": "1"}
        for key, options in QUESTIONS.items()
    ],
}
# Each form: its weight, its questions, how many options a report lists for each question, and its alpha.
FORMS = (
    (2, ("smokes", "often"), (1, 2), "2"),
    (1, ("smokes", "mood"), (1, 1), "2"),
    (1, ("often", "mood"), (1, 1), "3"),
)
TRUTH = {
    "region": (0.5, 0.3, 0.2),
    "smokes": (0.3, 0.7),
    "often": (0.4, 0.3, 0.2, 0.1),
    "mood": (0.2, 0.3, 0.5),
}


def definition(draft: dict[str, Any] = DRAFT) -> Definition:
    """Return the built definition, with its questions drawn by forms."""
    made = json.loads(json.dumps(definitions.build(draft)))
    made["draws"] = [draw for draw in made["draws"] if draw["questions"] == ["region"]]
    made["forms"] = [{"weight": weight, "draws": [drawn(*draw)]} for weight, *draw in FORMS]
    altered: Definition = made
    return altered


def drawn(keys: tuple[str, ...], sizes: tuple[int, ...], alpha: str) -> dict[str, Any]:
    table = randomized_response.table(Fraction(alpha), [len(QUESTIONS[key]) for key in keys], sizes)
    return {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": list(keys)}


def opened(**fields: Any) -> Survey:
    survey, made = create_draft(DRAFT, **fields), definition()
    with mock.patch.object(definitions, "build", lambda _draft: made):
        open_survey(survey)
    return survey


def person(seed: object) -> dict[str, int]:
    """Return a random person's answers. The population has the true shares, and its questions are independent."""
    chance = random.Random(f"person {seed}")
    return {key: chance.choices(range(len(law)), law)[0] for key, law in TRUTH.items()}


def store(survey: Survey, n: int, form: int | None = None, start: int = 0) -> list[dict[str, Any]]:
    """Store the reports of n people, and return their bodies."""
    each = layouts(survey.definition)
    bodies = [json.loads(report(survey, seed, form, **person(seed))) for seed in range(start, start + n)]
    Report.objects.bulk_create(
        Report(id=body["report_id"], survey=survey, form=body["form"], packed=each[body["form"]].pack(body["answers"]))
        for body in bodies
    )
    return bodies


def released(n: int = 3000, **fields: Any) -> Survey:
    """Return a closed survey with one release of n reports."""
    survey = opened(**fields)
    store(survey, n)
    close_survey(survey)
    while Report.objects.filter(survey=survey).exists():  # a sweep lasts half a second; a slow machine needs several
        work(survey)
    return survey
