"""The kind for several items with the same options."""

import random
from typing import Any

from tests.support import choices
from tests.support.questions import question

QUESTIONS = [
    question("rows", "grid", "0.9", items=["tea", "coffee", "milk"], options=["never", "often"])
    | {"prefer_not_to_say": True},
    question("two_rows", "grid", "4", items=[*"vwxyz"], options=["never", "seldom", "often", "always"], sample=2),
]
DIGEST = "05d1efc734d3eb6d"
ANSWER = [0, 1, 2, 3, 0]
TYPED = choices.TYPED | {"items": "Sleep\nWork", "sample": "2"}
SIZES = [4]


def fields(d: int) -> dict[str, Any]:
    return choices.options(d) | {"items": [f"item {i}" for i in range(5)]}


def answer(question: dict[str, Any], chance: random.Random) -> Any:
    return [choices.position(question, chance) for _ in question["items"]]


def wrong(question: dict[str, Any]) -> list[Any]:
    each = [[value] * len(question["items"]) for value in (-1, 99, True, "0", None)]
    return [0, "00", [], [0], [0] * 99, None, *each]


def give(engine: Any, question: dict[str, Any]) -> None:
    for item in question["items"]:
        name = f"{item}: {question['options'][-1]}"
        engine.click(engine.named("radio", name, engine.named("table", question["text"])))
