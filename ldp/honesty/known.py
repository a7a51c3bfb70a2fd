"""The comparison of a share with a publicly known one (M42).

Three causes make a difference: respondents differ from the population, do not answer truthfully, or pay no attention.
Reports cannot separate the causes.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypedDict

from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.inference.intervals import Interval
from ldp.inference.tallied import TalliedShare
from ldp.tidy import Row, ends

FORMAT = 1


class KnownComparison(NamedTuple):
    """The estimated share minus the known one, with its interval."""

    estimate: float
    interval: Interval

    @property
    def direction(self) -> int:
        """1 if the interval is above 0, -1 if it is below, else 0."""
        return (self.interval.low > 0) - (self.interval.high < 0)


def difference(estimate: float, interval: Interval, known: float) -> KnownComparison:
    """Return the estimated share minus the known one. ValueError unless the known one is in 0..1."""
    if not 0 <= known <= 1:
        raise ValueError("a known share must be from 0 to 1")
    return KnownComparison(estimate - known, Interval(interval.low - known, interval.high - known))


# What is published ----------------------------------------------------------------------------------------------------


class KnownLevel(TypedDict):
    """Intervals of the share and of the difference at one confidence, for this answer alone."""

    confidence: float
    interval: list[float]
    difference: list[float]


class KnownDocument(TypedDict):
    """The document, for a population. `estimate` and `known` are shares, `difference` the first minus the second."""

    format: int
    header: Header
    n_about: int
    question: str
    text: str
    option: str
    known: float
    estimate: float
    difference: float
    levels: list[KnownLevel]


def document(header: Header, key: str, text: str, option: str, row: TalliedShare, known: float) -> KnownDocument:
    """Return the document of one option of a question. `row` has the totals and the option's place in them."""
    tallied, j = row
    estimate = float(tallied.shares[j])
    spans = [(each, tallied.interval(j, each, "population")) for each in CONFIDENCES]
    return {
        "format": FORMAT,
        "header": header,
        "n_about": tallied.n,
        "question": key,
        "text": text,
        "option": option,
        "known": known,
        "estimate": estimate,
        "difference": difference(estimate, spans[0][1], known).estimate,
        "levels": [
            {
                "confidence": confidence,
                "interval": [*span],
                "difference": [*difference(estimate, span, known).interval],
            }
            for confidence, span in spans
        ],
    }


def rows(document: KnownDocument) -> Iterator[Row]:
    """Yield a row for each confidence. It has more fields than a table needs."""
    same: Row = {**document["header"], **document}
    for level in document["levels"]:
        row = same | {"confidence": level["confidence"]}
        yield row | ends("interval", level["interval"]) | ends("difference", level["difference"])
