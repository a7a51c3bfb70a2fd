"""The reports of a release as files. Rows in random order come bucket by bucket, and only one bucket is in memory."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from django.db import DatabaseError

from ldp.mechanisms import of
from ldp.microdata import MISSING, MicrodataTable, published
from surveys.models import Export, Survey
from surveys.operation import optional
from surveys.researcher.downloads import labels, microdata_columns
from surveys.researcher.downloads.microdata_columns import MicrodataColumn
from surveys.survey.definition.layout import layouts
from worker.blocks import Rows
from worker.files import created

logger = logging.getLogger(__name__)
STATISTICAL = {"microdata.sav": labels.write_spss, "microdata.dta": labels.write_stata}

Done = Callable[[int], None]
Write = Callable[[MicrodataTable], None]


class MicrodataTables:
    """Packed reports of a survey as tables of its columns."""

    def __init__(self, survey: Survey, codebook: dict[str, Any]) -> None:
        self.columns, self.codebook = microdata_columns.of_definition(survey.definition), codebook
        self._published = {question["key"]: of(question).columns for question in survey.questions}
        self._forms = [layout.fields for layout in layouts(survey.definition)]
        self._says_form = len(self._forms) > 1

    def of(self, form: int, rows: Rows) -> MicrodataTable:
        """Return the columns of a form's reports, (n, columns): the form or group if there are several, then all
        questions in order. A question that the form does not ask has MISSING."""
        tables: dict[str, MicrodataTable] = {}
        for field in self._forms[form]:
            own = dict(zip(field.part.keys, field.part.packings, strict=True))
            for key, table in field.part.tables(rows, field.start).items():
                tables[key] = published(table, own[key].columns, self._published[key])
        first = [np.full((len(rows), 1), form, dtype=np.int16)] if self._says_form else []
        each = [
            tables.get(key, np.full((len(rows), columns.size), MISSING, dtype=np.int16))
            for key, columns in self._published.items()
        ]
        return np.hstack([*first, *each])


def write(
    export: Export, tables: MicrodataTables, buckets: Iterable[tuple[int, Rows]], done: Done
) -> MicrodataTable | None:
    """Write microdata.csv and, if possible, microdata.parquet, in one order. `done` gets the number of reports after
    each write. Return one table of all reports if SPSS and Stata files need it, otherwise None."""
    held: list[MicrodataTable] | None = []
    if export.release.n * len(tables.columns) > labels.HELD_MAX or not optional.installed("microdata.sav"):
        held = None
    with ExitStack() as stack:
        writers = [stack.enter_context(_csv(export, tables))]
        if optional.installed("microdata.parquet"):
            writers.append(stack.enter_context(_attempted("microdata.parquet", _parquet(export, tables))))
        for form, rows in buckets:
            table = tables.of(form, rows)
            for append in writers:
                append(table)
            if held is not None:
                held.append(table)
            done(len(rows))
    return None if held is None else np.concatenate(held)


@contextmanager
def _attempted(name: str, writer: AbstractContextManager[Write]) -> Iterator[Write]:
    """Yield a writer that stops after a failure. Its file stays incomplete, and the other writers continue."""
    stack, steps = ExitStack(), list[Write]()

    def attempt(step: Callable[[], object]) -> None:
        try:
            step()
        except DatabaseError:
            raise
        except Exception:
            logger.exception("%s was not made", name)
            steps.clear()

    def append(table: MicrodataTable) -> None:
        for step in list(steps):
            attempt(partial(step, table))

    attempt(lambda: steps.append(stack.enter_context(writer)))
    yield append
    if steps:
        attempt(stack.close)


@contextmanager
def _csv(export: Export, tables: MicrodataTables) -> Iterator[Write]:
    with created(export, "microdata.csv", packed=True) as file:
        file.write((",".join(column.name for column in tables.columns) + "\n").encode())
        lines = csv_lines(tables.columns)

        def append(table: MicrodataTable) -> None:
            file.write(lines(table))

        yield append


def csv_lines(columns: list[MicrodataColumn]) -> Callable[[MicrodataTable], bytes]:
    """Return a function that turns tables of these columns into lines of CSV, with missing values empty. Looking up
    each number's text in an array is fast."""
    low, high = min(column.low for column in columns), max(column.high for column in columns)
    texts = [*map(str, range(low, high + 1)), ""]
    inner, last = (np.array([text + end for text in texts], dtype=np.bytes_) for end in (",", "\n"))

    def lines(table: MicrodataTable) -> bytes:
        places = np.where(table == MISSING, len(texts) - 1, table.astype(np.intp) - low)
        cells = inner[places]
        cells[:, -1] = last[places[:, -1]]
        return cells.tobytes().replace(b"\0", b"")  # numpy fills texts up to one length

    return lines


@contextmanager
def _parquet(export: Export, tables: MicrodataTables) -> Iterator[Write]:
    import pyarrow as pa
    from pyarrow import parquet

    schema = labels.schema(tables.columns, tables.codebook)
    with (
        created(export, "microdata.parquet") as file,
        parquet.ParquetWriter(pa.PythonFile(file, mode="w"), schema, compression="zstd") as groups,
    ):
        yield lambda table: groups.write_batch(labels.batch(schema, tables.columns, table))


def write_statistical(export: Export, tables: MicrodataTables, table: MicrodataTable, directory: Path) -> None:
    """Write microdata.sav and microdata.dta of all reports. A format that fails leaves no file and does not affect the
    others."""
    with TemporaryDirectory(dir=directory) as folder:
        for name, writer in STATISTICAL.items():
            path = Path(folder) / name
            try:
                writer(path, tables.columns, table, export.release.survey.title)
            except Exception:
                logger.exception("%s was not made", name)
                continue
            with created(export, name) as file, path.open("rb") as made:
                while piece := made.read(1 << 20):
                    file.write(piece)
