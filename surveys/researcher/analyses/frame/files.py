"""Documents as files: the same ones of the pages and of the API."""

from functools import partial
from typing import Any

from django.utils.translation import override

from surveys.researcher.analyses.frame.analysis import Analysis
from surveys.researcher.results.responses import Made
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import names


def formats(analysis: Analysis[Any]) -> Made:
    """What can be made of its documents."""
    return {
        "csv": ("text/csv; charset=utf-8", partial(_csv_text, analysis)),
        "json": ("application/json", partial(_json_text, analysis)),
    }


@override("en")  # one file for everybody
def _csv_text(analysis: Analysis[Any], document: Any) -> str:
    return tables.csv_text(names(analysis.columns), analysis.rows(document))


@override("en")
def _json_text(analysis: Analysis[Any], document: Any) -> str:
    return tables.json_text(analysis.published(document))


def name(analysis: Analysis[Any], number: int, specification: Any, format: str) -> str:
    fields = () if analysis.parameter else analysis.as_json(specification).values()
    return "-".join([analysis.name, str(number), *fields]) + f".{format}"
