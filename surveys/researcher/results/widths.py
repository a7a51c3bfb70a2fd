"""Whether a release's intervals hold at every look."""

from ldp.document import Document
from surveys.figures import display


def at_every_release(document: Document | display.Document) -> bool:
    """Return whether the intervals are those of a survey that may end at any release (M29)."""
    methods = (method for result in document["questions"] for method in result["methods"])
    return any(c["population"]["interval_method"] == "sequence" for method in methods for c in method["categories"])
