"""Weighted shares as a table, with its numbers as text."""

from typing import NamedTuple

from ldp.weighting.document import Shares
from surveys.figures import numerals


class Row(NamedTuple):
    """An answer: percentages, how many times the variance, how many answers."""

    answer: str
    weighted: str
    interval: str
    unweighted: str
    design_effect: str
    effective_n: str


def decimals(document: Shares) -> int:
    """Decimals of percentages, at most one, as in the cross-table."""
    return min(1, numerals.decimals_for(max(share["standard_error"] for share in document["shares"])))


def table(document: Shares, names: list[str], place: int) -> list[Row]:
    """`names` are the answers as they are shown, `place` that of the confidence."""
    digits = decimals(document)
    return [
        Row(
            name,
            numerals.share(share["estimate"], digits),
            numerals.span(tuple(share["levels"][place]["simultaneous"]), digits),
            numerals.share(share["unweighted"], digits),
            numerals.small(share["design_effect"], 2),
            numerals.count(share["effective_n"]),
        )
        for name, share in zip(names, document["shares"], strict=True)
    ]
