"""The reports of a release as files: rows in random order come in bucket by bucket, and no more are in memory."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from ldp.mechanisms import of
from ldp.microdata import MISSING, Table, unpacked
from surveys.definition.layout import Layout
from surveys.models import Export, Survey
from surveys.research import columns, labelled
from worker.blocks import Rows
from worker.files import created

# SPSS and Stata files cannot be written piece by piece: only so many numbers are ever held for them.
HELD_MAX = 4_000_000

Done = Callable[[int], None]


class Tables:
    """Packed reports of a survey as tables of its columns."""

    def __init__(self, survey: Survey, codebook: dict[str, Any]) -> None:
        self.columns = columns.of_definition(survey.questions)
        self.schema = labelled.schema(self.columns, codebook)
        layout = Layout(survey.definition)
        self._fields = [
            (field.start, of(question).packing().columns)
            for question, field in zip(survey.questions, layout.fields, strict=True)
        ]

    def of(self, rows: Rows) -> pa.RecordBatch:
        arrays = [_array(numbers, field.type) for numbers, field in zip(self._numbers(rows), self.schema, strict=True)]
        return pa.record_batch(arrays, schema=self.schema)

    def _numbers(self, rows: Rows) -> Iterator[Table]:
        for start, cells in self._fields:
            yield from unpacked(rows, start, cells).T


def _array(numbers: Table, kind: pa.DataType) -> pa.Array:
    missing = numbers == MISSING
    values = np.where(missing, 0, numbers).astype(kind.to_pandas_dtype())
    return pa.array(values, kind, mask=missing if missing.any() else None)


def write(export: Export, tables: Tables, buckets: Iterable[Rows], done: Done) -> Any:
    """microdata.csv and microdata.parquet, in one order; `done` hears how many reports were written.

    A pandas frame of them all where there are no more than HELD_MAX numbers, else None.
    """
    held: list[pa.RecordBatch] | None = []
    if export.release.n * len(tables.columns) > HELD_MAX:
        held = None
    with ExitStack() as stack:
        plain = stack.enter_context(created(export, "microdata.csv", packed=True))
        plain.write((",".join(tables.schema.names) + "\n").encode())
        options = csv.WriteOptions(include_header=False, quoting_style="none")
        lines = stack.enter_context(csv.CSVWriter(_sink(plain), tables.schema, write_options=options))
        packed = stack.enter_context(created(export, "microdata.parquet"))
        groups = stack.enter_context(parquet.ParquetWriter(_sink(packed), tables.schema, compression="zstd"))
        for rows in buckets:
            batch = tables.of(rows)
            lines.write_batch(batch)
            groups.write_batch(batch)
            if held is not None:
                held.append(batch)
            done(len(rows))
    return None if held is None else pa.Table.from_batches(held, tables.schema).to_pandas()


def _sink(file: Any) -> pa.PythonFile:
    return pa.PythonFile(file, mode="w")


def write_labelled(export: Export, tables: Tables, frame: Any, directory: Path) -> None:
    """microdata.sav and microdata.dta of all reports, as a pandas frame."""
    title = export.release.survey.title
    with TemporaryDirectory(dir=directory) as folder:
        for name, writer in (("microdata.sav", labelled.write_spss), ("microdata.dta", labelled.write_stata)):
            path = Path(folder) / name
            writer(frame, path, tables.columns, title)
            with created(export, name) as file, path.open("rb") as made:
                while piece := made.read(1 << 20):
                    file.write(piece)
