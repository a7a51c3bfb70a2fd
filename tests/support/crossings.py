"""Crossings, made by the worker's own function."""

import math
from typing import Any
from unittest import mock

from django.utils import timezone

from surveys.models import Crossing, Release, Survey
from worker import crossing, reading

DRAFT: dict[str, Any] = {
    "title": "Questions to cross",
    "questions": [
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "6"},
        {"key": "often", "kind": "ordered", "text": "How often do you drink?", "alpha": "6"}
        | {"options": ["Never", "Monthly", "Weekly", "Daily"], "mechanism": "bitwise"},
        {"key": "many", "kind": "multiple_choice", "text": "What have you tried?", "alpha": "2"}
        | {"options": ["Cannabis", "Tobacco"]},
        {"key": "age", "kind": "mean", "text": "How old are you?", "alpha": "2", "low": "18", "high": "99"},
    ],
}
"""Two questions to cross, one whose options cannot be crossed with each other, and one that cannot be crossed."""


def crossed(survey: Survey, first: str, second: str) -> Crossing:
    """Of the newest release, also within a transaction, of which the other connection that tells the progress would not
    know."""
    release = Release.objects.filter(survey=survey).latest("number")
    row = Crossing.objects.create(release=release, first=first, second=second, worked_at=timezone.now())
    with mock.patch.object(reading, "SAID_EVERY", math.inf):
        crossing.make(row.pk)
    row.refresh_from_db()
    return row
