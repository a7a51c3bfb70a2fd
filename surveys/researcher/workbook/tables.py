"""All tables of a release as one workbook, in the language that is active: from right to left where it is."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ldp import crossing, tidy
from ldp import subgroups as by_stratum
from ldp.document import Document, Form
from ldp.honesty import document as honesty
from ldp.tidy import Row
from ldp.weighting import raking_document
from surveys.models import Crossing, Raking, Regression, Release, Subgroups
from surveys.models.counting import COUNTED, Counting
from surveys.researcher.analyses.crossings import files
from surveys.researcher.analyses.honesty import anchors
from surveys.researcher.analyses.regressions import files as regression_files
from surveys.researcher.analyses.waves import files as wave_files
from surveys.researcher.analyses.waves.changes import Names
from surveys.researcher.downloads import contrasts, exports, forgeries, readings, shares, trends
from surveys.researcher.downloads.column_docs import COVARIANCES
from surveys.researcher.results import citation, efficiency, response_cache
from surveys.researcher.sheets.book import Table, workbook

# What stands on the first sheet alone.
_RELEASE = frozenset({*tidy.SURVEY, *readings.HEADER})
_MEANS = (
    "question", "text", "unit", "n_about", "mean", "standard_error", "interval_low", "interval_high", "projected_mean",
    "confidence", "target", "method", "every_release",
)  # fmt: skip
BY_QUESTION = frozenset({"shares.csv", "readings.csv", "contrasts.csv", "trend.csv", "forged.csv"})
FORMS = ("form", "questions", "joint", "weight", "alpha_total", "reports", "expected", "missing", "direction")


def ready(release: Release) -> tuple[tuple[int, ...], ...]:
    """What a workbook depends on beside its release, waves and language: what was asked for and is ready."""
    return tuple(tuple(_ready(kind, release).values_list("pk", flat=True)) for kind in COUNTED)


def made(release: Release, waves: Names, step: Callable[[], None] = lambda: None) -> bytes:
    """`waves` are those up to the release that whoever asks may see. `step` is called at most `steps` times."""
    tables = [table._replace(rows=_stepping(table, step)) for table in _tables(release, waves)]
    return workbook(_about(release, tables), tables)


def steps(release: Release) -> int:
    """How many a workbook takes: each question in each table that is computed question by question."""
    return max(1, len(BY_QUESTION) * len(release.survey.questions))


def _stepping(table: Table, step: Callable[[], None]) -> Iterator[Row]:
    known: set[object] = set()
    for row in table.rows:
        if table.file in BY_QUESTION and row["question"] not in known:
            known.add(row["question"])
            step()
        yield row


def _tables(release: Release, waves: Names) -> Iterator[Table]:
    document, language = response_cache.document(release), get_language() or "en"
    yield Table(_("Shares"), "shares.csv", shares.COLUMNS, shares.rows(release))
    yield Table(_("Means"), "estimates.csv", _MEANS, _means(release))
    yield Table(_("Readings"), "readings.csv", readings.READING, readings.rows(release, language))
    yield Table(_("Contrasts"), "contrasts.csv", contrasts.CONTRAST, contrasts.rows(release, language))
    yield Table(_("Trend"), "trend.csv", trends.TREND, trends.rows(release))
    yield Table(_("Forged reports"), "forged.csv", forgeries.FORGED, forgeries.rows(release))
    if len(waves) > 1:
        yield Table(_("Waves"), "waves.csv", wave_files.COLUMNS, map(dict, wave_files.rows(waves)))
    yield from _formed(document)
    yield Table(_("Cross-tables"), "crossing.csv", _without_release(crossing.COLUMNS), _crossed(release))
    for title, file, columns, rows in _requested(release):
        yield Table(title, file, _without_release(columns), rows)
    estimates: Iterable[Row] = tidy.rows(document)
    yield Table(_("Estimates"), "estimates.csv", _without_release(tidy.columns(document)), estimates)
    yield Table(_("Covariances"), "covariances.csv", tuple(COVARIANCES), exports.covariance_rows(release))


def _formed(document: Document) -> Iterator[Table]:
    """Each form's reports against its weight; nothing of a survey without forms."""
    if "forms" in document:
        yield Table(_("Forms"), "estimates.json", FORMS, [_form(k, form) for k, form in enumerate(document["forms"])])


def _form(k: int, form: Form) -> Row:
    """While a survey is open the forms' numbers are not compared."""
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


def _without_release(columns: Iterable[str]) -> tuple[str, ...]:
    return tuple(column for column in columns if column not in _RELEASE)


def _means(release: Release) -> Iterator[Row]:
    for row, value in shares.usual(release):
        if row["quantity"] == "mean":
            yield row | {"mean": row["estimate"], "projected_mean": value}


def _requested(release: Release) -> Iterator[Table]:
    """What few surveys have: a sheet only where there is something to show."""
    kinds = (
        (Subgroups, Table(_("Subgroups"), "subgroups.csv", by_stratum.COLUMNS, ()), by_stratum.rows),
        (Regression, Table(_("Models"), "regression.csv", regression_files.COLUMNS, ()), regression_files.rows),
        (Raking, Table(_("Weighted shares"), "raking.csv", raking_document.COLUMNS, ()), raking_document.rows),
    )
    for kind, table, rows in kinds:
        if _ready(kind, release).exists():
            yield table._replace(rows=_rows(kind, release, rows))
    if corrected := list(anchors.corrected(release)):
        each = (row for made in corrected for row in honesty.rows(made))
        yield Table(_("Corrected shares"), "corrected.csv", honesty.COLUMNS, each)


def _ready(kind: type[Counting], release: Release) -> QuerySet[Any]:
    return kind._default_manager.filter(release=release, document__isnull=False).order_by("pk")


def _rows(kind: type[Counting], release: Release, rows: Callable[[Any], Iterable[Row]]) -> Iterator[Row]:
    for document in _ready(kind, release).values_list("document", flat=True).iterator(chunk_size=1):
        yield from rows(document)


def _crossed(release: Release) -> Iterator[Row]:
    return _rows(Crossing, release, lambda document: crossing.rows(files.with_reasons(document)))


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
    yield [_("Sheet"), _("The same for programs")]
    for table in tables:
        yield [table.title, table.file]
