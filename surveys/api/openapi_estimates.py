"""The published estimates and the definition in the OpenAPI description, from the types of the documents
(ldp/document.py, surveys/survey/definition/document.py)."""

from collections.abc import Collection, Mapping
from typing import Any

from ldp.document import Document
from surveys.api.json_schema import schema
from surveys.researcher.downloads import column_docs, contrasts, forgeries, readings, trends
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

_KINDS = {"whole number": "integer", "number": "number", "true or false": "boolean"}


def _rows(name: str, columns: Mapping[str, tuple[str, str]], of_each: Collection[str]) -> dict[str, Any]:
    """An object with a list of rows: the fields `of_each` stand in each of them, the others with the release. What does
    not exist is null."""
    kinds = {
        column: {"type": [_KINDS.get(kind, "string"), "null"], "description": meaning}
        for column, (kind, meaning) in columns.items()
    }
    own = {column: kinds[column] for column in of_each}
    rows = {"type": "array", "items": _object(own)}
    return _object({column: kind for column, kind in kinds.items() if column not in own} | {name: rows})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


READINGS = _rows("readings", column_docs.READINGS, readings.READING)
CONTRASTS = _rows("contrasts", column_docs.CONTRASTS, contrasts.CONTRAST)
TREND = _rows("trend", column_docs.TREND, trends.TREND)
FORGED = _rows("forged", column_docs.FORGED, forgeries.FORGED)
ESTIMATES = schema(Document)
DEFINITION = schema(Definition)
