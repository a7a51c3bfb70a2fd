"""The file with the meaning of each column in the files of a release and its analyses."""

from collections.abc import Mapping

from surveys.researcher.analyses.registry import ANALYSES
from surveys.researcher.downloads import estimate_columns, exports, row_files, shares
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column

Files = dict[str, tuple[Column, ...]]

FILES: Files = {
    "estimates": estimate_columns.ESTIMATES,
    "shares": shares.COLUMNS,
    "covariances": exports.COVARIANCES,
    **{name: table.all_columns for name, table in row_files.TABLES.items()},
    **{name: analysis.columns for name, analysis in ANALYSES.items()},
}
_COLUMNS = ("file", "column", "type", "meaning")


def columns_file(document: Mapping[str, object]) -> bytes:
    """Return a CSV with a row for each column of each file."""
    files = FILES | {"estimates": estimate_columns.of_document(document)}
    rows = [
        dict(zip(_COLUMNS, (file, column.name, column.type, column.meaning), strict=True))
        for file, columns in files.items()
        for column in columns
    ]
    return tables.marked(tables.csv_text(_COLUMNS, rows))
