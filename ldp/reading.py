"""A release's downloaded reports in a notebook: what was read, and what can be asked of it.

    reports = ldp.read("microdata.csv", "codebook.json")
    reports.estimates()
    reports.cross("smokes", "drinks")

The only part of ldp that opens files.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ldp import crossing, results, tidy
from ldp.crossing import CrossingDocument
from ldp.document import Document, Header
from ldp.inference import crossed, matrices
from ldp.inference.variables import pair_of
from ldp.mechanisms import of
from ldp.microdata import MISSING, Table, field
from ldp.question import Question
from ldp.scores import Totals

Codebook = dict[str, Any]

AT_ONCE = 1 << 16  # reports
# What a codebook adds to the fields of a definition's question.
_ADDED = ("microdata", "estimation")


@dataclass(frozen=True)
class Reports:
    """`codebook` as downloaded, and a column of whole numbers for each of its columns, MISSING where empty."""

    codebook: Codebook
    columns: dict[str, npt.NDArray[np.int16]]

    @property
    def n(self) -> int:
        return len(next(iter(self.columns.values())))

    @cached_property
    def questions(self) -> list[Question]:
        """The questions of the definition."""
        return [
            cast(Question, {name: value for name, value in question.items() if name not in _ADDED})
            for question in self.codebook["questions"]
        ]

    @cached_property
    def totals(self) -> dict[str, Totals]:
        """The score totals of all questions, by key and method, as the release published them."""
        return {question["key"]: self._totals(question) for question in self.questions}

    @property
    def complete(self) -> bool:
        """Whether these are all the reports of the release, and no others: n and totals have its digest."""
        counted = json.dumps({"n": self.n, "totals": self.totals}, sort_keys=True, separators=(",", ":"))
        return bool(hashlib.sha256(counted.encode()).hexdigest() == self.codebook["totals_digest"])

    def document(self, confidences: Sequence[float] = ()) -> Document:
        """The release's document, computed anew; by default with the confidences that it has."""
        first, *more = confidences or (self.codebook["confidence"], *self._other_confidences())
        header, every_look = self._header() | {"confidence": first}, self.codebook["every_release"]
        counted = ((question, self.totals[question["key"]], self.n) for question in self.questions)
        return results.document(header, counted, more, every_look)

    def _header(self) -> Header:
        return cast(Header, {name: self.codebook[name] for name in Header.__annotations__} | {"n": self.n})

    def estimates(self, confidences: Sequence[float] = ()) -> list[dict[str, Any]]:
        """One dictionary for each estimate, target and confidence, with the columns of estimates.csv."""
        return list(tidy.rows(self.document(confidences)))

    def covariances(self, key: str) -> list[matrices.Covariances]:
        """Covariances of a question's estimates (M13)."""
        return list(matrices.of_question(self._question(key), self.totals[key], self.n))

    def cross(self, first: str, second: str, confidence: float = 0.95) -> list[dict[str, Any]]:
        """The joint shares of two questions, or of items and options of them such as `key.2`: one dictionary for each
        pair of options (ldp/inference/crossed.py). ValueError where no crossing of them holds what it promises."""
        return crossed.cells(self._crossed(first, second), confidence)

    def crossing(self, first: str, second: str) -> CrossingDocument:
        """All that is said of a crossing, as the site publishes it (ldp/crossing.py)."""
        return crossing.document(self._header(), self._crossed(first, second))

    def _crossed(self, first: str, second: str) -> crossed.Crossing:
        one, other = pair_of(self.questions, first, second)
        tables = ((self._table(one.question, part), self._table(other.question, part)) for part in self._parts())
        return crossed.of_reports(one, other, tables)

    def _other_confidences(self) -> list[float]:
        return [level for level in self.codebook["confidences"] if level != self.codebook["confidence"]]

    def _question(self, key: str) -> Question:
        for question in self.questions:
            if question["key"] == key:
                return question
        raise KeyError(key)

    def _totals(self, question: Question) -> Totals:
        randomizer, totals = of(question), Totals()
        for part in self._parts():
            its = randomizer.tally(field(self._table(question, part), randomizer.packing().columns))
            for method, scores in its.items():
                totals[method] = [a + b for a, b in zip(totals.get(method, [0] * len(scores)), scores, strict=True)]
        return totals

    def _parts(self) -> Iterator[slice]:
        return (slice(start, start + AT_ONCE) for start in range(0, self.n, AT_ONCE))

    def _table(self, question: Question, part: slice) -> Table:
        """Some reports' columns of a question."""
        names = [column["name"] for column in self._microdata_entry(question["key"])["columns"]]
        return np.stack([self.columns[name][part] for name in names], axis=1)

    def _microdata_entry(self, key: str) -> dict[str, Any]:
        found = next(question for question in self.codebook["questions"] if question["key"] == key)
        return dict(found["microdata"])


def read(microdata: str | Path | Mapping[str, npt.ArrayLike], codebook: str | Path | Codebook) -> Reports:
    """Microdata and codebook of one release. Microdata are the path of the CSV, compressed by gzip or not, or columns
    by their names, such as a pandas frame or `pyarrow.parquet.read_table(...).to_pandas()`.

    ValueError where a column is missing, or holds something that no report of the codebook does.
    """
    book = codebook if isinstance(codebook, dict) else json.loads(Path(codebook).read_text(encoding="utf-8-sig"))
    columns = _read(Path(microdata)) if isinstance(microdata, str | Path) else microdata
    names = [column["name"] for question in book["questions"] for column in question["microdata"]["columns"]]
    missing = [name for name in names if name not in columns]
    if missing:
        raise ValueError(f"the microdata have no column {missing[0]}: are they of this codebook?")
    reports = Reports(book, {name: _whole(columns[name]) for name in names})
    if not reports.n:
        raise ValueError("the microdata hold no report")
    return reports


def _whole(column: npt.ArrayLike) -> npt.NDArray[np.int16]:
    """Numbers with MISSING for what is not there."""
    numbers = np.asarray(column)
    if numbers.dtype.kind in "fO":
        numbers = numbers.astype(np.float64)
        numbers = np.where(np.isnan(numbers), MISSING, numbers)
    whole = numbers.astype(np.int16)
    if (whole != numbers).any():
        raise ValueError("the microdata hold something that is no whole number of a report")
    return whole


def _read(path: Path) -> dict[str, npt.NDArray[np.int16]]:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        names = file.readline().decode("utf-8-sig").strip().split(",")
        parts = [_numbers(lines) for lines in iter(lambda: b"".join(islice(file, AT_ONCE)), b"")]
    numbers = np.concatenate(parts) if parts else np.empty((0, len(names)), dtype=np.int16)
    return dict(zip(names, numbers.T, strict=True))


def _numbers(lines: bytes) -> npt.NDArray[np.int16]:
    filled = re.sub(rb"(?<=,)(?=[,\r\n])|^(?=,)", b"%d" % MISSING, lines, flags=re.MULTILINE)
    return np.loadtxt(filled.decode().splitlines(), dtype=np.int16, delimiter=",", ndmin=2)
