"""Tables with labels for programs that know them: Parquet's metadata, and the headers of SPSS and Stata files."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from ldp.microdata import MISSING, Table
from surveys.research.codebook import Codebook
from surveys.research.columns import Column, stata_names

# What the formats have room for, in bytes of UTF-8 (SPSS) and characters (Stata 15, file format 119 and 118).
SPSS_LABEL, SPSS_VALUE = 256, 120
STATA_LABEL, STATA_VALUE = 80, 32_000
STATA_VERSION = 15
# Neither can be written piece by piece: only so many numbers are ever held for them.
HELD_MAX = 4_000_000


def schema(columns: list[Column], codebook: Codebook) -> Any:
    """Whole numbers, each column with its label and what its values mean; the codebook stands with the table."""
    import pyarrow as pa

    fields = [
        pa.field(column.name, pa.from_numpy_dtype(_type(column)), column.may_be_empty, _metadata(column))
        for column in columns
    ]
    return pa.schema(fields, {"deniable.codebook": json.dumps(codebook, ensure_ascii=False)})


def batch(schema: Any, columns: list[Column], table: Table) -> Any:
    """Rows for a Parquet file."""
    import pyarrow as pa

    return pa.record_batch([_array(numbers, column) for numbers, column in zip(table.T, columns, strict=True)], schema)


def _array(numbers: Table, column: Column) -> Any:
    import pyarrow as pa

    missing = numbers == MISSING
    values = np.where(missing, 0, numbers).astype(_type(column))
    return pa.array(values, mask=missing if missing.any() else None)


def _type(column: Column) -> np.dtype[Any]:
    return np.dtype(np.int8 if column.low >= -128 and column.high <= 127 else np.int16)


def _metadata(column: Column) -> dict[str, str]:
    labels = {"label": column.label, "about": column.about}
    if column.values:
        labels["values"] = json.dumps({str(value): text for value, text in column.values.items()}, ensure_ascii=False)
    return {name: text for name, text in labels.items() if text}


def frame(columns: list[Column], table: Table) -> Any:
    """A pandas frame: whole numbers, or where some are missing numbers with a fraction."""
    import pandas as pd

    return pd.DataFrame(
        {column.name: _series(numbers, column) for numbers, column in zip(table.T, columns, strict=True)}
    )


def _series(numbers: Table, column: Column) -> Any:
    missing = numbers == MISSING
    return np.where(missing, np.nan, numbers) if missing.any() else numbers.astype(_type(column))


def write_spss(frame: Any, path: Path, columns: list[Column], title: str) -> None:
    """`frame` is of pandas, with the columns' names."""
    import pyreadstat

    pyreadstat.write_sav(
        frame,
        str(path),
        file_label=_bytes(title, 64),
        column_labels={column.name: _bytes(column.label, SPSS_LABEL) for column in columns},
        variable_value_labels={
            column.name: {value: _bytes(text, SPSS_VALUE) for value, text in column.values.items()}
            for column in columns
            if column.values
        },
        variable_measure={column.name: column.measure for column in columns},
        row_compress=True,
    )


def write_stata(frame: Any, path: Path, columns: list[Column], title: str) -> None:
    """The file under names that Stata takes; each is the codebook's but for dots and length."""
    import pyreadstat

    names = stata_names(columns)
    pyreadstat.write_dta(
        frame.set_axis(names, axis=1),
        str(path),
        file_label=title[:STATA_LABEL],
        column_labels={name: column.label[:STATA_LABEL] for name, column in zip(names, columns, strict=True)},
        variable_value_labels={
            name: {value: text[:STATA_VALUE] for value, text in column.values.items()}
            for name, column in zip(names, columns, strict=True)
            if column.values
        },
        version=STATA_VERSION,
    )


def _bytes(text: str, most: int) -> str:
    """As much of a text as fits into so many bytes of UTF-8."""
    return text.encode()[:most].decode(errors="ignore")
