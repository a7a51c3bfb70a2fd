"""The kind for any number of options."""

import random
from typing import Any

from tests.support import choices
from tests.support.questions import question

QUESTIONS = [
    question("any", "multiple_choice", "1", options=[*"abcde"]),
    question("some", "multiple_choice", "2", options=[*"abcdef"], sample=3, prefer_not_to_say=True),
]
DIGEST = "e12e0dda8da6d4c9"
ANSWER = [True, False, True, False]
TYPED = choices.TYPED | {"sample": "2"}
SIZES = [10]

fields = choices.options


def answer(question: dict[str, Any], chance: random.Random) -> Any:
    return [chance.random() < 0.5 for _ in question["options"]]


def wrong(question: dict[str, Any]) -> list[Any]:
    d = len(question["options"])
    return [0, "10", [], [True], [True] * 99, None, [0] * d, [None] * d]


def give(engine: Any, question: dict[str, Any]) -> None:
    engine.click(engine.named("checkbox", question["options"][1], engine.named("group", question["text"])))
