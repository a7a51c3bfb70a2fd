"""The document of a release, from its definition and its totals alone."""

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

# The kinds load it where they need it; a worker that makes results has it from its start, before it forks.
import ldp.inference.summaries  # noqa: F401
from ldp import kinds
from ldp.document import FORMAT, Document, Header, Level, Precision, QuestionResult
from ldp.inference.estimates import TARGETS
from ldp.planning import plans, stopping
from ldp.planning.outlook import HOPELESS
from ldp.question import Drawn
from ldp.scores import Totals

# A question with what was counted of it.
Counted = tuple[Drawn, Totals, int]


def document(
    header: Header,
    counted: Iterable[Counted],
    levels: Sequence[float] = (),
    every_look: bool = False,
) -> Document:
    """`counted` are the questions with their totals and the number of reports about them; intervals at the `levels` of
    confidence, increasing, are added to those at the header's. `every_look`: the survey goes on, or may
    end because of what its results say, so the intervals hold at all its releases together."""
    every = questions(header["confidence"], counted, levels, every_look)
    return cast(Document, {**header, "format": FORMAT, "questions": every})


def questions(
    confidence: float, counted: Iterable[Counted], levels: Sequence[float], every_look: bool
) -> list[QuestionResult]:
    """The results of each question, with further intervals at the `levels`."""
    every = []
    for question, totals, n in counted:
        own = results(question, totals, n, confidence, every_look)
        for level in levels:
            _add(own, kinds.of(question).results(question, totals, n, level, every_look), level)
        every += own
    return every


def _add(usual: list[QuestionResult], other: list[QuestionResult], confidence: float) -> None:
    for precision, its in zip(_precisions(usual), _precisions(other), strict=True):
        level = {"confidence": confidence, "interval": its["interval"], "simultaneous": its["simultaneous"]}
        precision.setdefault("levels", []).append(cast(Level, level))


def _precisions(results: list[QuestionResult]) -> Iterator[Precision]:
    for result in results:
        for method in result["methods"]:
            for category in method["categories"]:
                yield from (category[target] for target in TARGETS)


def results(
    question: Drawn, totals: Totals, n: int, confidence: float, every_look: bool = False
) -> list[QuestionResult]:
    """The results of a definition's question, one for each table and plot, from its tally over n >= 1 reports."""
    estimated = kinds.of(question).results(question, totals, n, confidence, every_look)
    needed = (
        stopping.reports_needed(question, HOPELESS, confidence)
        if every_look
        else plans.informative_n(question, confidence)
    )
    return [{**result, "informative_n": needed} for result in estimated]
