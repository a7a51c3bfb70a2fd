"""What can be taken away of a release: each file with what it is for. Its address is its name."""

import functools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.document import Document
from surveys.models import Release
from surveys.operation import optional
from surveys.researcher.downloads import bundle, exports, row_files, shares
from surveys.researcher.downloads.tables import json_text
from surveys.researcher.results import response_cache

Make = Callable[[Document], str | bytes]
SHARES = "shares.csv"


class Offer(NamedTuple):
    """A file that is made of a release's document when somebody asks for it; without `make`, of the release."""

    name: str
    content_type: str
    purpose: Promise
    make: Make | None


JSON, CSV, BYTES = "application/json", "text/csv; charset=utf-8", "application/octet-stream"
PARQUET, ZIP = "application/vnd.apache.parquet", "application/zip"

_ROWS = _("For spreadsheets and every program: one row for each estimate, target and confidence.")
_SUMS = _("One row for each answer and nothing twice, for whoever sums a column.")
ESTIMATES = (
    Offer("estimates.csv", CSV, _ROWS, exports.csv_file),
    Offer(SHARES, CSV, _SUMS, None),
    Offer("estimates.json", JSON, _("The published document itself, as the API gives it."), json_text),
    Offer("estimates.parquet", PARQUET, _("The rows of the CSV with their types."), exports.parquet),
    Offer("estimates.sav", BYTES, _("The same for SPSS, with labels."), exports.spss),
    Offer("estimates.dta", BYTES, _("The same for Stata 14 and later, with labels."), exports.stata),
)
_COLUMNS = _("What each column of these files holds.")
COLUMNS = Offer("columns.csv", CSV, _COLUMNS, exports.columns_file)


class Streamed(NamedTuple):
    """A file that is made of the definition and the totals as it is sent, since it may be long."""

    content_type: str
    purpose: Promise
    lines: Callable[[Release], Iterator[str]]


_MATRICES = _("How the estimates of a question vary together: one row for each pair of options.")
COVARIANCES = {
    "covariances.csv": Streamed(CSV, _MATRICES, exports.covariances_csv),
    "covariances.json": Streamed(JSON, _("The same as whole matrices."), exports.covariances_json),
}
_READINGS = _("Quantiles, mean ranks, means, cumulative and projected shares with their intervals: one row for each.")
_CONTRASTS = _("Which answers of a question are told apart: one row for each pair, with intervals and p-values.")
_TREND = _("Each answer over the releases, with intervals that hold at all of them together.")
_FORGED = _("What is known of each answer if reports are forged, and how many would hide which is the most common.")
ROWS = {
    "readings.csv": Streamed(CSV, _READINGS, row_files.readings_csv),
    "readings.json": Streamed(JSON, _("The same for programs."), row_files.readings_json),
    "contrasts.csv": Streamed(CSV, _CONTRASTS, row_files.contrasts_csv),
    "contrasts.json": Streamed(JSON, _("The same for programs."), row_files.contrasts_json),
    "trend.csv": Streamed(CSV, _TREND, row_files.trend_csv),
    "trend.json": Streamed(JSON, _("The same for programs."), row_files.trend_json),
    "forged.csv": Streamed(CSV, _FORGED, row_files.forged_csv),
    "forged.json": Streamed(JSON, _("The same for programs."), row_files.forged_json),
}
STREAMED = COVARIANCES | ROWS
_FINDS = _("Finds every published number again from the microdata. Needs Python with numpy.")
SCRIPTS = {
    "recompute.py": ("text/x-python; charset=utf-8", _FINDS),
    "recompute.R": ("text/x-r; charset=utf-8", _("The same in R. Needs no package.")),
    "models.py": (
        "text/x-python; charset=utf-8",
        _("Finds a model again from the microdata. Needs Python with numpy."),
    ),
    "models.R": ("text/x-r; charset=utf-8", _("The same in R. Needs no package, and recompute.R beside it.")),
    "weights.py": (
        "text/x-python; charset=utf-8",
        _("Finds weighted and corrected shares again. Needs Python with numpy, and models.py beside it."),
    ),
    "weights.R": (
        "text/x-r; charset=utf-8",
        _("The same in R. Needs no package, and recompute.R and models.R beside it."),
    ),
    "likelihood.R": (
        "text/x-r; charset=utf-8",
        _("The likelihood of the reports, for models of your own in R. Needs no package, and recompute.R beside it."),
    ),
}
CODEBOOK = ("codebook.json", JSON, _("For programs: questions, tables, formulas and the meaning of each column."))

# Made by a worker, for those who may have them.
MICRODATA = {
    "microdata.csv": (CSV, _("One row for each report, for every program.")),
    "microdata.parquet": (PARQUET, _("The same, small and with types and labels, for Python, R, DuckDB and others.")),
    "microdata.sav": (BYTES, _("The same for SPSS, with labels, Yes as 1 and refusals as missing values.")),
    "microdata.dta": (
        BYTES,
        _("The same for Stata 14 and later, with labels, Yes as 1 and refusals as .a."),
    ),
}
EVERYTHING = _("Reports, codebook, estimates, covariances and scripts in one archive.")

MADE = {offer.name: offer for offer in (*ESTIMATES, COLUMNS)}
# What dataset.json lists of published results: what is not for one program alone, and the CSV of what is streamed.
DESCRIBED = (
    *(offer.name for offer in ESTIMATES if offer.content_type != BYTES),
    *(name for name in ROWS if name.endswith(".csv")),
    CODEBOOK[0],
)
_TYPES = {
    **{name: offer.content_type for name, offer in (MADE | STREAMED).items()},
    **{name: content_type for name, (content_type, _) in (SCRIPTS | MICRODATA).items()},
    CODEBOOK[0]: CODEBOOK[1],
}


def content_type(name: str) -> str:
    """As what a file of a release is served; the archive's name has the release's number."""
    return _TYPES.get(name, ZIP)


def is_made(name: str) -> bool:
    """Whether this site makes a file of that name when somebody asks for it."""
    return name in SCRIPTS or name == CODEBOOK[0] or (name in MADE and optional.installed(name))


def made(release: Release, name: str) -> tuple[response_cache.Content, str]:
    """A file that `is_made`, with its type."""
    if name in MADE:
        make = MADE[name].make
        return response_cache.made(release, make) if make else _shares(release.pk), content_type(name)
    return _script(name) if name in SCRIPTS else _codebook(release.pk), content_type(name)


@functools.cache
def _script(name: str) -> response_cache.Content:
    return response_cache.content(bundle.script(name).encode())


@functools.lru_cache(maxsize=16)
def _shares(pk: int) -> response_cache.Content:
    return response_cache.content(shares.csv_file(Release.objects.select_related("survey").get(pk=pk)))


@functools.lru_cache(maxsize=16)
def _codebook(pk: int) -> response_cache.Content:
    return response_cache.content(bundle.codebook_text(Release.objects.select_related("survey").get(pk=pk)).encode())
