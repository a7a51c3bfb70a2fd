"""The twin of the browser's privatize.js: it turns a definition and answers into a report.

The same random words make the same bytes in both. The demo, the load generator and the tests call it in place of a
browser; the server never does.
"""

import json
from typing import Any

from ldp.forms import definition as definitions
from ldp.forms import lot
from ldp.forms import report as reports
from ldp.forms.report import randomize_question as randomize
from ldp.forms.schema import Definition
from ldp.question import Answers
from ldp.words import Words, uniform_from, uuid4_from

__all__ = ["draw_form", "make_report", "randomize", "report"]


def report(definition: Definition, digest: str, answers: Answers, words: Words) -> str:
    """Return the report that a browser sends for these answers. The form is drawn first, with the first words."""
    form = draw_form(definition, words)
    return make_report(definition, digest, answers, words, form)


def draw_form(definition: Definition, words: Words) -> int:
    """Return the form that a person gets, drawn before the first question; 0 for a survey without forms."""
    if "forms" not in definition:
        return 0
    return lot.draw(definitions.weights(definition), uniform_from(words))


def make_report(definition: Definition, digest: str, answers: Answers, words: Words, form: int = 0) -> str:
    """Return the body to send. `answers` has, by key, the answer to each question that the person is asked (KeyError if
    one is missing). All other questions get their fillers (routing.py).

    An answer is the index of an option or bin; for a mean a decimal string; for a multiple choice a list of booleans,
    one per option; for a grid a list of indices, one per item. The words are used in this order: four for the report's
    id, then two for each uniform integer, draw by draw, the draws for everyone before the form's.
    """
    body: dict[str, Any] = {"report_id": uuid4_from(words), "digest": digest}
    if "forms" in definition:
        body["form"] = form
    body["answers"] = reports.randomize(definition, form, answers, uniform_from(words))
    return json.dumps(body, separators=(",", ":"))
