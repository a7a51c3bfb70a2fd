"""From a definition and answers to a report: the twin of the browser's privatize.js.

Given the same random words both give the same bytes. The server never calls this; the demo, the load generator
and the tests do, in the place of a browser.
"""

import json
from typing import Any

from ldp import kinds, mechanisms
from ldp.question import Question
from ldp.routing import filled
from ldp.words import Uniform, Words, uniform_from, uuid4_from


def make_report(definition: dict[str, Any], digest: str, answers: dict[str, Any], words: Words) -> str:
    """The body to send. `answers` holds by its key the answer to every question that is asked (KeyError where one is
    missing); for the others their fillers are taken, whatever it holds (routing.py).

    An answer is the index of an option or bin; for a mean a decimal string; for a multiple choice a list of booleans,
    one per option; for a grid a list of indices, one per item. The words are used in this order: four for the report's
    id, then two for each uniform integer, questions in the order of the definition.
    """
    report_id = uuid4_from(words)
    uniform = uniform_from(words)
    randomized, given = {}, filled(definition["questions"], answers)
    for question in definition["questions"]:
        key = question["key"]
        try:
            randomized[key] = randomize(question, given[key], uniform)
        except ValueError as refusal:
            raise ValueError(f"{key}: {refusal}") from None
    return json.dumps({"report_id": report_id, "digest": digest, "answers": randomized}, separators=(",", ":"))


def randomize(question: Question, answer: Any, uniform: Uniform) -> Any:
    """The randomized value of one answer. ValueError says what kind of answer is needed."""
    given = kinds.of(question).answer(question, answer, uniform)
    return mechanisms.of(question).randomize(given, uniform)
