"""Corrected shares, and a share against a known one, as files."""

from django.utils.translation import gettext as _

from ldp.honesty import known
from ldp.honesty.document import CorrectedDocument, rows
from surveys.researcher.analyses.honesty.columns import CORRECTED, KNOWN_SHARE
from surveys.researcher.downloads import tables
from surveys.researcher.downloads.tables import json_text
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets.book import XLSX, Table, of_document
from surveys.researcher.sheets.column import names


def _csv_text(made: CorrectedDocument) -> str:
    """One row for each answer and confidence (ldp/honesty/document.py)."""
    return tables.csv_text(names(CORRECTED), rows(made))


def _workbook(made: CorrectedDocument) -> bytes:
    table = Table(_("Corrected shares"), "corrected.csv", CORRECTED, rows(made))
    return of_document(made["header"], made["text"], table)


MADE: Made = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
    "xlsx": (XLSX, _workbook),
}


def name(made: CorrectedDocument, form: str) -> str:
    return f"corrected-{made['header']['release']}-{made['question']}-by-{made['anchor']}.{form}"


def _known_csv_text(made: known.KnownDocument) -> str:
    """One row for each confidence (ldp/honesty/known.py)."""
    return tables.csv_text(names(KNOWN_SHARE), known.rows(made))


def _known_workbook(made: known.KnownDocument) -> bytes:
    table = Table(_("Against a known share"), "known.csv", KNOWN_SHARE, known.rows(made))
    return of_document(made["header"], made["text"], table)


KNOWN: Made = {
    "csv": ("text/csv; charset=utf-8", _known_csv_text),
    "json": ("application/json", json_text),
    "xlsx": (XLSX, _known_workbook),
}


def known_name(made: known.KnownDocument, form: str) -> str:
    return f"known-{made['header']['release']}-{made['question']}.{form}"
