"""The kind for an order of several items."""

import random
from itertools import combinations
from typing import Any

from tests.support.questions import question

QUESTIONS: list[dict[str, Any]] = [
    question("ranks", "ranking", "1", ranked=["tea", "coffee", "milk"]),
    question("more_ranks", "ranking", "3", ranked=[*"pqrst"], sample=3),
]
DIGEST = "0ccd7a7540e47b46"
ANSWER = [2, 0, 3, 1]
TYPED = {"ranked": "Tea\nCoffee\nMilk"}
SIZES = [10]


def fields(d: int) -> dict[str, Any]:
    """Return d items and their d (d - 1) / 2 options."""
    items = [f"item {i}" for i in range(d)]
    return {"ranked": items, "options": [f"{one} > {other}" for one, other in combinations(items, 2)]}


def answer(question: dict[str, Any], chance: random.Random) -> list[int]:
    return chance.sample(range(len(question["ranked"])), len(question["ranked"]))


def wrong(question: dict[str, Any]) -> list[Any]:
    k = len(question["ranked"])
    return [0, "012", [], [0], [0] * k, [*range(1, k + 1)], [True] * k, None, [*range(k + 1)], [*map(str, range(k))]]


def give(engine: Any, question: dict[str, Any]) -> None:
    engine.click(engine.named("button", "This is my order", engine.named("group", question["text"])))
