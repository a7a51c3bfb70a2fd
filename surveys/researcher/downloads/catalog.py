"""The files of a release with their purposes. A file's URL ends with its name."""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.document import Document
from surveys.models import Release
from surveys.operation import optional
from surveys.researcher.downloads import bundle, column_docs, exports, row_files, shares
from surveys.researcher.results import response_cache
from surveys.researcher.sheets.tables import json_text

SHARES = "shares.csv"
JSON, CSV, BYTES = "application/json", "text/csv; charset=utf-8", "application/octet-stream"
PARQUET, ZIP = "application/vnd.apache.parquet", "application/zip"
PYTHON, R = "text/x-python; charset=utf-8", "text/x-r; charset=utf-8"


@dataclass(frozen=True)
class Offer:
    """A file for download. `make` makes it on request; `lines` yields it line by line. If both are None, a worker makes
    it."""

    name: str
    content_type: str
    purpose: Promise
    make: Callable[[Release], response_cache.Content] | None = None
    lines: Callable[[Release], Iterator[str]] | None = None


def _of_document(make: Callable[[Document], str | bytes]) -> Callable[[Release], response_cache.Content]:
    return lambda release: response_cache.generated(release, make)


def _script(name: str, purpose: Promise) -> Offer:
    content = functools.cache(lambda: response_cache.content(bundle.script(name).encode()))
    return Offer(name, PYTHON if name.endswith(".py") else R, purpose, lambda release: content())


@functools.lru_cache(maxsize=16)
def _shares(pk: int) -> response_cache.Content:
    return response_cache.content(shares.csv_file(Release.objects.select_related("survey").get(pk=pk)))


@functools.lru_cache(maxsize=16)
def codebook(pk: int) -> response_cache.Content:
    return response_cache.content(bundle.codebook_text(Release.objects.select_related("survey").get(pk=pk)).encode())


def _by_name(*offers: Offer) -> dict[str, Offer]:
    return {offer.name: offer for offer in offers}


_SAME = _("The same as JSON.")
ESTIMATES = _by_name(
    Offer(
        "estimates.csv",
        CSV,
        _("For spreadsheets and any program: one row for each estimate, target and confidence."),
        _of_document(exports.csv_file),
    ),
    Offer(
        SHARES,
        CSV,
        _("Start here: one row per answer."),
        lambda release: _shares(release.pk),
    ),
    Offer("estimates.json", JSON, _("The published document itself, as the API gives it."), _of_document(json_text)),
    Offer("estimates.parquet", PARQUET, _("The rows of the CSV with their types."), _of_document(exports.parquet)),
    Offer("estimates.sav", BYTES, _("The same for SPSS, with labels."), _of_document(exports.spss)),
    Offer("estimates.dta", BYTES, _("The same for Stata 14 and later, with labels."), _of_document(exports.stata)),
)
COLUMNS = Offer("columns.csv", CSV, _("What each column of these files holds."), _of_document(column_docs.columns_file))
CODEBOOK = Offer(
    "codebook.json",
    JSON,
    _("Questions, tables, formulas and the meaning of each column."),
    lambda release: codebook(release.pk),
)
COVARIANCES = _by_name(
    Offer(
        "covariances.csv",
        CSV,
        _("How the estimates of a question vary together: one row for each pair of options."),
        lines=exports.covariances_csv,
    ),
    Offer("covariances.json", JSON, _("The same as whole matrices."), lines=exports.covariances_json),
)
ROWS = _by_name(
    *(
        offer
        for table in row_files.TABLES.values()
        for offer in (
            Offer(f"{table.name}.csv", CSV, table.purpose, lines=table.csv),
            Offer(f"{table.name}.json", JSON, _SAME, lines=table.json),
        )
    )
)
STREAMED = COVARIANCES | ROWS
SCRIPTS = _by_name(
    _script("recompute.py", _("Recomputes every published number from the microdata. Needs Python with numpy.")),
    _script("recompute.R", _("The same in R. Needs no package.")),
    _script("models.py", _("Recomputes a model from the microdata. Needs Python with numpy.")),
    _script("models.R", _("The same in R. Needs no package, and recompute.R beside it.")),
    _script(
        "weights.py", _("Recomputes weighted and corrected shares. Needs Python with numpy, and models.py beside it.")
    ),
    _script("weights.R", _("The same in R. Needs no package, and recompute.R and models.R beside it.")),
    _script(
        "likelihood.R",
        _("The likelihood of the reports, for models of your own in R. Needs no package, and recompute.R beside it."),
    ),
)
MICRODATA = _by_name(
    Offer("microdata.csv", CSV, _("One row for each report, for any program.")),
    Offer(
        "microdata.parquet", PARQUET, _("The same, small and with types and labels, for Python, R, DuckDB and others.")
    ),
    Offer("microdata.sav", BYTES, _("The same for SPSS, with labels, Yes as 1 and refusals as missing values.")),
    Offer("microdata.dta", BYTES, _("The same for Stata 14 and later, with labels, Yes as 1 and refusals as .a.")),
)
EVERYTHING = _("Reports, codebook, estimates, covariances and scripts in one archive.")

# The published files that dataset.json lists: all but those for one program, and the CSV of streamed files.
DESCRIBED = (
    *(name for name, offer in ESTIMATES.items() if offer.content_type != BYTES),
    *(name for name in ROWS if name.endswith(".csv")),
    CODEBOOK.name,
)
_OFFERS = ESTIMATES | STREAMED | SCRIPTS | MICRODATA | _by_name(COLUMNS, CODEBOOK)


def content_type(name: str) -> str:
    """Return the content type of a release's file. The name of the archive contains the release's number."""
    return _OFFERS[name].content_type if name in _OFFERS else ZIP


def lines(release: Release, name: str) -> Iterator[str]:
    """Yield the lines of a file that is sent while it is computed."""
    offer = STREAMED[name]
    assert offer.lines is not None
    return offer.lines(release)


def generated(release: Release, name: str) -> response_cache.Content | None:
    """Return a file made on request; None if the name is unknown or a package for it is missing."""
    offer = _OFFERS.get(name)
    return offer.make(release) if offer and offer.make and optional.installed(name) else None
