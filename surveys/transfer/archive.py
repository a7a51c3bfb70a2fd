"""An ended survey moves to another site: one file with everything that is stored of it, and what reads it there.

The file is compressed lines of JSON: what the file is, and then each row as Django writes it, what is referred to
before what refers to it. At the other site rows get other numbers. The address, the definition, every release with its
estimates and the nonce under which it stands in a public log, and the reports' blocks are the same ones, so whoever
cites results finds them again and a recount has to equal them.

What stays: accounts, roles, tokens and what staff did, since other people work there; the book of invitations; and the
ids of the reports, for the sake of which the survey is deleted here only when browsers try no more (KEEP_IDS).
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
from surveys.transfer import arrival

FORMAT = "deniable survey 1"
LINE_MAX = 256 << 20  # characters; a block of reports is the longest row
# What reading and storing something else than a file of a survey can raise.
DAMAGED = (
    *(gzip.BadGzipFile, zlib.error, struct.error, EOFError, ValueError, TypeError, AttributeError),
    *(LookupError, ArithmeticError, RecursionError, MemoryError, DeserializationError, FieldDoesNotExist),
    *(ValidationError, DataError, IntegrityError),
)

# How each row leads to its survey.
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
# Of what a worker makes on request, what is made.
READY: dict[type[models.Model], str] = {
    **{model: "state" for model in ROWS if issubclass(model, Job)},
    ExportFile: "export__state",
    ExportPart: "file__export__state",
}


class TransferRefused(ValueError):
    """One sentence, before anything is written."""


def write(survey: Survey, file: Path) -> None:
    """Write a new file. FileExistsError where there is one."""
    _refuse_unfinished(survey)
    with file.open("xb") as raw, gzip.open(raw, "wt", encoding="utf-8") as lines:
        print(json.dumps({"file": FORMAT, "version": __version__, "tables": _tables()}), file=lines)
        # Whoever deletes it waits for its row, and then nothing is half in the file.
        with transaction.atomic():
            Survey.objects.select_for_update().get(pk=survey.pk)
            for model in ROWS:
                serializers.serialize("jsonl", _rows(model, survey), stream=lines)


def read(file: Path, owner: User) -> Survey:
    """Store the survey of a file, which `owner` owns here. TransferRefused says why it cannot be."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines, transaction.atomic():
            _refuse_other(next(_lines(lines), ""))
            survey = _store(_lines(lines))
            arrival.check_rows(survey)
            Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
            record(owner, AuditEntry.Action.IMPORTED, survey, f"from another site, digest {survey.digest}")
    except TransferRefused:
        raise
    except arrival.BrokenField as broken:
        raise TransferRefused(f"{file}: {broken}. Nothing was stored.") from None
    except DAMAGED as error:
        what = f"{file} is not a whole file of a survey ({type(error).__name__}). Nothing was stored."
        raise TransferRefused(what) from None
    return survey


def _lines(lines: TextIO) -> Iterator[str]:
    """Its lines, none of which is longer than any that is written."""
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
    """The newest migration: rows of other tables may mean something else."""
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
        arrival.check_row(row)
        if isinstance(row, Survey):
            _refuse_unsuitable(row, surveys)
            surveys.append(row)
            row.code = None  # another survey here may have it
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
    arrival.check_survey(survey)
    if Survey.objects.filter(slug=survey.slug).exists():
        raise TransferRefused("This site has the survey already.")


def _refer_anew(row: models.Model, numbers: dict[type[models.Model], dict[Any, Any]]) -> None:
    """To the rows as they are numbered here; to nobody and no other survey, where the file has none."""
    own = row._meta.pk
    if own is not None and not own.is_relation:
        row.pk = None
    for field in row._meta.concrete_fields:
        if field.is_relation:
            known = numbers.get(field.related_model, {})  # type: ignore[arg-type]
            setattr(row, field.attname, known.get(getattr(row, field.attname)))
