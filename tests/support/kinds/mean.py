"""The kind for a number or a step of a scale, averaged."""

import random
from typing import Any

from tests.support import choices
from tests.support.questions import question

QUESTIONS = [question("bit", "mean", "1", low="0", high="24", unit="hours")]
DIGEST = "61882349559f33be"
ANSWER = "1.25"
TYPED = {"low": "0", "high": "10", "unit": "hours"}
SIZES = [0]


def fields(d: int) -> dict[str, Any]:
    return {"low": "-1.5", "high": "10", "unit": ""}


def answer(question: dict[str, Any], chance: random.Random) -> Any:
    """Return a step, or a number: inside the range, at an end or beyond it."""
    if "steps" in question:
        return chance.randrange(len(question["steps"]))
    low, high = float(question["low"]), float(question["high"])
    inside = f"{chance.uniform(low, high):.3f}"
    return chance.choice([question["low"], question["high"], "-1000", "1000.5", inside, inside, inside])


def wrong(question: dict[str, Any]) -> list[Any]:
    if "steps" in question:
        return choices.no_position(question)
    return ["", "1e3", "+1", "1.", ".5", " 1", "1" * 16, "nan", "１", 1, 1.5, True, None, ["1"]]


def give(engine: Any, question: dict[str, Any]) -> None:
    if "steps" in question:
        choices.choose(engine, question["text"], question["steps"])
    else:
        choices.give_number(engine, question)
