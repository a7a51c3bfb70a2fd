"""The kind for yes or no."""

from typing import Any

from tests.support import choices
from tests.support.questions import question

QUESTIONS = [question("warner", "yes_no", "1.098612"), question("three", "yes_no", "0.01", prefer_not_to_say=True)]
DIGEST = "7888941dfa998781"
ANSWER = 1
TYPED: dict[str, str] = {}
SIZES = [2]


def fields(d: int) -> dict[str, Any]:
    return choices.options(2)


answer, wrong, give = choices.position, choices.no_position, choices.give
