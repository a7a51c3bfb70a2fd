"""A test answer as the page sends it of a draft as it is previewed."""

import random
from typing import Any

from ldp.privatize import report
from ldp.question import Question
from surveys import definition as definitions
from surveys.design.preview import preview
from surveys.design.tryouts.storage import MARK


def test_answer(draft: Any, seed: int = 1, mark: str = MARK) -> str:
    definition = preview(draft).definition
    assert definition is not None
    digest, words = definitions.digest(definition), random.Random(seed)
    answers = {question["key"]: first(question) for question in definition["questions"]}
    return report(definition, mark + digest, answers, lambda: words.getrandbits(32))


def first(question: Question) -> Any:
    """The first answer to a question."""
    several = {"multiple_choice": question.get("options", []), "grid": question.get("items", [])}
    if question["kind"] in several:
        return [0 if question["kind"] == "grid" else False for _ in several[question["kind"]]]
    return question.get("low", "0") if question["kind"] == "mean" and "steps" not in question else 0


test_answer.__test__ = False  # type: ignore[attr-defined]
