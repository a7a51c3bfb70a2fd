"""Move an ended survey to another site: write all its stored data to a file, and read the file there.

The file is compressed lines of JSON. A header comes first, then each row in Django's format, after the rows to which it
refers. At the other site rows get new numbers. The link, the definition, every release with its estimates and the nonce
of its commitment in the public log, and the blocks of reports stay the same. So cited results remain available, and a
recount must equal them.

A survey that arrives must obey the rules for surveys of this site. The page asks its definition, and its tables have
the stated alphas. Its blocks contain reports of it, which add up to its last release. Its documents follow from the
releases' totals.

Some data are not moved: accounts, roles, tokens and audit entries, since other people work there; the book of
invitations; and the ids of the reports. Because of the ids, delete the survey here only after browsers stop retrying
(KEEP_IDS).
"""

import gzip
import json
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from django.contrib.auth.models import User
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.serializers.base import DeserializationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.migrations.loader import MigrationLoader

from surveys import __version__
from surveys.audit import record
from surveys.models import (
    AnalysisRun,
    AuditEntry,
    Block,
    Commitment,
    Disclosure,
    Export,
    ExportFile,
    ExportPart,
    Membership,
    Release,
    Report,
    Role,
    Survey,
    Tally,
)
from surveys.models.jobs import Job
from surveys.transfer import counts, files, releases, reports
from surveys.transfer.rules import BrokenField, check_row
from surveys.transfer.survey import check_disclosure, check_survey

FORMAT = "deniable survey 1"
LINE_MAX = 256 << 20  # characters; the longest row is a block of reports
# The errors from reading and storing a file that is damaged or not a survey.
DAMAGED = (
    *(gzip.BadGzipFile, zlib.error, struct.error, EOFError, ValueError, TypeError, AttributeError),
    *(LookupError, ArithmeticError, RecursionError, MemoryError, DeserializationError, FieldDoesNotExist),
    *(ValidationError, DataError, IntegrityError),
)

# The path from each row to its survey.
ROWS: dict[type[models.Model], str] = {
    Survey: "pk",
    Disclosure: "survey",
    Tally: "survey",
    Block: "survey",
    Release: "survey",
    Commitment: "release__survey",
    AnalysisRun: "release__survey",
    Export: "release__survey",
    ExportFile: "export__release__survey",
    ExportPart: "file__export__release__survey",
}
# Only finished jobs and their files are moved.
READY: dict[type[models.Model], str] = {
    **{model: "state" for model in ROWS if issubclass(model, Job)},
    ExportFile: "export__state",
    ExportPart: "file__export__state",
}


class TransferRefused(ValueError):
    """The move is refused, with one sentence, before anything is stored."""


def write(survey: Survey, file: Path) -> None:
    """Write an ended survey to a new file. Raise FileExistsError, or TransferRefused if its end is not complete."""
    _refuse_unfinished(survey)
    with file.open("xb") as raw, gzip.open(raw, "wt", encoding="utf-8") as lines:
        print(json.dumps({"file": FORMAT, "version": __version__, "tables": _tables()}), file=lines)
        # A deletion waits for this row, so the file is never incomplete.
        with transaction.atomic():
            Survey.objects.select_for_update().get(pk=survey.pk)
            for model in ROWS:
                serializers.serialize("jsonl", _rows(model, survey), stream=lines)


def read(file: Path, owner: User) -> Survey:
    """Store and return the survey of a file, with `owner` as its owner. Raise TransferRefused with the reason."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines, transaction.atomic():
            _refuse_other(next(_lines(lines), ""))
            survey = _store(_lines(lines))
            check_disclosure(survey)
            for rules in (reports, releases, counts, files):
                rules.check(survey)
            Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
            record(owner, AuditEntry.Action.IMPORTED, survey, f"from another site, digest {survey.digest}")
    except TransferRefused:
        raise
    except BrokenField as broken:
        raise TransferRefused(f"{file}: {broken}. Nothing was stored.") from None
    except DAMAGED as error:
        what = f"{file} is not a whole file of a survey ({type(error).__name__}). Nothing was stored."
        raise TransferRefused(what) from None
    return survey


def _lines(lines: TextIO) -> Iterator[str]:
    """Yield the lines. Raise EOFError for a line that is longer than LINE_MAX or incomplete."""
    while line := lines.readline(LINE_MAX):
        if not line.endswith("\n"):
            raise EOFError
        yield line


def _refuse_unfinished(survey: Survey) -> None:
    last = Release.objects.filter(survey=survey).order_by("number").last()
    ended = survey.state == Survey.State.CLOSED and not Report.objects.filter(survey=survey).exists()
    if not ended or not (survey.fewer_than or (last and last.final)):
        raise TransferRefused("The survey has not ended, or its last reports are not counted yet.")
    if Release.objects.filter(survey=survey, document=None).exists():
        raise TransferRefused("The estimates of its last release are not computed yet.")


def _tables() -> str:
    """Return the name of the newest migration: rows may have another meaning in other tables."""
    return max(name for app, name in MigrationLoader(None).disk_migrations if app == "surveys")


def _rows(model: type[models.Model], survey: Survey) -> Iterator[models.Model]:
    rows = model._base_manager.filter(**{ROWS[model]: survey.pk}).order_by("pk")
    made = rows.filter(**{READY[model]: Job.State.READY}) if model in READY else rows
    return made.iterator(chunk_size=50)


def _refuse_other(line: str) -> None:
    try:
        head = json.loads(line)
    except json.JSONDecodeError:
        head = None
    if not isinstance(head, dict) or head.get("file") != FORMAT:
        raise TransferRefused("This is no file of a survey.")
    if head.get("tables") != _tables():
        raise TransferRefused(
            f"The file is of version {head.get('version')} ({head.get('tables')}), and this is {__version__} "
            f"({_tables()}): bring both sites to one version first."
        )


def _store(lines: Iterator[str]) -> Survey:
    numbers: dict[type[models.Model], dict[Any, Any]] = defaultdict(dict)
    surveys: list[Survey] = []
    for line in lines:
        [each] = serializers.deserialize("python", [json.loads(line)])
        row = each.object
        if type(row) not in ROWS:
            raise TransferRefused(f"The file has a row of {row._meta.db_table}, which belongs to no survey.")
        check_row(row)
        if isinstance(row, Survey):
            _refuse_unsuitable(row, surveys)
            surveys.append(row)
            row.code = None  # another survey here may have the code
        before = row.pk
        _refer_anew(row, numbers)
        row.save_base(raw=True, force_insert=True)
        numbers[type(row)][before] = row.pk
    if not surveys:
        raise TransferRefused("The file has no survey.")
    return surveys[0]


def _refuse_unsuitable(survey: Survey, before: list[Survey]) -> None:
    if before:
        raise TransferRefused("The file has more than one survey.")
    check_survey(survey)
    if Survey.objects.filter(slug=survey.slug).exists():
        raise TransferRefused("This site has the survey already.")


def _refer_anew(row: models.Model, numbers: dict[type[models.Model], dict[Any, Any]]) -> None:
    """Replace a row's references by the numbers here. References to rows that are not in the file become empty."""
    own = row._meta.pk
    if own is not None and not own.is_relation:
        row.pk = None
    for field in row._meta.concrete_fields:
        if field.is_relation:
            known = numbers.get(field.related_model, {})  # type: ignore[arg-type]
            setattr(row, field.attname, known.get(getattr(row, field.attname)))
