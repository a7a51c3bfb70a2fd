"""What a reader chose to see of a crossing, which its address keeps."""

from typing import NamedTuple

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.confidences import PERCENTS
from ldp.crossing import QuantityName

SHARES: dict[QuantityName, Promise] = {
    "joint": _("Of everybody"),
    "within_first": _("Within rows"),
    "within_second": _("Within columns"),
}


class Selection(NamedTuple):
    shares: QuantityName = "joint"
    confidence: int = 95

    @property
    def query(self) -> str:
        return f"shares={self.shares}&confidence={self.confidence}"

    @property
    def fraction(self) -> float:
        return self.confidence / 100


def read(query: QueryDict) -> Selection:
    """What the address says; where it says something else, the usual."""
    shares, confidence = query.get("shares", ""), query.get("confidence", "")
    return Selection(
        next((each for each in SHARES if each == shares), "joint"),
        int(confidence) if confidence in map(str, PERCENTS) else 95,
    )
