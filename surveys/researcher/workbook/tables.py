"""All tables of a release as one workbook, in the active language and its direction."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ldp import tidy
from ldp.document import Document, Form
from ldp.tidy import Row
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.comparisons import pairs
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.derived import WaveNames
from surveys.researcher.analyses.registry import ANALYSES, COUNTED
from surveys.researcher.downloads import estimate_columns, exports, forgeries, readings, shares, trends
from surveys.researcher.results import citation, efficiency, response_cache
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.book import Table, workbook
from surveys.researcher.sheets.column import Column

_MEANS = (
    common.QUESTION,
    common.TEXT,
    common.UNIT,
    common.N_ABOUT,
    Column("mean", "number", gettext_lazy("Mean"), "Unbiased, in its unit."),
    common.STANDARD_ERROR,
    common.INTERVAL_LOW,
    common.INTERVAL_HIGH,
    Column("projected_mean", "number", gettext_lazy("Projected mean"), "The nearest mean that can be; biased."),
    common.CONFIDENCE,
    common.TARGET,
    common.METHOD,
    common.EVERY_RELEASE,
)
BY_QUESTION = frozenset({"shares.csv", "readings.csv", "pairs.csv", "trend.csv", "forged.csv"})
FORMS = (
    estimate_columns.FORM,
    Column("questions", "text", gettext_lazy("Keys of its questions"), "With spaces between them."),
    estimate_columns.JOINT,
    Column("weight", "whole number", gettext_lazy("Weight"), "Of all forms' weights together."),
    Column("alpha_total", "text", gettext_lazy("Alpha of a whole report"), "The privacy parameter of such a report."),
    Column("reports", "whole number", gettext_lazy("Its reports"), "Reports of this form."),
    Column("expected", "number", gettext_lazy("Reports by its weight"), "Empty while it is open."),
    Column("missing", "number", gettext_lazy("Part that may be missing"), "Of those who drew it, at most."),
    Column("direction", "whole number", gettext_lazy("More (1) or fewer (-1) than chance allows"), "0 for neither."),
)


def ready(release: Release) -> tuple[tuple[int, ...], ...]:
    """Return the ids of the analyses that are ready. A workbook depends on these, its release, its waves and the
    language."""
    return tuple(tuple(_ready(analysis, release).values_list("pk", flat=True)) for analysis in COUNTED.values())


def workbook_bytes(release: Release, waves: WaveNames, step: Callable[[], None] = lambda: None) -> bytes:
    """Return the workbook. `waves` are the waves up to the release that the reader may see. `step` is called at most
    `steps` times."""
    tables = [table._replace(rows=_stepping(table, step)) for table in _tables(release, waves)]
    return workbook(_about(release, tables), tables)


def steps(release: Release) -> int:
    """Return the number of steps: one for each question in each table that is computed by question."""
    return max(1, len(BY_QUESTION) * len(release.survey.questions))


def _stepping(table: Table, step: Callable[[], None]) -> Iterator[Row]:
    known: set[object] = set()
    for row in table.rows:
        if table.file in BY_QUESTION and row["question"] not in known:
            known.add(row["question"])
            step()
        yield row


def _tables(release: Release, waves: WaveNames) -> Iterator[Table]:
    document, language = response_cache.document(release), get_language() or "en"
    yield Table(_("Shares"), "shares.csv", shares.COLUMNS, shares.rows(release))
    yield Table(_("Means"), "estimates.csv", _MEANS, _means(release))
    yield Table(_("More statistics"), "readings.csv", readings.COLUMNS, readings.rows(release, language))
    yield Table(_("Comparisons"), "pairs.csv", pairs.COLUMNS, pairs.rows(release, language))
    yield Table(_("Trend"), "trend.csv", trends.COLUMNS, trends.rows(release))
    yield Table(_("Forged reports"), "forged.csv", forgeries.COLUMNS, forgeries.rows(release))
    yield from _formed(document)
    yield from _of_analyses(release, waves)
    columns = tuple(column for column in estimate_columns.of_document(document) if column.name not in tidy.SURVEY)
    yield Table(_("Estimates"), "estimates.csv", columns, tidy.rows(document))
    yield Table(_("Covariances"), "covariances.csv", exports.COVARIANCES, exports.covariance_rows(release))


def _formed(document: Document) -> Iterator[Table]:
    """Yield each form's reports against its weight; nothing for a survey without forms."""
    if "forms" in document:
        yield Table(_("Forms"), "estimates.json", FORMS, [_form(k, form) for k, form in enumerate(document["forms"])])


def _form(k: int, form: Form) -> Row:
    """Return a form's row. While a survey is open, the forms' numbers are not compared."""
    compared = form["retention"]
    return {
        "form": k,
        "questions": " ".join(form["questions"]),
        "joint": form["joint"],
        "weight": form["weight"],
        "alpha_total": form["alpha_total"],
        "reports": form["n"],
        "expected": compared["expected"] if compared else None,
        "missing": compared["missing"] if compared else None,
        "direction": compared["direction"] if compared else None,
    }


def _means(release: Release) -> Iterator[Row]:
    for row, value in shares.usual(release):
        if row["quantity"] == "mean":
            yield row | {"mean": row["estimate"], "projected_mean": value}


def _of_analyses(release: Release, waves: WaveNames) -> Iterator[Table]:
    """Yield the sheets of analyses. A rare analysis has a sheet only if it has results. Values that are the same in all
    rows are only on the first sheet."""
    for analysis in ANALYSES.values():
        rows = _rows(analysis, release) if analysis.counted else analysis.sheet_rows(release, waves)
        if rows is not None:
            columns = tuple(column for column in analysis.columns if column not in common.HEADER)
            yield Table(str(analysis.sheet), f"{analysis.name}.csv", columns, rows)


def _rows(analysis: Counted[Any], release: Release) -> Iterator[Row] | None:
    ready = _ready(analysis, release)
    if analysis is not CROSSINGS and not ready.exists():
        return None
    documents = ready.values_list("document", flat=True).iterator(chunk_size=1)
    return (row for document in documents for row in analysis.rows(document))


def _ready(analysis: Counted[Any], release: Release) -> QuerySet[AnalysisRun]:
    return requests.ready(requests.runs(analysis, release))


def _about(release: Release, tables: list[Table]) -> Iterator[list[Any]]:
    survey, document = release.survey, response_cache.document(release)
    yield [_("Survey"), document["title"]]
    yield [_("Release"), release.number]
    yield [_("Date"), date_format(release.day)]
    yield [_("Reports"), release.n]
    yield [_("Alpha of a whole report"), document["alpha_total"]]
    if fact := efficiency.of_survey(document):
        yield [fact.term, f"{fact.value}. {fact.meaning}"]
    yield [_("Cite it"), citation.text(survey, release)]
    yield [_("Digest of the totals"), release.digest]
    yield [_("Digest of the definition"), survey.digest]
    yield []
    yield [_("Sheet"), _("The same as a file")]
    for table in tables:
        yield [table.title, table.file]
