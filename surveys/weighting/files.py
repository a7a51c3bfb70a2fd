"""Weighted shares as files."""

from ldp.weighting.document import COLUMNS, WeightedDocument, rows
from surveys.counting.files import json_text
from surveys.research import tables


def _csv_text(made: WeightedDocument) -> str:
    """One row for each answer and confidence (ldp/weighting/document.py)."""
    return tables.csv_text(COLUMNS, rows(made))


MADE = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
}


def name(made: WeightedDocument, form: str) -> str:
    return f"weighted-{made['header']['release']}-{made['question']}-by-{made['by']}.{form}"
