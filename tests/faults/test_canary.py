"""P6: no address, browser, account or time of day is kept with a report. Requests carry marks, and a search looks
everywhere."""

import io
import json
import logging
import secrets
import uuid
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ldp.privatize import make_report
from ldp.words import system_words
from surveys.operation import logging as logs
from surveys.operation.faults import FAULTS
from surveys.respondent.intake import replies
from surveys.survey.definition.layout import Layout
from tests.support import canary
from tests.support.canaries import Request, break_off, person, refused, send
from tests.support.factories import DRAFT, opened_survey
from tests.support.intake_request import IntakeRequest
from tests.support.journeys import open_survey as open_on
from tests.support.journeys import published, request
from tests.support.theft import wait_taken

PEOPLE, REPORTS_EACH = 10, 10  # recorded reports: a batch, full with the last one; refused reports come on top

# Its packed report is long enough not to turn up by chance.
LONG: dict[str, Any] = {
    **{"key": "long", "kind": "single_choice", "text": "Which?", "alpha": "1", "mechanism": "bitwise"},
    "options": [f"Option {i}" for i in range(128)],
}


class Survey:
    """An open survey on a running system, and reports for it."""

    def __init__(self, system, directory, title):
        draft = DRAFT | {"title": title, "questions": [*DRAFT["questions"], LONG]}
        self.slug = open_on(system, directory, draft=draft)
        self.api = f"/api/v1/surveys/{self.slug}"
        _, headers, canonical = request(f"{system.url}{self.api}/definition")
        self.definition, self.digest = json.loads(canonical), headers["ETag"].strip('"')

    def report(self, kept: list[bytes]) -> bytes:
        """Make a report and add it to the list."""
        answers = {"yes": 0, "which": 1, "many": 2, "long": secrets.randbelow(128)}
        kept.append(make_report(self.definition, self.digest, answers, system_words).encode())
        return kept[-1]

    def ids(self, bodies: list[bytes]) -> dict[bytes, str]:
        """Return the reports' ids in every notation."""
        found: dict[bytes, str] = {}
        for report in map(json.loads, bodies):
            number = uuid.UUID(report["report_id"])
            found |= dict.fromkeys([number.bytes, number.hex.encode(), str(number).encode()], "an id")
        return found

    def contents(self, bodies: list[bytes]) -> dict[bytes, str]:
        """Return the contents of the reports: their packed bytes in every notation, and their longest answer."""
        found: dict[bytes, str] = {}
        for answers in (json.loads(body)["answers"] for body in bodies):
            packed = Layout(self.definition).pack(answers)
            found |= dict.fromkeys([packed, packed.hex().encode(), answers["long"].encode()], "a report")
        return found


@pytest.fixture
def other_logs(system, request) -> list[Path]:
    """Return PostgreSQL's log, if the system has one."""
    return [] if system.pair == "embedded" else [request.getfixturevalue("postgres").directory / "postgres.log"]


# tests/deployment/test_deployment.py searches daily on production's services behind nginx.
@pytest.mark.system
@pytest.mark.parametrize("system", ["embedded", pytest.param("production", marks=pytest.mark.long)], indirect=True)
def test_nothing_of_a_respondent_stays_anywhere(system, tmp_path, other_logs):
    search(system, tmp_path, other_logs)


def search(system, tmp_path, other_logs, *other_places):
    """Let marked people do everything that respondents can do. The search finds planted marks, but no person's mark."""
    planted = f"planted{secrets.token_hex(6)}"
    survey, closed = Survey(system, tmp_path, title=planted), Survey(system, tmp_path, title="Closed")
    system.manage("survey", "close", "--", closed.slug)
    people = [person() for _ in range(PEOPLE)]
    recorded: list[bytes] = []
    lost: list[bytes] = []
    for marks in people:
        assert send(system, marks, Request("GET", "/s/")) == 200
        assert send(system, marks, Request("GET", "/respond/definition", link=survey.slug)) == 200
        assert send(system, marks, Request("GET", f"/s/{survey.slug}/")) == 200, "a link that was changed"
        # A report repeated while its batch is taken waits again for the next batch. The first report does so.
        first, *others = [
            Request("POST", f"/respond/reports?from={marks.page}", survey.report(recorded), link=survey.slug)
            for _ in range(REPORTS_EACH)
        ]
        assert [send(system, marks, sent) for sent in (first, first, *others)] == [201, 200] + [201] * len(others)
        for status, wrong in refused(survey.slug, marks, survey.report(lost)):
            assert send(system, marks, wrong) == status, wrong
        assert send(system, marks, Request("POST", "/respond/reports", closed.report(lost), link=closed.slug)) == 410
        break_off(system, marks, Request("POST", "/respond/reports", survey.report(lost), link=survey.slug))
    wait_taken(system, survey.slug, len(recorded))

    assert_that_the_search_finds(planted, system, other_logs, other_places)
    marks_of = {
        form: f"the {name} of a respondent"
        for marks in people
        for name, mark in marks._asdict().items()
        for form in canary.forms(mark)
    }
    assert canary.found(marks_of, everywhere(system, other_logs)) == []

    # No log names a survey that a person opened or answered.
    slugs = dict.fromkeys((each.slug.encode() for each in (survey, closed)), "a link")
    assert canary.found(slugs, canary.logs(system, *other_logs)) == []
    assert canary.found(slugs, canary.tables(system)) != [], "where it is, the same search finds it"

    # Refused requests are nowhere. Recorded reports leave only their ids, in one table and its files, without a time.
    assert canary.found(survey.ids(lost) | survey.contents(lost), everywhere(system, other_logs)) == []
    assert canary.found(survey.contents(recorded), everywhere(system, other_logs)) == []
    with_times = chain(canary.logs(system, *other_logs), canary.broker(system))
    assert canary.found(survey.ids(recorded), with_times) == []
    tables = {where for where, _ in canary.tables(system)} - IDS_STAY
    assert canary.found(survey.ids(recorded), ((w, c) for w, c in canary.tables(system) if w in tables)) == []
    kept = canary.found(survey.ids(recorded), ((w, c) for w, c in canary.tables(system) if w in IDS_STAY))
    assert len(kept) >= len(recorded), "in the table of taken ids the same search finds them"

    system.manage("survey", "close", "--", survey.slug)
    document = published(system, survey.slug, lambda document: document["final"])
    assert document["n"] == len(recorded) == PEOPLE * REPORTS_EACH


IDS_STAY = {"table surveys_reportid", "table public.surveys_reportid", "dump of SQLite"}


def everywhere(system, other_logs) -> Iterator[tuple[str, bytes]]:
    return chain(canary.tables(system), canary.broker(system), canary.files(system), canary.logs(system, *other_logs))


def assert_that_the_search_finds(planted, system, other_logs, other_places):
    """Check that the search finds a planted mark in each kind of place. The survey's title is one."""
    canary.keep_in_broker(system, "planted", planted)
    assert request(f"{system.url}/lab/{planted}/")[0] == 404
    seen = canary.found({planted.encode(): "it"}, everywhere(system, other_logs))
    for place in ("table", "Redis key b'planted'", "pages.log", *other_places):
        assert any(place in where for where in seen), f"the search does not look into {place}: {seen}"
    canary.forget_in_broker(system, "planted")


# The log --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def log():
    """Yield the output of the settings' console handler, including its filter."""
    FAULTS.write()
    (handler,) = [h for h in logging.getLogger().handlers if any(isinstance(f, logs.Discreet) for f in h.filters)]
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["{}", "[", ""])
def test_a_refused_report_leaves_no_line(log, body):
    slug = opened_survey().slug
    for link in (slug, "unknown"):
        for path in (f"/api/v1/surveys/{link}/reports?marked", "/respond/reports?marked"):
            named = {"survey-link": link}
            response = Client().post(path, body, content_type="application/json", headers=named)
            assert 400 <= response.status_code < 500
    Client().get("/respond/definition", headers={"survey-link": "unknown"})
    Client().get("/lab/nothing")
    assert log.getvalue().count("\n") == 1 and "/lab/nothing" in log.getvalue(), "other refusals do leave one"


def fail(*_):
    raise RuntimeError("DETAIL: Failing row contains (marked, \\x0102).")


def test_a_fault_of_the_intake_leaves_the_place_and_not_the_row(log, monkeypatch):
    monkeypatch.setattr(replies, "refuse_head", fail)
    asked = IntakeRequest("/api/v1/surveys/abc/reports", {"host": "localhost", "content-type": "marked"})
    assert asked.answer[0] == 500 and json.loads(asked.answer[2])["status"] == 500
    assert log.getvalue() == "", "its moment would be that of a visit"
    FAULTS.write()
    assert "Intake failed, 1 in a minute: RuntimeError" in log.getvalue() and "test_canary.py" in log.getvalue()
    assert "marked" not in log.getvalue() and b"marked" not in asked.answer[2]


def test_a_fault_of_the_view_leaves_no_more(log, monkeypatch):
    monkeypatch.setattr(replies, "refuse_head", fail)
    path = "/api/v1/surveys/abc/reports?marked"
    response = Client(raise_request_exception=False, HTTP_USER_AGENT="marked").post(path, "marked", "text/marked")
    assert response.status_code == 500
    FAULTS.write()
    assert "Intake failed, 1 in a minute: RuntimeError" in log.getvalue() and "marked" not in log.getvalue()
