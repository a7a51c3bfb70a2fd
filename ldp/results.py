"""The document of a release, computed from its definition and totals alone."""

from collections.abc import Iterable, Sequence
from typing import cast

# Kinds import this module inside functions. A worker imports it at its start, before it forks.
import ldp.inference.summaries  # noqa: F401
from ldp import kinds
from ldp.document import FORMAT, Document, Header, QuestionResult
from ldp.planning import plans, stopping
from ldp.planning.outlook import HOPELESS
from ldp.question import Drawn
from ldp.scores import Totals

# A question, its totals, and the number of reports about the question.
Counted = tuple[Drawn, Totals, int]


def document(
    header: Header,
    counted: Iterable[Counted],
    levels: Sequence[float] = (),
    every_look: bool = False,
) -> Document:
    """Return the document of a release. `levels` are further confidences, increasing, besides the header's.
    `every_look`: the survey is open or its results may end it, so intervals must hold at all releases together (M29).
    """
    every = questions(header["confidence"], counted, levels, every_look)
    return cast(Document, {**header, "format": FORMAT, "questions": every})


def questions(
    confidence: float, counted: Iterable[Counted], levels: Sequence[float], every_look: bool
) -> list[QuestionResult]:
    """Return the results of all questions, with further intervals at the `levels`."""
    return [
        result
        for question, totals, n in counted
        for result in results(question, totals, n, confidence, every_look, levels)
    ]


def results(
    question: Drawn,
    totals: Totals,
    n: int,
    confidence: float,
    every_look: bool = False,
    levels: Sequence[float] = (),
) -> list[QuestionResult]:
    """Return a question's results, one for each table and plot, from n >= 1 reports. `levels` are further
    confidences."""
    estimated = kinds.of(question).results(question, totals, n, (confidence, *levels), every_look)
    needed = (
        stopping.reports_needed(question, HOPELESS, confidence)
        if every_look
        else plans.informative_n(question, confidence)
    )
    return [{**result, "informative_n": needed} for result in estimated]
