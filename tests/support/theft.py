"""A system whose files are stolen three times: before its reports come, while they wait, and after the worker took
their batch."""

import time
import uuid
from pathlib import Path
from typing import Any, NamedTuple

from surveys.survey.definition.layout import Layout
from tests.services.postgres import Postgres
from tests.services.system import System
from tests.support import observation, thief
from tests.support.journeys import published

PAUSE = 0.1  # seconds between two reports
OTHERS = 40  # reports of another survey or form; they keep waiting


class Stolen(NamedTuple):
    """The loot of three moments, the reports of the batch, and the reports that still wait. Reports are in order of
    arrival."""

    reports: list[thief.Came]
    waiting: list[thief.Came]
    at_first: list[thief.Piece]
    before: list[thief.Piece]
    after: list[thief.Piece]
    order: list[str]  # the findings from the transaction numbers at the end


FORM, OTHER_FORM = 2, 3


class Source(NamedTuple):
    """The source of reports: a survey, or one form of a survey."""

    survey: observation.Single
    form: int


def rob(
    system: System,
    directory: Path,
    batch: int,
    postgres: Postgres | None = None,
    *others: Path,
    draft: dict[str, Any] = observation.DRAFT,
) -> Stolen:
    """Send reports one by one until a batch is full, and steal the files three times. Reports of another survey or
    another form keep waiting."""
    first = observation.Single(system, directory, draft=draft)
    if "forms" in draft:
        survey, other = Source(first, FORM), Source(first, OTHER_FORM)
    else:
        survey, other = Source(first, 0), Source(observation.Single(system, directory), 0)
    time.sleep(2)
    at_first = thief.loot(system, postgres, *others)
    time.sleep(2)
    reports, waiting = _come(survey, other, batch - 1)
    analyze(system)
    before = thief.loot(system, postgres, *others)
    reports.append(_one(survey, batch))
    wait_taken(system, first.slug, batch)
    analyze(system)
    after = thief.loot(system, postgres, *others)
    return Stolen(reports, waiting, at_first, before, after, thief.transactions(system, reports))


def _come(survey: Source, other: Source, count: int) -> tuple[list[thief.Came], list[thief.Came]]:
    reports, waiting = [], []
    for k in range(count):
        reports.append(_one(survey, k))
        if k % (count // OTHERS) == 0:
            waiting.append(_one(other, k))
        time.sleep(PAUSE)
    return reports, waiting


def _one(source: Source, k: int) -> thief.Came:
    report, _, acknowledged = source.survey.send(k, source.form)
    packed = Layout(source.survey.definition, source.form).pack(report["answers"])
    return thief.Came(uuid.UUID(report["report_id"]), packed, acknowledged)


def wait_taken(system: System, slug: str, count: int) -> None:
    """Wait until the worker took the reports and removed their traces from the database."""
    of_survey = f"SELECT id FROM surveys_survey WHERE slug = '{slug}'"
    taken = f"SELECT count(*) FROM surveys_reportid WHERE survey_id = ({of_survey})"
    left = "SELECT count(*) FROM surveys_tally WHERE traces"
    system.eventually(lambda: system.query(taken) == [(count,)], "the batch is taken")
    system.eventually(lambda: system.query(left) == [(0,)], "its traces are removed")


def analyze(system: System) -> None:
    """Run ANALYZE, as PostgreSQL does by itself from time to time. A table's statistics quote its rows."""
    if system.pair != "embedded":
        system.query("ANALYZE")


def close(system: System, survey: observation.Single) -> dict[str, Any]:
    system.manage("survey", "close", "--", survey.slug)
    document = published(system, survey.slug, lambda document: document["final"])
    system.eventually(lambda: system.query("SELECT count(*) FROM surveys_tally WHERE traces") == [(0,)], "no traces")
    return document


def findings(stolen: Stolen) -> list[str]:
    """Return what the last loot reveals about the batch. For reports that still wait, return only what it reveals about
    their order."""
    pieces, reports = thief.changed(thief.without_log(stolen.after), stolen.at_first), stolen.reports
    return [
        *thief.bytes_of_reports(pieces, reports),
        *thief.together(pieces, reports),
        *thief.orders(pieces, reports),
        *thief.orders(pieces, stolen.waiting),
        *stolen.order,
        *thief.times(pieces, stolen.at_first, reports[:-1]),  # the last report came after the second theft
    ]


def findings_before(stolen: Stolen) -> list[str]:
    pieces = thief.changed(thief.without_log(stolen.before), stolen.at_first)
    found = thief.bytes_of_reports(pieces, stolen.reports) + thief.together(pieces, stolen.reports)
    return found + thief.orders(pieces, stolen.reports)
