"""The cross-table to weight, rebuilt from its stored document."""

from django.http import Http404

from ldp.crossing import CrossingDocument, Side
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.regression.reached_pairs import is_routed
from surveys.models import Release
from surveys.researcher.analyses.crossings import pairs
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.inputs import AnalysisRefused

ABSENT = (
    "No one has asked for this cross-table of this release, or it is not ready. Where not everyone was asked both "
    "questions, known shares of everyone cannot weight it."
)


class WeightingTable:
    """A cross-table with its document. `by` is the question with known shares, `question` the weighted one."""

    def __init__(self, crossing: Crossed, document: CrossingDocument, by: str) -> None:
        turned = by == crossing.second.key
        self.crossing = crossing.turned() if turned else crossing
        self.by: Side = document["second" if turned else "first"]
        self.question: Side = document["first" if turned else "second"]
        self.sides: tuple[Side, Side] = document["first"], document["second"]
        self.header: Header = document["header"]


def of_release(release: Release, first: str, second: str, by: str) -> WeightingTable | None:
    """Return the cross-table of the variables in this order; None if it is missing, or if not everyone was asked both.
    Raise Http404 if the two cannot be crossed."""
    try:
        pair = pairs.ordered(release, first, second)
    except AnalysisRefused:
        raise Http404 from None
    if is_routed(*pair):
        return None
    document = requests.document_of(requests.runs_of(CROSSINGS, release, CrossedQuestions(first, second)))
    if document is None:
        return None
    return WeightingTable(pairs.rebuilt(release, pair, document), document, by)
