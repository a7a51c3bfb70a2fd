"""From a definition and answers to a report: the twin of the browser's privatize.js.

Given the same random words both give the same bytes. The server never calls this; the demo, the load generator
and the tests do, in the place of a browser.
"""

import json
from bisect import bisect_right
from decimal import Decimal
from typing import Any

from ldp import mechanisms
from ldp.mechanisms import numeric
from ldp.words import Uniform, Words, uniform_from, uuid4_from


def make_report(definition: dict[str, Any], digest: str, answers: dict[str, Any], words: Words) -> str:
    """The body to send. `answers` holds every question's answer by its key (KeyError where one is missing).

    An answer is the index of an option or bin; for a mean a decimal string; for a multiple choice a list of booleans,
    one per option; for a grid a list of indices, one per item. The words are used in this order: four for the report's
    id, then two for each uniform integer, questions in the order of the definition.
    """
    report_id = uuid4_from(words)
    uniform = uniform_from(words)
    randomized = {}
    for question in definition["questions"]:
        key = question["key"]
        try:
            randomized[key] = randomize(question, answers[key], uniform)
        except ValueError as refusal:
            raise ValueError(f"{key}: {refusal}") from None
    return json.dumps({"report_id": report_id, "digest": digest, "answers": randomized}, separators=(",", ":"))


def randomize(question: dict[str, Any], answer: Any, uniform: Uniform) -> Any:
    """The randomized value of one answer. ValueError says what kind of answer is needed."""
    randomizer = mechanisms.of(question)
    if question["kind"] == "mean":
        answer = numeric.rounded(answer, question["low"], question["high"], numeric.steps(randomizer.table), uniform)
    else:
        _check(question, answer, randomizer.d)
    return randomizer.randomize(answer, uniform)


def _check(question: dict[str, Any], answer: Any, d: int) -> None:
    if question["kind"] == "multiple_choice":
        if not _is_list(answer, d) or any(type(one) is not bool for one in answer):
            raise ValueError(f"a list of {d} booleans is needed")
    elif question["kind"] == "grid":
        if not _is_list(answer, len(question["items"])) or not all(_is_index(one, d) for one in answer):
            raise ValueError(f"a list of {len(question['items'])} categories from 0 to {d - 1} is needed")
    elif not _is_index(answer, d):
        raise ValueError(f"a category from 0 to {d - 1} is needed")


def _is_list(value: object, length: int) -> bool:
    return isinstance(value, list) and len(value) == length


def _is_index(value: object, d: int) -> bool:
    return type(value) is int and 0 <= value < d


def category(question: dict[str, Any], number: Decimal) -> int:
    """The bin of a number: [edge_i, edge_{i+1}), numbers beyond the outer edges in the outer bins."""
    inner = [Decimal(edge) for edge in question["edges"][1:-1]]
    return bisect_right(inner, number)
