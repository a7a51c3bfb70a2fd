"""The published estimates and the definition in the OpenAPI description, from the types of the documents
(ldp/document.py, surveys/survey/definition/document.py)."""

from typing import Any

from ldp.document import Document
from surveys.api.json_schema import schema
from surveys.researcher.downloads.row_files import TABLES, RowTable
from surveys.researcher.sheets.common_columns import HEADER
from surveys.survey.definition.document import Definition

CSV = (
    "One row per question, method, option, target and confidence. An estimate stands in as many rows as it has targets "
    "and confidences: keep one of each before adding anything up, and the rows with default_method, since other "
    "methods repeat the same reports. n is the number of reports of the survey, n_about that of the reports that the "
    "row is about. Where quantity is share, estimates are fractions of 1; where it is mean, they are numbers in the "
    "unit, on the scale from scale_low to scale_high. Cells that do not apply are empty. columns.csv among the "
    "downloads says what each column holds. Where the survey has forms there are two columns more: form, which is the "
    "question's, and joint; n_about is then the number of those who were asked."
)


def rows_of(table: RowTable) -> dict[str, Any]:
    """An object with what is said of the release and a list of rows."""
    rows = {"type": "array", "items": _object({column.name: column.schema for column in table.columns})}
    return _object({column.name: column.schema for column in HEADER} | {table.name: rows})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


READINGS, CONTRASTS, TREND, FORGED = map(rows_of, TABLES.values())
ESTIMATES = schema(Document)
DEFINITION = schema(Definition)
