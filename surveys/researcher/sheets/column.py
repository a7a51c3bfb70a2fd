"""A column of a table, declared once: every file, heading, schema and document that has it is made from this."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_type_hints

from django.utils.functional import Promise

Text = Promise | str
Type = Literal["text", "date", "whole number", "number", "true or false"]

_JSON = {"whole number": "integer", "number": "number", "true or false": "boolean"}


@dataclass(frozen=True)
class Column:
    """The name is that of the CSV, the heading is above it in a workbook, and the meaning is a sentence for readers of
    the table. `words` name the codes in its cells."""

    name: str
    type: Type
    heading: Text
    meaning: str = ""
    words: Mapping[str, Text] = field(default_factory=dict, hash=False)

    def meaning_here(self, meaning: str) -> Self:
        """Return the column with its meaning in another table."""
        return replace(self, meaning=meaning)

    def in_words(self, cell: object) -> object:
        """Return what a workbook shows for a cell: a code's words, in the language that is active."""
        return str(self.words.get(cell, cell)) if isinstance(cell, str) else cell

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a cell; what does not exist is null."""
        return {"type": [_JSON.get(self.type, "string"), "null"], "description": self.meaning}


def columns_of_type(row: type, columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns in the order of the fields of a TypedDict, each with the meaning that its field is annotated
    with, if any: so the API's schema says the same."""
    fields, by_name = get_type_hints(row, include_extras=True), {column.name: column for column in columns}
    notes = {name: getattr(field, "__metadata__", ())[:1] for name, field in fields.items()}
    return tuple(replace(by_name[name], meaning="".join(notes[name]) or by_name[name].meaning) for name in fields)


def names(columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)
