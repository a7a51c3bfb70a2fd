"""A column of a table. Every file, heading, schema and document with the column uses this declaration."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_type_hints

from django.utils.functional import Promise

Text = Promise | str
Type = Literal["text", "date", "whole number", "number", "true or false"]

_JSON = {"whole number": "integer", "number": "number", "true or false": "boolean"}


@dataclass(frozen=True)
class Column:
    """`name` is the name in CSV files, `heading` the one in workbooks, `meaning` a sentence for readers of the table.
    `words` maps the codes in cells to their texts."""

    name: str
    type: Type
    heading: Text
    meaning: str = ""
    words: Mapping[str, Text] = field(default_factory=dict, hash=False)

    def meaning_here(self, meaning: str) -> Self:
        """Return the column with a different meaning for another table."""
        return replace(self, meaning=meaning)

    def in_words(self, cell: object) -> object:
        """Return a cell as a workbook shows it: a code as its text, in the active language."""
        return str(self.words.get(cell, cell)) if isinstance(cell, str) else cell

    @property
    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a cell. A missing value is null."""
        return {"type": [_JSON.get(self.type, "string"), "null"], "description": self.meaning}


def columns_of_type(row: type, columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns in the order of a TypedDict's fields. A field's annotation replaces the column's meaning, as
    in the API's schema."""
    fields, by_name = get_type_hints(row, include_extras=True), {column.name: column for column in columns}
    notes = {name: getattr(field, "__metadata__", ())[:1] for name, field in fields.items()}
    return tuple(replace(by_name[name], meaning="".join(notes[name]) or by_name[name].meaning) for name in fields)


def names(columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)
