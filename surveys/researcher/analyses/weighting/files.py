"""Weighted shares as files."""

from django.utils.translation import gettext as _

from ldp.weighting.document import WeightedDocument, rows
from surveys.researcher.analyses.weighting.columns import COLUMNS
from surveys.researcher.downloads import tables
from surveys.researcher.downloads.tables import json_text
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets.book import XLSX, Table, of_document
from surveys.researcher.sheets.column import names


def _csv_text(made: WeightedDocument) -> str:
    """One row for each answer and confidence (ldp/weighting/document.py)."""
    return tables.csv_text(names(COLUMNS), rows(made))


def _workbook(made: WeightedDocument) -> bytes:
    return of_document(made["header"], made["text"], Table(_("Weighted"), "weighted.csv", COLUMNS, rows(made)))


MADE: Made = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
    "xlsx": (XLSX, _workbook),
}


def name(made: WeightedDocument, form: str) -> str:
    return f"weighted-{made['header']['release']}-{made['question']}-by-{made['by']}.{form}"
