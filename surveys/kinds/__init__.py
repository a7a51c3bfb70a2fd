"""The kinds of question: one module each for all that differs between them, from the draft to the download."""

from collections.abc import Mapping
from typing import Any

from surveys.kinds.choices import Choice, Ordered, YesNo
from surveys.kinds.grid import Grid
from surveys.kinds.histogram import Histogram
from surveys.kinds.mean import Mean
from surveys.kinds.multiple_choice import MultipleChoice
from surveys.kinds.protocol import Fact, Kind

__all__ = ["KINDS", "Fact", "Kind", "of"]

KINDS: dict[str, Kind] = {
    "yes_no": YesNo(),
    "single_choice": Choice(),
    "ordered": Ordered(),
    "histogram": Histogram(),
    "mean": Mean(),
    "multiple_choice": MultipleChoice(),
    "grid": Grid(),
}


def of(question: Mapping[str, Any]) -> Kind:
    """The kind of a definition's question, or of a result."""
    return KINDS[question["kind"]]
