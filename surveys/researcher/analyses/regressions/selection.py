"""What a reader chose: the model, as JSON in the address, and the confidence."""

from typing import NamedTuple

from django.http import QueryDict
from django.utils.http import urlencode

from ldp.regression.specification import Specification, as_json, from_json
from surveys.researcher.analyses.frame import addresses


class Selection(NamedTuple):
    model: Specification
    confidence: int = 95

    @property
    def query(self) -> str:
        return urlencode({"model": text(self.model), "confidence": str(self.confidence)})

    @property
    def fraction(self) -> float:
        return self.confidence / 100


def text(model: Specification) -> str:
    return addresses.text(as_json(model))


def digest(model: Specification) -> str:
    return addresses.digest(as_json(model))


def read(query: QueryDict) -> Selection:
    """What the address says. Http404 where it names no model."""
    return Selection(addresses.read(query, "model", from_json), addresses.confidence(query))
