"""Writes the tables of docs/researchers/downloads.md that say what each column holds (`make docs`)."""

import re
from pathlib import Path

import django

import tests.documents  # noqa: F401 - the settings

PATH = Path(__file__).parents[2] / "docs" / "researchers" / "downloads.md"
_TABLE = re.compile(r"<!-- columns: ([\w-]+) -->\n\n(?:\|.*\n)*")


def page() -> str:
    """The document with each table as its columns are declared; what stands around them is written by hand."""
    return _TABLE.sub(lambda found: f"<!-- columns: {found[1]} -->\n\n{_table(found[1])}", PATH.read_text("utf-8"))


def _table(name: str) -> str:
    django.setup()
    from surveys.researcher.downloads import column_docs, estimate_columns

    columns = {**column_docs.FILES, "forms": estimate_columns.FORMS}[name]
    lines = [f"| `{column.name}` | {column.type} | {column.meaning} |\n" for column in columns]
    return "".join(["| column | type | meaning |\n", "|---|---|---|\n", *lines])


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
