"""The attention questions of a release, and the variables that they can correct."""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ldp.honesty import attention
from ldp.honesty.document import CorrectedDocument, document
from ldp.inference.intervals import Interval
from ldp.inference.variables import Variable, variables
from surveys.models import Release
from surveys.researcher.analyses.crossings import pairs
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.weighting import table as weighting_table
from surveys.researcher.results.released import of_release


class Attention(NamedTuple):
    """The estimated share of people who pay attention, with its interval."""

    estimate: float
    interval: Interval


def anchors(release: Release) -> list[Variable]:
    """Return the anchors with reports, in the definition's order."""
    questions = [question for question in release.counted_questions if attention.is_anchor(question)]
    return variables(questions)


def correctable(release: Release, anchor: Variable) -> list[Variable]:
    """Return the variables with reports that the anchor can correct."""
    every = variables(release.counted_questions)
    return [each for each in every if attention.corrects(anchor, each) and _crossed(release, anchor.key, each.key)]


def corrected(release: Release) -> Iterator[CorrectedDocument]:
    """Yield the corrected shares of each ready cross-table of a question and an attention question. Cross-tables with
    too few reports about attention are left out."""
    for first, second in ready_pairs(release):
        pair = pairs.ordered(release, first, second)
        for anchor, _other in attention.correcting(pair):
            table = weighting_table.of_release(release, first, second, anchor.key)
            if table is not None:
                with suppress(attention.TooInattentive):
                    yield document(table.header, table.crossing)


def ready_pairs(release: Release) -> list[CrossedQuestions]:
    """Return the pairs of ready cross-tables, in the order of their requests."""
    made = requests.ready(requests.runs(CROSSINGS, release)).values_list("specification", flat=True)
    return [CROSSINGS.from_json(pair) for pair in made]


def of_anchor(release: Release, anchor: Variable, confidence: float) -> Attention:
    """Return the attention, estimated from all reports about the anchor."""
    tallied, j = of_release(release.survey.slug or "", release.number, anchor.key).rows[anchor.question["right"]]
    interval, d = tallied.interval(j, confidence, "population"), len(anchor.options)
    return Attention(attention.attention(float(tallied.shares[j]), d), attention.attention_interval(interval, d))


def _crossed(release: Release, first: str, second: str) -> bool:
    try:
        pairs.ordered(release, first, second)
    except AnalysisRefused:
        return False
    return True
