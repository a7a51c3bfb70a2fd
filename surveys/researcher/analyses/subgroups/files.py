"""Subgroups as files."""

from ldp import subgroups
from ldp.subgroups import SubgroupsDocument
from surveys.researcher.analyses.frame.files import json_text
from surveys.researcher.downloads import tables


def csv_text(document: SubgroupsDocument) -> str:
    """The shares within strata and their differences in rows (ldp/subgroups.py)."""
    return tables.csv_text(subgroups.COLUMNS, subgroups.rows(document))


MADE = {
    "csv": ("text/csv; charset=utf-8", csv_text),
    "json": ("application/json", json_text),
}
