"""Subgroups as files."""

import json

from ldp import subgroups
from ldp.subgroups import SubgroupsDocument
from surveys.research import tables


def json_text(document: SubgroupsDocument) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def csv_text(document: SubgroupsDocument) -> str:
    """One row for each answer, stratum and confidence (ldp/subgroups.py)."""
    return tables.csv_text(subgroups.COLUMNS, subgroups.rows(document))


MADE = {
    "csv": ("text/csv; charset=utf-8", csv_text),
    "json": ("application/json", json_text),
}
