"""The kind for a number, counted in bins."""

from typing import Any

from tests.support import choices

QUESTIONS: list[dict[str, Any]] = []
DIGEST = ""
ANSWER = 1
TYPED = {"edges": "0\n10\n20", "unit": "hours"}
SIZES = [12]


def fields(d: int) -> dict[str, Any]:
    return choices.options(d) | {"edges": [str(i) for i in range(d + 1)], "unit": ""}


answer, wrong, give = choices.position, choices.no_position, choices.give_number
