"""Writes docs/researchers/columns.md, which says what each column of each file holds (`make docs`)."""

from collections import Counter
from pathlib import Path

import django

import tests.documents  # noqa: F401 - the settings

PATH = Path(__file__).parents[2] / "docs" / "researchers" / "columns.md"
HEAD = """# Columns

What each column of each CSV file of a release holds. `columns.csv` among the [downloads](downloads.md) says the same.
Generated from the code by `make docs`.

## In several files

"""
SEVERAL = 3


def page() -> str:
    """Return the document: the columns that several files share, then those of each file alone."""
    django.setup()
    from surveys.researcher.downloads import column_docs, estimate_columns

    files = {**column_docs.FILES, "forms": estimate_columns.FORMS}
    number = Counter(column for columns in files.values() for column in columns)
    most = {column.name: column for column in sorted(number, key=number.__getitem__)}
    shared = [column for column in number if number[column] >= SEVERAL and most[column.name] == column]
    parts = [HEAD + _table(shared)]
    for name, columns in files.items():
        also = ", ".join(f"`{column.name}`" for column in columns if column in shared)
        title = "estimates.csv of a survey in forms, more" if name == "forms" else f"{name}.csv"
        own = [column for column in columns if column not in shared]
        parts.append(f"\n## {title}\n\n" + (f"Also {also}.\n\n" if also else "") + _table(own))
    return "".join(parts)


def _table(columns: list) -> str:
    lines = [f"| `{column.name}` | {column.type} | {column.meaning} |\n" for column in columns]
    return "".join(["| column | type | meaning |\n", "|---|---|---|\n", *lines])


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
