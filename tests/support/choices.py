"""The parts that all kinds share if their answer is the position of an option."""

import random
from typing import Any

TYPED = {"options": "Yes, often\r\nSometimes\r\n\r\n Never "}
LISTED = 12  # a longer list of options has a search field


def options(d: int) -> dict[str, Any]:
    return {"options": [f"option {i}" for i in range(d)]}


def position(question: dict[str, Any], chance: random.Random) -> int:
    return chance.randrange(len(question["options"]))


def no_position(question: dict[str, Any]) -> list[Any]:
    return [99, -1, True, "0", None, 0.0, [0]]


def give(engine: Any, question: dict[str, Any]) -> None:
    """Choose the last option, or search for one in a long list. A draft omits the options that the page adds."""
    choose(engine, question["text"], question.get("options", ["Yes", "No"]))


def choose(engine: Any, text: str, options: list[str]) -> None:
    wished = options[-1]
    if len(options) > LISTED:
        wished = options[7]
        engine.type(engine.named("searchbox", "Search this list"), wished)
    engine.click(engine.named("radio", wished, engine.named("radiogroup", text)))


def give_number(engine: Any, question: dict[str, Any]) -> None:
    engine.type(engine.named("textbox", question["text"]), "1.5")
