"""Tables with labels: Parquet's metadata, and the headers of SPSS and Stata files."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ldp.microdata import MISSING, MicrodataTable
from surveys.researcher.downloads.codebook import Codebook
from surveys.researcher.downloads.microdata_columns import MicrodataColumn
from surveys.researcher.downloads.program_names import SPSS, STATA, names

# The longest labels, in bytes of UTF-8. Stata (15, file formats 118 and 119) counts characters.
SPSS_LABEL, SPSS_VALUE = 256, 120
STATA_LABEL, STATA_VALUE = 80, 32_000
STATA_VERSION = 15
# The most numbers held in memory: neither format can be written piece by piece.
HELD_MAX = 4_000_000


def schema(columns: list[MicrodataColumn], codebook: Codebook) -> Any:
    """Return the schema of whole numbers. Each column has its label and the meanings of its values; the table has the
    codebook."""
    import pyarrow as pa

    fields = [
        pa.field(column.name, pa.from_numpy_dtype(_type(column)), column.may_be_empty, _metadata(column))
        for column in columns
    ]
    return pa.schema(fields, {"deniable.codebook": json.dumps(codebook, ensure_ascii=False)})


def batch(schema: Any, columns: list[MicrodataColumn], table: MicrodataTable) -> Any:
    """Return rows for a Parquet file."""
    import pyarrow as pa

    return pa.record_batch([_array(numbers, column) for numbers, column in zip(table.T, columns, strict=True)], schema)


def _array(numbers: MicrodataTable, column: MicrodataColumn) -> Any:
    import pyarrow as pa

    missing = numbers == MISSING
    values = np.where(missing, 0, numbers).astype(_type(column))
    return pa.array(values, mask=missing if missing.any() else None)


def _type(column: MicrodataColumn) -> np.dtype[Any]:
    return np.dtype(np.int8 if column.low >= -128 and column.high <= 127 else np.int16)


def _metadata(column: MicrodataColumn) -> dict[str, str]:
    labels = {"label": column.label, "about": column.about}
    if column.values:
        labels["values"] = json.dumps({str(value): text for value, text in column.values.items()}, ensure_ascii=False)
    return {name: text for name, text in labels.items() if text}


Cut = Callable[[str], str]

# The value of a refusal in Stata: the extended missing value .a.
_REFUSED = "a"


def write_spss(path: Path, columns: list[MicrodataColumn], table: MicrodataTable, title: str) -> None:
    """Write the file with SPSS's names. A refusal is a user-defined missing value with its code."""
    import pandas as pd
    import pyreadstat

    named = dict(zip(names(SPSS, (column.name for column in columns)), columns, strict=True))
    series = (_coded(numbers, column) for numbers, column in zip(table.T, columns, strict=True))
    pyreadstat.write_sav(
        pd.DataFrame(dict(zip(named, series, strict=True))),
        str(path),
        file_label=_start(title, 64),
        column_labels=_column_labels(named, partial(_start, most=SPSS_LABEL)),
        variable_value_labels=_value_labels(named, partial(_start, most=SPSS_VALUE)),
        missing_ranges={
            name: [column.code(column.refusal)] for name, column in named.items() if column.refusal is not None
        },
        variable_measure={name: column.measure for name, column in named.items()},
        row_compress=True,
    )


def write_stata(path: Path, columns: list[MicrodataColumn], table: MicrodataTable, title: str) -> None:
    """Write the file with Stata's names. A refusal is the missing value .a."""
    import pandas as pd
    import pyreadstat

    named = dict(zip(names(STATA, (column.name for column in columns)), columns, strict=True))
    series = (_with_refusals(numbers, column) for numbers, column in zip(table.T, columns, strict=True))
    values: dict[str, dict[Any, str]] = {**_value_labels(named, lambda text: text[:STATA_VALUE])}
    refusing = {name: column.code(column.refusal) for name, column in named.items() if column.refusal is not None}
    for name, code in refusing.items():
        values[name] = {_REFUSED if value == code else value: text for value, text in values[name].items()}
    pyreadstat.write_dta(
        pd.DataFrame(dict(zip(named, series, strict=True))),
        str(path),
        file_label=title[:STATA_LABEL],
        column_labels=_column_labels(named, lambda text: text[:STATA_LABEL]),
        variable_value_labels=values,
        missing_user_values={name: [_REFUSED] for name in refusing},
        version=STATA_VERSION,
    )


def _coded(numbers: MicrodataTable, column: MicrodataColumn) -> Any:
    """Return the numbers as codes: integers, or floats if some are missing."""
    coded = numbers.copy()
    for number, code in column.codes.items():
        coded[numbers == number] = code
    missing = numbers == MISSING
    return np.where(missing, np.nan, coded) if missing.any() else coded.astype(_type(column))


def _with_refusals(numbers: MicrodataTable, column: MicrodataColumn) -> Any:
    import pandas as pd

    coded = _coded(numbers, column)
    if column.refusal is None:
        return coded
    cells = coded.astype(object)
    cells[numbers == column.refusal] = _REFUSED
    # pyreadstat infers a type from the first hundred objects, and takes a column for text if all of these are missing
    # or refused. For a categorical it reads the categories instead.
    values = np.unique(coded[numbers != MISSING]).tolist()
    return pd.Categorical(cells, categories=pd.Index([_REFUSED, *values], dtype=object))


def _column_labels(named: Mapping[str, MicrodataColumn], cut: Cut) -> dict[str, str | None]:
    return dict(zip(named, distinct([column.label for column in named.values()], cut), strict=True))


def _value_labels(named: Mapping[str, MicrodataColumn], cut: Cut) -> dict[str, dict[int | float, str]]:
    return {
        name: dict(zip(map(column.code, column.values), distinct(list(column.values.values()), cut), strict=True))
        for name, column in named.items()
        if column.values
    }


def distinct(texts: list[str], cut: Cut) -> list[str]:
    """Return the texts, cut to fit. Texts that are then equal begin with their place, from 1."""
    alike = Counter(map(cut, texts))
    return [cut(text if alike[cut(text)] == 1 else f"({i}) {text}") for i, text in enumerate(texts, 1)]


def _start(text: str, most: int) -> str:
    """Return the longest start of the text that fits into `most` bytes of UTF-8."""
    return text.encode()[:most].decode(errors="ignore")
