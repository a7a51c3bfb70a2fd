"""From a definition and answers to a report: the twin of the browser's privatize.js.

Given the same random words both give the same bytes. The server never calls this; the demo, the load generator
and the tests do, in the place of a browser.
"""

import json
from bisect import bisect_right
from decimal import Decimal
from typing import Any

from ldp.mechanisms import MECHANISMS
from ldp.words import Words, uniform_from, uuid4_from


def make_report(definition: dict[str, Any], digest: str, answers: dict[str, int], words: Words) -> str:
    """The body to send. `answers` holds a category index for every question's key (KeyError where one is missing).

    The words are used in this order: four for the report's id, then two for each uniform integer, questions in
    the order of the definition.
    """
    report_id = uuid4_from(words)
    uniform = uniform_from(words)
    randomized = {}
    for question in definition["questions"]:
        answer, d = answers[question["key"]], len(question["options"])
        if not 0 <= answer < d:
            raise ValueError(f"{question['key']}: a category from 0 to {d - 1} is needed")
        mechanism = MECHANISMS[question["mechanism"]]
        randomized[question["key"]] = mechanism.randomize(answer, d, question["table"], uniform)
    return json.dumps({"report_id": report_id, "digest": digest, "answers": randomized}, separators=(",", ":"))


def category(question: dict[str, Any], number: Decimal) -> int:
    """The bin of a number: [edge_i, edge_{i+1}), numbers beyond the outer edges in the outer bins."""
    inner = [Decimal(edge) for edge in question["edges"][1:-1]]
    return bisect_right(inner, number)
