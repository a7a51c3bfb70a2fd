"""Analyses of a release's downloaded reports in a notebook.

    reports = ldp.read("microdata.csv", "codebook.json")
    reports.estimates()
    reports.cross("smokes", "drinks")

No other module of ldp opens files.
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
from ldp.arrays import Indices, Integers
from ldp.crossing import CrossingDocument
from ldp.document import Document, Header, Retention
from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms import results as in_forms
from ldp.forms.crossed import Crossed, cells
from ldp.forms.results import FormTally, counted
from ldp.forms.schema import Definition, Draw, Form
from ldp.honesty.attention import Corrected
from ldp.honesty.document import CorrectedShare
from ldp.honesty.document import rows_of as corrected_rows
from ldp.inference import matrices
from ldp.inference.crossed import joint_counts
from ldp.inference.reached_cells import ReachedCells, ReachedStatistic
from ldp.inference.variables import Variable, common_forms, of_all, pair_of, variable
from ldp.mechanisms import of
from ldp.microdata import MISSING, MicrodataTable, as_sent
from ldp.planning import survey_efficiency
from ldp.question import CHANNEL, Drawn, Question
from ldp.regression import document as regression
from ldp.regression import pair_sources, specification
from ldp.regression.document import RegressionDocument
from ldp.regression.factors import factors
from ldp.regression.pair_sources import SplitReports
from ldp.regression.reached_pairs import check_everyone_reached, is_routed, reached_pair
from ldp.regression.sample import Sample, Tabulation, joint_sample
from ldp.results import Counted
from ldp.scores import Totals
from ldp.weighting import mean
from ldp.weighting.document import MeanOfWeighted, WeightedShare, mean_of, rows_of
from ldp.weighting.margin import weighted
from ldp.weighting.raking import raked

Codebook = dict[str, Any]

AT_ONCE = 1 << 16  # reports
# Fields of a codebook's question that a definition's question lacks, and fields that follow from the draws.
_NOT_ASKED = ("microdata", "estimation", *CHANNEL, "form", "joint", "together", "asked")


@dataclass(frozen=True)
class Reports:
    """A release's reports: the downloaded codebook, and whole numbers by column name, MISSING for an empty value."""

    codebook: Codebook
    columns: dict[str, npt.NDArray[np.int16]]

    @property
    def n(self) -> int:
        return len(next(iter(self.columns.values())))

    @cached_property
    def questions(self) -> list[Drawn]:
        """The definition's questions, each as if it were randomized alone."""
        return report.alone(self._definition)

    @cached_property
    def tallies(self) -> list[FormTally]:
        """The counts of each form or group; one entry for a survey without them."""
        return [self._tally(form) for form in range(len(definitions.forms(self._definition)))]

    @property
    def totals(self) -> dict[str, Totals]:
        """The score totals by question key and method, of questions with reports. Without forms they are those
        published."""
        return {key: totals for key, (_, totals, _) in self._counted.items()}

    @property
    def complete(self) -> bool:
        """Return whether these are exactly the release's reports, judged by the digest of their counts."""
        published = [self._published(form, tally) for form, tally in enumerate(self.tallies)]
        whole = published if len(published) > 1 else published[0]
        counted = json.dumps(whole, sort_keys=True, separators=(",", ":"))
        return bool(hashlib.sha256(counted.encode()).hexdigest() == self.codebook["totals_digest"])

    def document(self, confidences: Sequence[float] = ()) -> Document:
        """Return the release's document, computed anew. The default confidences are the release's."""
        others = [level for level in self.codebook["confidences"] if level != self.codebook["confidence"]]
        first, *more = confidences or (self.codebook["confidence"], *others)
        header, every_look = self._header() | {"confidence": first}, self.codebook["every_release"]
        document = results.document(header, self._counted.values(), more, every_look)
        document["efficiency"] = survey_efficiency.document(self._definition, self._counted.values(), header["n"])
        if "forms" in self.codebook:
            forms = self.codebook["forms"]
            in_forms.add_forms(
                document, self._definition, self.tallies, [form["alpha_total"] for form in forms], self._retention()
            )
        if "groups" in self.codebook:
            in_forms.add_groups(document, self._definition, self.tallies, more, every_look)
        return document

    def _retention(self) -> list[Retention | None]:
        """Return the retention, computed anew. If a form's reports were erased, their number is unknown, and the
        codebook's retention is returned."""
        published = [form["retention"] for form in self.codebook["forms"]]
        counts = [tally.n for tally in self.tallies]
        if None in published or not all(counts):
            return published
        every_look = published[0]["p_value"] is None
        return list(in_forms.stayed(self._definition, counts, 1, every_look))

    def _header(self) -> Header:
        return cast(Header, {name: self.codebook[name] for name in Header.__annotations__} | {"n": self.n})

    def estimates(self, confidences: Sequence[float] = ()) -> list[tidy.Row]:
        """Return a dictionary for each estimate, target and confidence, with the columns of estimates.csv."""
        return list(tidy.rows(self.document(confidences)))

    def covariances(self, key: str) -> list[matrices.Covariances]:
        """Return the covariance matrices of a question's estimates (M13)."""
        return list(matrices.of_question(*self._counted[key]))

    def cross(self, first: str, second: str, confidence: float = 0.95) -> list[tidy.Row]:
        """Return the joint shares of two questions, items or options (such as `key.2`), a dictionary for each pair of
        options (ldp/inference/crossed.py, ldp/forms/joint_crossing.py, ldp/forms/pooled_cells.py), among the people
        asked both (ldp/inference/reached_cells.py). ValueError if the two cannot be crossed."""
        return cells(self._cross_table(first, second)[0], confidence)

    def crossing(self, first: str, second: str) -> CrossingDocument:
        """Return the document of a cross-table, as the site publishes it (ldp/crossing.py)."""
        return crossing.document(self._header(), *self._cross_table(first, second))

    def weighted(
        self,
        key: str,
        by: str | Sequence[str],
        shares: Sequence[float] | Sequence[Sequence[float]],
        confidence: float = 0.95,
    ) -> list[WeightedShare]:
        """Return a question's weighted shares, a dictionary for each option, with the unweighted share among the people
        who were asked all questions. Weights give the answers to `by` these population shares: one question (M41,
        ldp/weighting/margin.py), or several questions with a list each (raking.py). ValueError if the questions cannot
        be crossed, or an answer has too few reports; the message has the number that would be enough."""
        if isinstance(by, str):
            pair = self._crossed(by, key)
            return rows_of(pair.second, weighted(pair, cast(Sequence[float], shares)), [confidence])
        own = of_all([variable(self.questions, each) for each in (*by, key)])
        several = raked(self.sample(*by, key), own, cast(Sequence[Sequence[float]], shares))
        return rows_of(own[-1], several, [confidence])

    def weighted_mean(
        self,
        key: str,
        by: str | Sequence[str],
        shares: Sequence[float] | Sequence[Sequence[float]],
        confidence: float = 0.95,
    ) -> MeanOfWeighted | None:
        """Return the weighted and unweighted mean of a scale, of numbers in bins or of a mean by one bit
        (ldp/weighting/mean.py); None if too few people gave an answer. ValueError as for `weighted`, and if answers are
        not numbers."""
        question = variable(self.questions, key, means=True)
        if mean.numbers(question) is None:
            raise ValueError("answers to this question are no numbers: it has no mean")
        if isinstance(by, str):
            pair = self._crossed(by, key, means=True)
            return mean_of(question, weighted(pair, cast(Sequence[float], shares)), [confidence])
        own = of_all([*(variable(self.questions, each) for each in by), question])
        several = raked(self.sample(*by, key), own, cast(Sequence[Sequence[float]], shares))
        return mean_of(question, several, [confidence])

    def corrected(self, key: str, by: str, confidence: float = 0.95) -> list[CorrectedShare]:
        """Return a question's shares, corrected by an attention question, with the uncorrected shares: a dictionary for
        each option (M42, ldp/honesty/attention.py). ValueError if `by` cannot correct `key`, or too few reports show
        attention; the message has the number that would be enough."""
        pair = self._crossed(by, key)
        return corrected_rows(pair.second, Corrected(pair), [confidence])

    def sample(self, *keys: str) -> Sample:
        """Return the reports as weights of the combinations of these variables' answers, for models (ldp/regression)
        and your likelihoods (ldp/likelihood.py). ValueError if no report is about all variables, or not everyone was
        asked all."""
        own = of_all([variable(self.questions, key, means=True) for key in keys])
        check_everyone_reached(*own)
        counted = joint_sample(self._definition, self.tallies, own)
        if counted is not None:
            return counted
        named, tabulation = [each.question["key"] for each in own], Tabulation(factors(own))
        forms = common_forms(own) or definitions.questionnaire(self._definition).reports_about(*named)
        for tables in (self._sent(form, piece) for form in sorted(forms) for piece in self._pieces(form)):
            tabulation.add([tables[each.question["key"]] for each in own])
        return tabulation.sample()

    def regression(self, model: Mapping[str, Any]) -> RegressionDocument:
        """Return a regression's document, as the site publishes it (M40, ldp/regression/document.py); for example

            {"model": "logistic", "outcome": "smokes", "covariates": [{"key": "drinks", "reference": 1}]}

        ValueError if the model breaks a rule, or no report is about all its questions.
        """
        chosen = specification.from_json(dict(model))
        own = [variable(self.questions, key, means=True) for key in chosen.keys]
        if pair_sources.is_by_pairs(self._definition, chosen):
            forms = pair_sources.forms_about(self._definition, chosen.keys)
            pair_sources.check(self._definition, chosen.keys, [each for each in forms if self.tallies[each.form].n])
            sources = pair_sources.sources(self._definition, self.tallies, forms, self._add_reports)
            return regression.document_of_pairs(self._header(), chosen, own, sources)
        own = of_all(own)
        specification.check(chosen, own)
        return regression.document(self._header(), chosen, own, self.sample(*chosen.keys))

    def _add_reports(self, forms: Mapping[int, SplitReports]) -> None:
        for form, reports in forms.items():
            for piece in self._pieces(form):
                reports.add(self._sent(form, piece))

    def _cross_table(self, first: str, second: str) -> tuple[Crossed | ReachedCells, ReachedStatistic | None]:
        """Return the cross-table, and its sufficient statistic if not everyone was asked both."""
        pair = pair_of(self.questions, first, second)
        if not is_routed(*pair):
            return self._crossed(first, second), None
        reached = reached_pair(self.questions, *pair)
        keys = [each.question["key"] for each in reached.variables]
        about = common_forms(reached.variables) or definitions.questionnaire(self._definition).reports_about(*keys)
        for form in sorted(about):
            for piece in self._pieces(form):
                reached.add(self._sent(form, piece))
        table = reached.cells()
        if table is None or table.too_few:
            raise ValueError("too few reports are from people who were asked both of these")
        return table, reached.statistic()

    def _crossed(self, first: str, second: str, means: bool = False) -> Crossed:
        one, other = pair_of(self.questions, first, second, means)
        check_everyone_reached(one, other)
        crossing = in_forms.crossing(self._definition, self.tallies, one, other, self._read)
        if crossing is None:
            raise ValueError("no report is about both of these: they cannot be crossed")
        return crossing

    def _read(self, one: Variable, other: Variable) -> Integers:
        keys, forms = (one.question["key"], other.question["key"]), common_forms((one, other))
        about = sorted(forms or definitions.questionnaire(self._definition).reports_about(*keys))
        sent = (self._sent(form, piece) for form in about for piece in self._pieces(form))
        return joint_counts(one, other, ((tables[keys[0]], tables[keys[1]]) for tables in sent))

    # Counts --------------------------------------------------------------------------------------------------------

    @cached_property
    def _definition(self) -> Definition:
        """The part of the definition that determines reports."""
        content = [
            cast(Question, {name: value for name, value in question.items() if name not in _NOT_ASKED})
            for question in self.codebook["questions"]
        ]
        definition: Definition = {"questions": content, "draws": _draws(self.codebook)}
        if "forms" in self.codebook:
            forms: list[Form] = [{"weight": form["weight"], "draws": _draws(form)} for form in self.codebook["forms"]]
            definition["forms"] = forms
        if "groups" in self.codebook:
            definition["invitations"] = {"groups": self.codebook["groups"]}
        return definition

    @cached_property
    def _counted(self) -> dict[str, Counted]:
        every = counted(self._definition, self.tallies)
        return {question["key"]: (question, totals, n) for question, totals, n in every}

    def _tally(self, form: int) -> FormTally:
        parts, tally = report.parts(self._definition, form), FormTally(0, ())
        for piece in self._pieces(form):
            self._check_empty(form, {question["key"]: self._table(question, piece) for question in self.questions})
            tables = self._sent(form, piece)
            tally += FormTally(len(piece), tuple(part.tally(part.field(tables)) for part in parts))
        return tally

    def _check_empty(self, form: int, tables: dict[str, MicrodataTable]) -> None:
        keys = {question["key"] for question in definitions.questions_of(self._definition, form)}
        if any((table != MISSING).any() for key, table in tables.items() if key not in keys):
            raise ValueError("a report holds no whole number where its form does not have the question")

    def _published(self, form: int, tally: FormTally) -> dict[str, Any]:
        """Return a form's counts as they enter the release's digest."""
        names = [",".join(part.keys) for part in report.parts(self._definition, form)]
        return {"n": tally.n, "totals": dict(zip(names, tally.totals, strict=True)) if tally.n else {}}

    def _pieces(self, form: int) -> Iterator[Indices]:
        """Yield the row numbers of a form or group, at most AT_ONCE at a time."""
        rows = np.arange(self.n) if self._forms is None else np.flatnonzero(self._forms == form)
        return (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))

    @property
    def _forms(self) -> npt.NDArray[np.int16] | None:
        name, _ = _split(self.codebook)
        return self.columns[name] if name else None

    def _sent(self, form: int, rows: Indices) -> dict[str, MicrodataTable]:
        """Return the packed layout of each question's columns in a form, by key, for these rows."""
        published = {question["key"]: question for question in self.questions}
        tables: dict[str, MicrodataTable] = {}
        for part in report.parts(self._definition, form):
            for key, own in zip(part.keys, part.packings, strict=True):
                question = published[key]
                tables[key] = as_sent(self._table(question, rows), own.columns, of(question).columns).astype(np.int16)
        return tables

    def _table(self, question: Question, rows: Indices) -> MicrodataTable:
        """Return the columns of a question for these rows."""
        entry = next(entry for entry in self.codebook["questions"] if entry["key"] == question["key"])
        names = [column["name"] for column in entry["microdata"]["columns"]]
        return np.stack([self.columns[name][rows] for name in names], axis=1)


def read(microdata: str | Path | Mapping[str, npt.ArrayLike], codebook: str | Path | Codebook) -> Reports:
    """Return a release's reports. `microdata` is the path of the CSV, gzipped or not, or columns by name, such as a
    pandas frame or `pyarrow.parquet.read_table(...).to_pandas()`.

    ValueError if a column is missing, or a row cannot be a report of the codebook's survey.
    """
    book = codebook if isinstance(codebook, dict) else json.loads(Path(codebook).read_text(encoding="utf-8-sig"))
    columns = _read(Path(microdata)) if isinstance(microdata, str | Path) else microdata
    name, many = _split(book)
    names = [name] if name else []
    names += [column["name"] for question in book["questions"] for column in question["microdata"]["columns"]]
    missing = [name for name in names if name not in columns]
    if missing:
        raise ValueError(f"the microdata have no column {missing[0]}: are they of this codebook?")
    reports = Reports(book, {name: _integers(columns[name]) for name in names})
    if not reports.n:
        raise ValueError("the microdata hold no report")
    if name and not np.isin(reports.columns[name], range(many)).all():
        raise ValueError("the microdata hold a report of a form or group that the codebook does not have")
    return reports


def _draws(stated: Codebook) -> list[Draw]:
    """Return the draws as a definition has them, without the codebook's `randomized` descriptions."""
    return [cast(Draw, {name: own for name, own in draw.items() if name != "randomized"}) for draw in stated["draws"]]


def _split(book: Codebook) -> tuple[str, int]:
    """Return the name of the column with a report's form or group, and their number; ("", 1) if there are none."""
    if "forms" in book:
        return book["form_column"], len(book["forms"])
    return (book["group_column"], len(book["groups"])) if "groups" in book else ("", 1)


def _integers(column: npt.ArrayLike) -> npt.NDArray[np.int16]:
    """Return whole numbers. An empty value becomes MISSING."""
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
