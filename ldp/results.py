"""The document of a release, from its definition and its totals alone."""

from collections.abc import Iterable
from typing import Any

# The kinds load it where they need it; a worker that makes results has it from its start, before it forks.
import ldp.inference.summaries  # noqa: F401
from ldp import kinds
from ldp.document import FORMAT, Document, Header, QuestionResult
from ldp.planning import plans
from ldp.scores import Totals


def document(
    header: Header, questions: Iterable[dict[str, Any]], totals: dict[str, Totals], every_look: bool = False
) -> Document:
    """`questions` are the definition's, `totals` those of the release by their keys. `every_look`: the survey may end
    because of what its results say, so the intervals of all its releases hold together."""
    every = [
        result
        for question in questions
        for result in results(question, totals[question["key"]], header["n"], header["confidence"], every_look)
    ]
    return {**header, "format": FORMAT, "questions": every}


def results(
    question: dict[str, Any], totals: Totals, n: int, confidence: float, every_look: bool = False
) -> list[QuestionResult]:
    """The results of a definition's question, one for each table and plot, from its tally over n >= 1 reports."""
    estimated = kinds.of(question).results(question, totals, n, confidence, every_look)
    needed = plans.informative_n(question, confidence)
    return [{**result, "informative_n": needed} for result in estimated]
