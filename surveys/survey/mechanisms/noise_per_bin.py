"""The common part of mechanisms with noise in each bin (M5, M6)."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop

from ldp.question import Drawn
from ldp.tables.shapes import REACH_MAX
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import cumulative
from surveys.survey.mechanisms.protocol import LIST, Limit, Mechanism, ReportDescription

REPORT = ReportDescription(LIST, "one integer per bin", report_words.figures)
SUM = "the bin's number"
LIMIT = Limit(
    "mechanism_noise",
    gettext_noop(
        "%(mechanism)s needs noise beyond ±%(most)s at this alpha and delta; choose larger ones, such as 1 and 0.000001"
    ),
    REACH_MAX,
)


def quantity(question: Drawn) -> str:
    return "1 for the bin of the answer, 0 for the others, each with noise added."


def symmetric(name: str, sent: str) -> Mechanism:
    """Return a mechanism whose table is the distribution of its noise, symmetric about 0."""
    return Mechanism(
        name=name,
        sent=sent,
        entries={"noise": _symmetric_law},
        table="noise: the chances of the noise -J to J, added up one after the other, out of 2^53.",
        report=REPORT,
        scores={"sum": SUM},
        quantity=quantity,
        limit=LIMIT,
    )


def _symmetric_law(thresholds: Any, _: Sequence[Unchecked]) -> None:
    must(cumulative(thresholds) % 2 == 0)
