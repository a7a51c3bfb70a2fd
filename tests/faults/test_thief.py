"""P11: after a batch is taken, nothing on disk reveals the bytes, the order or the times of its reports."""

import random
import struct
import uuid
from datetime import UTC, datetime

import pytest

from tests.services.deployed import DeployedSystem
from tests.services.system import EmbeddedSystem
from tests.support import observation, theft, thief

BATCH = 120


# Daily, SQLite is searched for reports of forms, and PostgreSQL for reports of a survey without forms.
SYSTEMS = [pytest.param("embedded", marks=pytest.mark.long), "deployed", "embedded in forms"]


@pytest.fixture(scope="module", params=SYSTEMS)
def stolen(request, tmp_path_factory):
    """Return the loot from a system on SQLite or from one on PostgreSQL behind nginx. One survey has no forms. The
    other has twenty overlapping forms, and another form's reports wait."""
    temporary = tmp_path_factory.mktemp("processes")
    settings = {"BATCH": str(BATCH), "TMPDIR": str(temporary)}
    postgres = None if request.param.startswith("embedded") else request.getfixturevalue("postgres")
    draft = observation.IN_FORMS if request.param.endswith("forms") else observation.DRAFT
    system = EmbeddedSystem(**settings) if postgres is None else DeployedSystem(postgres, **settings)
    try:
        yield theft.rob(system, tmp_path_factory.mktemp("drafts"), BATCH, postgres, temporary, draft=draft)
    except TimeoutError as late:
        raise AssertionError(system.logs()) from late
    finally:
        system.stop()


@pytest.mark.system
@pytest.mark.slow
def test_anyone_who_steals_everything_after_a_batch_learns_nothing_of_its_reports(stolen):
    found = theft.findings(stolen)
    assert not found, "\n".join(found)


@pytest.mark.system
@pytest.mark.slow
def test_the_same_search_finds_the_reports_while_they_wait(stolen):
    """The search finds bytes beside ids. It finds the order in SQLite's log or in PostgreSQL's rows."""
    found = "\n".join(theft.findings_before(stolen))
    assert f"{BATCH - 1} packed reports" in found and "ids beside their reports" in found
    assert "correlate" in found


@pytest.mark.system
@pytest.mark.slow
def test_the_ids_stay_and_the_search_sees_them(stolen):
    ids = [thief.notations(report).values() for report in stolen.reports]
    places = [p.place for p in stolen.after if all(any(form in p.content for form in forms) for forms in ids)]
    assert any("sqlite3" in place or "surveys_reportid" in place for place in places), places


# The search itself ----------------------------------------------------------------------------------------------------

CHANCE = random.Random(11)
START = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC).timestamp()
REPORTS = [
    thief.Came(uuid.UUID(int=CHANCE.getrandbits(128), version=4), CHANCE.randbytes(17), START + k / 2)
    for k in range(100)
]
MOMENT = START + 20.25


def test_an_order_is_found_and_no_order_is_not():
    ids = [report.id.bytes for report in REPORTS]
    assert thief.tells_order(b"--".join(ids), ids) and thief.tells_order(b"".join(ids[::-1]), ids)
    assert not thief.tells_order(b"".join(sorted(ids)), ids)
    pages = [ids[k : k + 10] for k in range(0, 100, 10)]  # in order within each page; the pages are mixed
    CHANCE.shuffle(pages)
    assert "beside" in thief.tells_order(b"".join(b"".join(page) for page in pages), ids)


def test_an_order_is_seldom_found_where_there_is_none():
    """2000 searches find no order."""
    ids = [report.id.bytes for report in REPORTS]
    mixed = [CHANCE.sample(ids, len(ids)) for _ in range(2000)]
    assert not any(thief.tells_order(b"".join(order), ids) for order in mixed)


@pytest.mark.parametrize("form", ["bytes", "hex", "text"])
def test_an_id_beside_its_report_is_found(form):
    report = REPORTS[0]
    shown = {"bytes": report.id.bytes, "hex": report.id.hex.encode(), "text": str(report.id).encode()}[form]
    beside = thief.Piece("planted", shown + b"..." + report.packed)
    assert thief.together([beside], REPORTS) and thief.bytes_of_reports([beside], REPORTS)
    assert not thief.together([thief.Piece("apart", shown + bytes(1000) + report.packed)], REPORTS)


def several(pack):
    """Return the notations that count only if several moments appear, because chance makes one."""
    return bytes(3).join(pack(MOMENT + k) for k in range(thief.SEVERAL))


MOMENTS = {
    "seconds in text": b" 1772600787 ",
    "milliseconds in text": b'{"at": 1772600787250}',
    "seconds with a fraction": b"1772600787.25",
    "ISO 8601": b"2026-03-04T05:06:27.250000+00:00",
    "a database's text": b"2026-03-04 05:06:27",
    "a proxy's line": b"04/Mar/2026:05:06:27 +0000",
    "four bytes": several(lambda t: struct.pack("<I", int(t))),
    "four bytes, big end first": several(lambda t: struct.pack(">I", int(t))),
    "eight bytes": struct.pack("<q", int(MOMENT)),
    "milliseconds": struct.pack(">q", int(MOMENT * 1e3)),
    "microseconds": struct.pack("<q", int(MOMENT * 1e6)),
    "nanoseconds": several(lambda t: struct.pack("<q", int(t * 1e9))),
    "PostgreSQL": struct.pack("<q", int((MOMENT - 946684800) * 1e6)),
    "PostgreSQL on the network": struct.pack(">q", int((MOMENT - 946684800) * 1e6)),
    "a float": several(lambda t: struct.pack("<d", t)),
    "a pickled float": several(lambda t: b"G" + struct.pack(">d", t)),
    "a Julian day": several(lambda t: struct.pack(">d", t / 86400 + 2440587.5)),
    "a pickled datetime": b"C\n" + struct.pack(">H5B", 2026, 3, 4, 5, 6, 27) + bytes(3),
    "an id that begins with its time": several(lambda t: struct.pack(">q", int(t * 1e3))[2:] + bytes(10)),
}


@pytest.mark.parametrize("form", MOMENTS)
@pytest.mark.parametrize("shift", range(8))
def test_a_moment_is_found_in_every_notation(form, shift):
    planted = bytes(shift + 64) + MOMENTS[form] + bytes(64)
    before = [thief.Piece("planted", bytes(200))]
    assert thief.times([thief.Piece("planted", planted)], before, REPORTS)
    assert not thief.times([thief.Piece("planted", planted)], [thief.Piece("planted", planted)], REPORTS)


def test_a_moment_beside_each_report_is_found_though_each_is_alone():
    pieces = [
        thief.Piece(f"key {k}", bytes(7) + struct.pack("<d", MOMENT + k) + bytes(9)) for k in range(thief.SEVERAL)
    ]
    assert thief.times(pieces, [], REPORTS) and not thief.times(pieces[:-1], [], REPORTS)


def test_a_full_hour_at_which_people_are_counted_is_no_moment_of_a_report():
    hour = START // 3600 * 3600 + 3600
    later = [report._replace(at=report.at + hour - START - 20) for report in REPORTS]
    counted = thief.Piece("planted", bytes(64) + struct.pack("<q", int(hour)) + bytes(64))
    assert not thief.times([counted], [], later)
    assert thief.times([counted._replace(content=struct.pack("<q", int(hour) + 20))], [], later)
    assert thief.period(REPORTS) == (REPORTS[0].at + 1, REPORTS[-1].at - 1)


def test_a_file_that_was_changed_while_reports_came_is_found():
    assert thief.times([thief.Piece("planted", b"", (START, MOMENT))], [], REPORTS)
    assert not thief.times([thief.Piece("planted", b"", (START, START + 50))], [], REPORTS)


def test_moments_are_not_seen_in_random_bytes():
    """The content is a million random bytes and the period 49 s. One search in 20 finds one number of 32 bits, and none
    finds three."""
    assert not thief.times([thief.Piece("random", CHANCE.randbytes(1_000_000))], [], REPORTS)
