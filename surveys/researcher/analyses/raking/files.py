"""A question weighted by several margins as files."""

from ldp.weighting.raking_document import COLUMNS, RakingDocument, rows
from surveys.researcher.analyses.frame.files import json_text
from surveys.researcher.downloads import tables


def _csv_text(made: RakingDocument) -> str:
    """One row for each answer and confidence (ldp/weighting/raking_document.py)."""
    return tables.csv_text(COLUMNS, rows(made))


MADE = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
}
