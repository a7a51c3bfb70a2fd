"""The shares of a release, each once: by each question's first method, of the population, at the document's confidence.
For people who sum a column."""

from collections.abc import Iterator

from ldp import tidy
from ldp.document import Document
from ldp.tidy import Row
from surveys.research import tables
from surveys.research.readings import projected

COLUMNS = (
    "question", "text", "option", "n_about", "share", "standard_error", "interval_low", "interval_high",
    "simultaneous_low", "simultaneous_high", "projected_share", "confidence", "target", "method",
)  # fmt: skip


def csv_text(document: Document) -> str:
    return tables.csv_text(COLUMNS, rows(document))


def csv_file(document: Document) -> bytes:
    return tables.marked(csv_text(document))


def rows(document: Document) -> Iterator[Row]:
    """One for each option, with the keys COLUMNS. A mean is no share and is left out."""
    for row, value in usual(document):
        if row["quantity"] == "share":
            both = row | {"share": row["estimate"], "projected_share": value}
            yield {name: both[name] for name in COLUMNS}


def usual(document: Document) -> Iterator[tuple[Row, float]]:
    """The rows of the estimates that say each of them once, with the projected values."""
    values = dict(projected(document))
    for row in tidy.rows(document):
        of_all = row["target"] == "population" and row["confidence"] == document["confidence"]
        if of_all and row["default_method"]:
            yield row, values[row["question"], row["method"], row["option"]]
