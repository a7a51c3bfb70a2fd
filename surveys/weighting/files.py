"""Weighted shares as files."""

import json
from collections.abc import Mapping
from typing import Any

from ldp.weighting.document import COLUMNS, WeightedDocument, rows
from surveys.research import tables


def json_text(made: Mapping[str, Any]) -> str:
    return json.dumps(made, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def _csv_text(made: WeightedDocument) -> str:
    """One row for each answer and confidence (ldp/weighting/document.py)."""
    return tables.csv_text(COLUMNS, rows(made))


MADE = {
    "csv": ("text/csv; charset=utf-8", _csv_text),
    "json": ("application/json", json_text),
}


def name(made: WeightedDocument, form: str) -> str:
    return f"weighted-{made['header']['release']}-{made['question']}-by-{made['by']}.{form}"
