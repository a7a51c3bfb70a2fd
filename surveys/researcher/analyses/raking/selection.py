"""What a reader chose: the question and the known shares, as JSON in the address, and the confidence."""

from typing import NamedTuple

from django.http import QueryDict
from django.utils.http import urlencode

from ldp.weighting.margins import Margins, as_json, from_json
from surveys.researcher.analyses.frame import addresses


class Selection(NamedTuple):
    margins: Margins
    confidence: int = 95

    @property
    def json(self) -> str:
        return text(self.margins)

    @property
    def query(self) -> str:
        return urlencode({"margins": self.json, "confidence": str(self.confidence)})

    @property
    def fraction(self) -> float:
        return self.confidence / 100


def text(margins: Margins) -> str:
    return addresses.text(as_json(margins))


def digest(margins: Margins) -> str:
    return addresses.digest(as_json(margins))


def read(query: QueryDict) -> Selection:
    """What the address says. Http404 where it names no question with known shares."""
    return Selection(addresses.read(query, "margins", from_json), addresses.confidence(query))
