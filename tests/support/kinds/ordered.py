"""A step of a scale."""

from typing import Any

from tests.support import choices

QUESTIONS: list[dict[str, Any]] = []
DIGEST = ""
ANSWER = 1

fields, answer, wrong = choices.options, choices.position, choices.no_position
