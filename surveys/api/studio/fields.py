"""The types of fields that several documents of the studio's API share."""

from typing import Annotated, Any, TypedDict

from surveys.api.documents import like
from surveys.models import Role

TIME = {"format": "date-time"} | like("2026-06-01T08:00:00Z")
END = {"anyOf": [{"format": "date-time"}, {"format": "date"}]} | like("2026-06-01T08:00:00Z")
DAY = {"format": "date"} | like("2026-06-01")
MARK = "Identifies the state that you read, so that a later change is noticed."
MARKED = like("1f0c9f86d0818848")
WHOLE = {"minimum": 1}
ROLE = {"enum": list(Role)} | like("researcher")
POINTS = "Ends as soon as no interval of a release reaches further than this to either side, in percentage points."
_DRAFT = {
    "title": "How people travel",
    "questions": [{"key": "by_bike", "kind": "yes_no", "text": "Do you go by bike?", "alpha": "1"}],
}
Draft = Annotated[
    dict[str, Any], "As /api/v1/draft-schema says. It may be incomplete until the survey opens.", like(_DRAFT)
]


class Part(TypedDict):
    """Part of a list, and the URLs of the other parts."""

    count: Annotated[int, like(1)]
    next: Annotated[str | None, "The URL of the next page.", like(None)]
    previous: Annotated[str | None, like(None)]
