"""What the kinds have in common whose answer is the position of an option."""

import random
from typing import Any


def options(d: int) -> dict[str, Any]:
    return {"options": [f"option {i}" for i in range(d)]}


def position(question: dict[str, Any], chance: random.Random) -> int:
    return chance.randrange(len(question["options"]))


def no_position(question: dict[str, Any]) -> list[Any]:
    return [99, -1, True, "0", None, 0.0, [0]]
