"""Write all files of a release to one archive."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ldp.forms.definition import groups
from surveys.models import Export, Release
from surveys.researcher.downloads import codebook, column_docs, export_file, exports, shares
from surveys.researcher.results import response_cache
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.tables import json_text

FOLDER = Path(__file__).parent / "scripts"
SCRIPTS = ("recompute.py", "recompute.R", "models.py", "models.R", "weights.py", "weights.R", "likelihood.R")
LEVEL = 4  # compression level: random data does not get shorter with a higher one


def name(release: Release) -> str:
    return f"release-{release.number}.zip"


def codebook_text(release: Release) -> str:
    book = codebook.of_release(release)
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def script(file: str) -> str:
    """Return the text of one of SCRIPTS."""
    return (FOLDER / file).read_text(encoding="utf-8")


def documents(release: Release) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files that need only the release's document, as on the page of downloads."""
    document = response_cache.document(release)
    yield "README.txt", _readme(release).encode()
    yield "codebook.json", codebook_text(release).encode()
    yield "estimates.csv", exports.csv_file(document)
    yield "shares.csv", shares.csv_file(release)
    yield "estimates.json", json_text(document).encode()
    yield "columns.csv", column_docs.columns_file(document)
    yield "covariances.csv", tables.marked("".join(exports.covariances_csv(release)))
    for file in SCRIPTS:
        yield file, script(file).encode()


def write(file: Any, release: Release, export: Export) -> None:
    """Write the archive. Every file has the day of the release as its time, and all orders are fixed."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for title, content in documents(release):
            archive.writestr(_entry(release, title), content)
        for made in export.files.exclude(sha256="").order_by("name"):
            entry = _entry(release, made.name)
            if not made.packed:
                entry.compress_type = zipfile.ZIP_STORED
            with archive.open(entry, "w", force_zip64=True) as target:
                target.writelines(export_file.plain(made))


def _entry(release: Release, title: str) -> zipfile.ZipInfo:
    day = release.day
    entry = zipfile.ZipInfo(f"release-{release.number}/{title}", (day.year, day.month, day.day, 0, 0, 0))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return entry


def _readme(release: Release) -> str:
    survey = release.survey
    text = README + (FORMS if "forms" in survey.definition else GROUPS if groups(survey.definition) else "")
    return text.format(title=survey.title, number=release.number, day=release.day.isoformat(), n=release.n,
                       digest=survey.digest, totals=release.digest)  # fmt: skip


README = """{title}
Release {number} of {day}, {n} reports.
Definition (SHA-256): {digest}
Totals (SHA-256): {totals}

microdata.*      one row for each report: what browsers sent after they randomized the answers, in an order that
                 reveals nothing. No row shows what anyone answered.
codebook.json    the meaning of each column and each number of the microdata, the texts of the questions, and the
                 tables by which answers were randomized.
estimates.*      the published numbers: one row for each estimate, target and confidence. columns.csv explains
                 the columns.
shares.csv       the shares alone, one row for each answer.
*.csv            in UTF-8 behind a byte order mark; in R: read.csv(name, fileEncoding = "UTF-8-BOM"). An apostrophe
                 before a text is not part of it. It protects texts that a spreadsheet would run, and NA,
                 None, TRUE, 007 and their like, which pandas and R would not take for texts.
microdata.sav    for SPSS and Stata: Yes is 1 and No is 0, “Prefer not to say” is a missing value (.a in Stata), and
microdata.dta    names that the programs keep for themselves begin with q_. codebook.json has these codes and names.
covariances.csv  of the estimates of a question.
recompute.py     recomputes every published number from the reports:
recompute.R      python recompute.py microdata.csv codebook.json estimates.csv      (needs numpy)
                 Rscript recompute.R microdata.csv codebook.json estimates.csv      (needs nothing else)
models.py        recomputes a model of the page “Models”, from the regression.json that the page offers:
models.R         python models.py microdata.csv codebook.json regression.json ...   (R: the same; recompute.R beside it)
weights.py       recomputes weighted and corrected shares: weighted.json, raking.json or corrected.json
weights.R        python weights.py microdata.csv codebook.json weighted.json ...    (models.py beside it; R: the same)
likelihood.R     for models of your own in R: how likely the reports are, given shares of all combinations of answers
                 (recompute.R beside it; in Python ldp.likelihood)

In Python, with the package ldp:  ldp.read("microdata.csv", "codebook.json").estimates()
"""

GROUPS = """
Each person was invited in a group, which the report names: report.group in the microdata, from 0 on. The codebook's
groups have their names and numbers of reports. An estimate is of the group that it names, or of all together.
"""

FORMS = """
Each person was asked a part of the questions, the form that the browser drew: report.form in the microdata, from 0 on
(0 is form 1 of the survey's pages). A cell is empty where the report's form does not have the question, and an estimate
is of those who were asked. The codebook's forms have their weights, numbers of reports, and the tables of questions
that were randomized together.
"""
