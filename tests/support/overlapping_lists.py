"""A survey whose forms draw the items of a list and of a grid in different ways: alone, or with another question."""

import json
import random
from typing import Any

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Report, Survey
from surveys.survey.definition.layout import layouts
from tests.support.estimates import work
from tests.support.factories import report

DRAFT: dict[str, Any] = {
    "title": "Lists in several forms",
    "questions": [
        {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["north", "south", "east"]}
        | {"alpha": "1"},
        {"key": "moved", "kind": "yes_no", "text": "Moved?"},
        {"key": "owns", "kind": "multiple_choice", "text": "Which?", "options": ["tv", "car", "boat", "bike"]},
        {
            "key": "stays",
            "kind": "grid",
            "text": "How?",
            "items": ["food", "rooms"],
            "options": ["bad", "so so", "good"],
        },
    ],
    "forms": [
        {"weight": 2, "draws": [{"questions": ["moved", "owns"], "alpha": "2", "sizes": [1, [2, 1]]}]},
        {
            "draws": [
                {"questions": ["owns"], "alpha": "1", "sample": 3},
                {"questions": ["stays"], "alpha": "1", "sample": 1, "sizes": [2]},
            ]
        },
        {"draws": [{"questions": ["moved", "stays"], "alpha": "2", "sizes": [1, [2, 1]]}]},
    ],
}
# Two more questions, for people who own one thing and for people who own one of two things. The list decides who is
# asked.
_LATER = [
    {"key": key, "kind": "yes_no", "text": f"{key.title()}?", "asked_if": {"question": "owns", "options": options}}
    for key, options in (("happy", [1]), ("proud", [0, 1]))
]
ROUTED: dict[str, Any] = DRAFT | {
    "questions": [*DRAFT["questions"], *_LATER],
    "forms": [
        {**form, "draws": [*form["draws"], {"questions": ["happy", "proud"], "alpha": "1"}]} if place < 2 else form
        for place, form in enumerate(DRAFT["forms"])
    ],
}
REGION, MOVED, OWNS, HAPPY = (0.5, 0.3, 0.2), 0.4, (0.1, 0.6, 0.3, 0.5), 0.7
STAYS = ((0.2, 0.3, 0.5), (0.6, 0.3, 0.1))


def person(seed: object) -> dict[str, Any]:
    """Return a random person's answers. The population has these shares, and its questions are independent."""
    chance = random.Random(f"person {seed}")
    given = {
        "region": chance.choices(range(3), REGION)[0],
        "moved": int(chance.random() >= MOVED),
        "owns": [chance.random() < share for share in OWNS],
        "stays": [chance.choices(range(3), law)[0] for law in STAYS],
    }
    return given | {key: int(chance.random() >= HAPPY) for key in ("happy", "proud")}


def opened(draft: dict[str, Any] = DRAFT, **fields: Any) -> Survey:
    survey = create_draft(draft, **fields)
    open_survey(survey)
    return survey


def store(survey: Survey, n: int, start: int = 0) -> list[dict[str, Any]]:
    """Store the reports of n people, and return their bodies."""
    each = layouts(survey.definition)
    keys = {question["key"] for question in survey.definition["questions"]}
    people = (
        (seed, {key: own for key, own in person(seed).items() if key in keys}) for seed in range(start, start + n)
    )
    bodies = [json.loads(report(survey, seed, **given)) for seed, given in people]
    Report.objects.bulk_create(
        Report(id=body["report_id"], survey=survey, form=body["form"], packed=each[body["form"]].pack(body["answers"]))
        for body in bodies
    )
    return bodies


def released(n: int = 1500, **fields: Any) -> tuple[Survey, list[dict[str, Any]]]:
    """Return a closed survey with one release of n reports, and the reports' bodies."""
    survey = opened(**fields)
    bodies = store(survey, n)
    close_survey(survey)
    while Report.objects.filter(survey=survey).exists():
        work(survey)
    return survey, bodies
