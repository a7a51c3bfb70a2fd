"""Corrected shares, and a share against a known one, as files."""

from ldp.honesty import known
from ldp.honesty.document import COLUMNS, CorrectedDocument, rows
from surveys.counting.files import json_text
from surveys.research import tables


def _csv_text(made: CorrectedDocument) -> str:
    """One row for each answer and confidence (ldp/honesty/document.py)."""
    return tables.csv_text(COLUMNS, rows(made))


MADE = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
}


def name(made: CorrectedDocument, form: str) -> str:
    return f"corrected-{made['header']['release']}-{made['question']}-by-{made['anchor']}.{form}"


def _known_csv_text(made: known.KnownDocument) -> str:
    """One row for each confidence (ldp/honesty/known.py)."""
    return tables.csv_text(known.COLUMNS, known.rows(made))


KNOWN = {
    "csv": ("text/csv; charset=utf-8", _known_csv_text),
    "json": ("application/json", json_text),
}


def known_name(made: known.KnownDocument, form: str) -> str:
    return f"known-{made['header']['release']}-{made['question']}.{form}"
