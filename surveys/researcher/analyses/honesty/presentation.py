"""Corrected and uncorrected shares as a table, with its numbers as text."""

from typing import NamedTuple

from ldp.honesty.document import CorrectedDocument
from surveys.figures import numerals


class CorrectedAnswer(NamedTuple):
    """An answer: percentages."""

    answer: str
    uncorrected: str
    corrected: str
    interval: str


def decimals(document: CorrectedDocument) -> int:
    """Decimals of percentages, at most one, as in the cross-table."""
    return min(1, numerals.decimals_for(max(share["standard_error"] for share in document["shares"])))


def table(document: CorrectedDocument, names: list[str], place: int) -> list[CorrectedAnswer]:
    """`names` are the answers as they are shown, `place` that of the confidence."""
    digits = decimals(document)
    return [
        CorrectedAnswer(
            name,
            numerals.share(share["uncorrected"], digits),
            numerals.share(share["estimate"], digits),
            numerals.span(tuple(share["levels"][place]["simultaneous"]), digits),
        )
        for name, share in zip(names, document["shares"], strict=True)
    ]
