"""Subgroups as files."""

import json
from typing import Any

from ldp import subgroups
from surveys.research import tables

Data = dict[str, Any]


def json_text(document: Data) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def csv_text(document: Data) -> str:
    """One row for each answer, stratum and confidence (ldp/subgroups.py)."""
    return tables.csv_text(subgroups.COLUMNS, subgroups.rows(document))  # type: ignore[arg-type]


MADE = {
    "csv": ("text/csv; charset=utf-8", csv_text),
    "json": ("application/json", json_text),
}
