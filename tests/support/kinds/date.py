"""The kind for a date, counted in spans."""

from typing import Any

from tests.support import choices
from tests.support.questions import question

QUESTIONS: list[dict[str, Any]] = [
    question("born", "date", "1", dates=["1940", "1960", "1980", "2000", "2010"]),
    question("moved", "date", "2", dates=["2024-12", "2025-01", "2025-04", "2025-07"], prefer_not_to_say=True),
]
DIGEST = "d527c9ddbd52310b"
ANSWER = 1
TYPED = {"dates": "1980\n1990\n2000"}
SIZES = [6]


def fields(d: int) -> dict[str, Any]:
    return choices.options(d) | {"dates": [str(1000 + i) for i in range(d + 1)]}


answer, wrong = choices.position, choices.no_position


def give(engine: Any, question: dict[str, Any]) -> None:
    """Type a year, or a year and a month."""
    text, (year, *month) = question["text"], question["dates"][1].split("-")
    if not month:
        engine.type(engine.named("textbox", text), year)
        return
    engine.type(engine.named("textbox", "Year", engine.named("group", text)), year)
    engine.choose("Month", month[0])
