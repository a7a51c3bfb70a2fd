"""The files of a release's estimates, as text and bytes. The module reads neither a database nor a clock."""

import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils.translation import gettext_lazy as _

from ldp import tidy
from ldp.document import Document
from ldp.inference import matrices
from ldp.inference.matrices import Covariances
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.downloads import estimate_columns
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column, names


def csv_text(document: Document) -> str:
    """Return the CSV: a row for each question, method, option, target and confidence (ldp/tidy.py)."""
    return tables.csv_text(tidy.columns(document), tidy.rows(document))


def csv_file(document: Document) -> bytes:
    return tables.marked(csv_text(document))


# For programs that know types and labels ------------------------------------------------------------------------------


def parquet(document: Document) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet as files

    fields = [
        pa.field(column.name, _parquet_type(column), metadata={"label": column.meaning})
        for column in estimate_columns.of_document(document)
    ]
    table = pa.Table.from_pylist(list(tidy.rows(document)), pa.schema(fields))
    out = io.BytesIO()
    files.write_table(table, out, compression="zstd")
    return out.getvalue()


def _parquet_type(column: Column) -> Any:
    import pyarrow as pa

    types = {"text": pa.string(), "date": pa.string(), "number": pa.float64(), "whole number": pa.int64()}
    return types.get(column.type, pa.bool_())


def spss(document: Document) -> bytes:
    return _written(document, "sav")


def stata(document: Document) -> bytes:
    return _written(document, "dta")


def _written(document: Document, kind: str) -> bytes:
    """Return the file. Text stays text, true and false are 1 and 0, and a missing value is missing."""
    import pandas as pd
    import pyreadstat

    columns = estimate_columns.of_document(document)
    frame = pd.DataFrame(list(tidy.rows(document)), columns=list(names(columns)))
    for column in columns:
        cells, is_text = frame[column.name], column.type in ("text", "date")
        frame[column.name] = cells.fillna("").astype(str) if is_text else cells.astype("float64")
    labels = {column.name: column.meaning[:80] for column in columns}
    measures = {column.name: "scale" if "number" in column.type else "nominal" for column in columns}
    write: Any = {"sav": partial(pyreadstat.write_sav, variable_measure=measures), "dta": pyreadstat.write_dta}[kind]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"estimates.{kind}"
        write(frame, str(path), column_labels=labels)
        return path.read_bytes()


# Covariances ----------------------------------------------------------------------------------------------------------

COVARIANCES = (
    common.QUESTION.meaning_here("As in the estimates."),
    common.METHOD.meaning_here("As in the estimates."),
    common.TARGET,
    common.OPTION.meaning_here("The row of the matrix."),
    common.OTHER_OPTION.meaning_here("The column of the matrix: this option or one after it; the matrix is symmetric."),
    Column(
        "covariance",
        "number",
        _("Covariance"),
        "Of the two estimates, at the estimated shares put where shares can be.",
    ),
)


def covariances(release: Release) -> Iterator[Covariances]:
    for question, totals, n in release.counted.values():
        yield from matrices.of_question(question, totals, n)


def covariances_csv(release: Release) -> Iterator[str]:
    """Yield the upper triangles, a row for each pair of options, some lines at a time."""
    return tables.csv_lines(names(COVARIANCES), covariance_rows(release))


def covariance_rows(release: Release) -> Iterator[Row]:
    for covariance in covariances(release):
        same = {"question": covariance.question, "method": covariance.method, "target": covariance.target}
        values = covariance.matrix.tolist()
        for j, option in enumerate(covariance.options):
            for k, other in enumerate(covariance.options[j:], j):
                yield same | {"option": option, "other_option": other, "covariance": values[j][k]}


def covariances_json(release: Release) -> Iterator[str]:
    """Yield the list of whole matrices, one JSON object at a time."""
    opening = "[\n"
    for covariance in covariances(release):
        yield opening + json.dumps(covariance._asdict() | {"matrix": covariance.matrix.tolist()}, ensure_ascii=False)
        opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"
