"""Deletion of a draft or an ended survey with all stored data about it, while the site and the worker run.

It is one transaction in which nothing else can change the survey. The worker locks the tally whenever it takes, joins
or releases, so the tally is locked first. Then the survey's row is locked: a report that saw it open must wait for that
lock before it can commit. Later tasks find no tally, survey or release, and do nothing.
"""

from django.contrib.auth.models import User
from django.db import connection, transaction

from surveys.audit import record
from surveys.models import (
    AnalysisRun,
    AuditEntry,
    Block,
    Export,
    ExportFile,
    Recount,
    Release,
    Report,
    ReportId,
    Survey,
    Tally,
    Workbook,
)
from surveys.respondent.invitations import book
from surveys.survey.definition.invitations import FIELD

# The web server's time limit for statements is too short for millions of report ids.
LONGEST_SECONDS = 55


def delete(survey: Survey, user: User) -> bool:
    """Delete a survey. Return False if it is open or already deleted."""
    with transaction.atomic():
        _take_time()
        tally = Tally.objects.select_for_update().filter(survey=survey.pk).first()
        ended = Survey.objects.select_for_update().exclude(state=Survey.State.OPEN).filter(pk=survey.pk).first()
        if ended is None:
            return False
        record(user, AuditEntry.Action.DELETED, ended, _what(ended))
        if tally:
            _forget_reports(ended, tally)
        # The versions before and after it stay linked.
        ended.later_versions.update(previous=ended.previous_id)
        ended.delete()
        if ended.digest and FIELD in ended.definition:
            transaction.on_commit(lambda: book.forget(ended.digest))
    return True


def _what(survey: Survey) -> str:
    if survey.is_draft:
        return "a draft"
    release = Release.objects.filter(survey=survey).order_by("number").last()
    return f"digest {survey.digest}, {release.n if release else 0} reports at the last release"


def _forget_reports(survey: Survey, tally: Tally) -> None:
    """Delete everything derived from reports; rows that refer to blocks and releases go first. A worker that adds a
    part to a file waits for the file's row, and then finds it deleted."""
    for held in (
        Export.objects.filter(release__survey=survey),
        ExportFile.objects.filter(export__release__survey=survey),
        AnalysisRun.objects.filter(release__survey=survey),
        Workbook.objects.filter(release__survey=survey),
    ):
        list(held.select_for_update(of=("self",)).values_list("pk"))
    Recount.objects.filter(release__survey=survey).delete()
    for model in (Release, Block, ReportId):
        model._base_manager.filter(survey=survey).delete()
    waited, _ = Report.objects.filter(survey=survey).delete()
    tally.delete()
    if waited or tally.traces:
        _leave_traces_to_another()


def _leave_traces_to_another() -> None:
    """Mark another survey's tally, so that worker/traces.py clears the database's files, which may still show the order
    of the last reports. An ended survey is preferred, because its blocks are written anew, too."""
    for other in Tally.objects.order_by("survey__state")[:1]:
        Tally.objects.filter(pk=other.pk).update(traces=True)


def _take_time() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = '{LONGEST_SECONDS}s'")
