"""The kind for a step of a scale."""

from typing import Any

from tests.support import choices

QUESTIONS: list[dict[str, Any]] = []
DIGEST = ""
ANSWER = 1
TYPED = choices.TYPED
SIZES = [7]

fields, answer, wrong, give = choices.options, choices.position, choices.no_position, choices.give
