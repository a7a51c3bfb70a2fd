"""Questions that are asked only for some answers (M34): the twin of the browser's routing.js.

A question with `asked_if` is asked where the question that it names was asked and an answer to that one is among the
named options; of a multiple choice, where any of them applies. Whoever is not asked counts as its `filler`, which is
randomized like any answer. So a report tells as much, and as little, of everybody.
"""

from collections.abc import Iterable
from typing import Any

from ldp import kinds
from ldp.question import Answers, Question


def applicable(questions: Iterable[Question], answers: Answers) -> set[str]:
    """The keys of the questions that somebody with these answers is asked. An answer to any other does not count."""
    keys: set[str] = set()
    for question in questions:
        rule = question.get("asked_if")
        if rule is None or (rule["question"] in keys and _applies(answers.get(rule["question"]), rule["options"])):
            keys.add(question["key"])
    return keys


def filled(questions: Iterable[Question], answers: Answers) -> Answers:
    """The answers that are randomized: those given to what was asked, and fillers. A question that was asked and not
    answered is missing. ValueError where a filler is no answer to its question."""
    each = list(questions)
    whole = applicable(each, answers)
    given = {key: answers[key] for key in whole if key in answers}
    return given | {one["key"]: kinds.of(one).filler(one) for one in each if one["key"] not in whole}


def _applies(answer: Any, options: list[int]) -> bool:
    if isinstance(answer, list):
        return any(answer[option] for option in options)
    return answer in options
