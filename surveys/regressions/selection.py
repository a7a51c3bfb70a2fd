"""What a reader chose: the model, as JSON in the address, and the confidence."""

import hashlib
import json
from typing import NamedTuple

from django.http import Http404, QueryDict
from django.utils.http import urlencode

from ldp.confidences import PERCENTS
from ldp.regression.specification import Specification, as_json, from_json

# Of a model's JSON in an address: one of so many covariates would be refused anyway.
LONGEST = 10_000


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
    """The model's canonical JSON: one model has one text."""
    return json.dumps(as_json(model), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(model: Specification) -> str:
    return hashlib.sha256(text(model).encode()).hexdigest()


def read(query: QueryDict) -> Selection:
    """What the address says. Http404 where it names no model."""
    given, confidence = query.get("model", ""), query.get("confidence", "")
    if len(given) > LONGEST:
        raise Http404
    try:
        model = from_json(json.loads(given))
    except (ValueError, RecursionError):
        raise Http404 from None
    return Selection(model, int(confidence) if confidence in map(str, PERCENTS) else 95)
