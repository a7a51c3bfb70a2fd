"""Documents as files: the same ones of the pages and of the API."""

from typing import Any

from django.utils.translation import override

from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.downloads import tables

TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@override("en")  # one file for everybody
def text(analysis: Analysis[Any], document: Any, form: str) -> str:
    """The document in one of TYPES."""
    if form == "json":
        return tables.json_text(analysis.published(document))
    return tables.csv_text(analysis.columns, analysis.rows(document))


def name(analysis: Analysis[Any], number: int, specification: Any, form: str) -> str:
    fields = () if analysis.parameter else analysis.as_json(specification).values()
    return "-".join([analysis.name, str(number), *fields]) + f".{form}"
