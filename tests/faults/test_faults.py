"""P5: every acknowledged report is stored and counted exactly once, even if anything is killed, cut, full or read-only.
A product that broke this promise would be noticed. `python -m benchmarks.faults` is the long version."""

import os
import signal
import time
from contextlib import suppress

import pytest

from surveys.operation import health
from tests.services.fragile import FragileEmbedded
from tests.services.turmoil import Storm, run
from tests.support import journeys

pytestmark = [pytest.mark.system, pytest.mark.slow]

TABLES = ("surveys_report", "surveys_reportid")
# For each broken variant: the replaced parts, the faults that reveal it, and the expected errors in the books.
BROKEN = {
    "two_transactions": (["worker"], ["worker"], "lost"),
    "no_id": (["intake"], [], "doubled"),
    "acknowledge_before_commit": (["intake"], ["intake"], "lost"),
    "synchronous_commit_off": (["intake", "worker"], ["postgres", "postgres"], "lost"),
    "check_then_insert": (["intake", "worker"], [], "doubled"),
}
MODULES = {"intake": "tests.support.broken:application", "worker": "tests.support.broken"}


@pytest.fixture
def embedded():
    system = FragileEmbedded(BLOCK_SIZE="100", BATCH="20")
    yield system
    system.stop()


@pytest.fixture(scope="module")
def production(fragile):
    """Yield a system for its own storm and then for all broken variants, each on a new survey. Then it is the product
    again."""
    system, _ = fragile
    yield system
    system.exchange({})


@pytest.fixture
def without_keys(production):
    """Drop the unique keys of the tables of ids, and restore them when no id is there twice."""
    for table in TABLES:
        production.query(f"ALTER TABLE {table} DROP CONSTRAINT {table}_pkey")
    yield
    production.exchange({})
    for table in TABLES:
        twice = "a.ctid < b.ctid AND a.id = b.id AND a.survey_id = b.survey_id"
        production.query(f"DELETE FROM {table} a USING {table} b WHERE {twice}")
        production.query(f"ALTER TABLE {table} ADD PRIMARY KEY (survey_id, id)")


# Daily, tests/public/demo kills the embedded intake, pages and worker one by one. Here they die together with the disk.
EMBEDDED = ("estimates", "beat", "redis")


@pytest.mark.statistical
@pytest.mark.parametrize("pair", ["production", "embedded"], ids=lambda pair: f"{pair}-storm")
def test_what_is_acknowledged_is_stored_and_counted_once(pair, nightly, request):
    system = request.getfixturevalue(pair)
    parts = EMBEDDED if pair == "embedded" and not nightly else system.killable
    reports, kills = (5000, 8 * len(parts)) if nightly else (300, len(parts))
    outcome = run(system, Storm(reports, kills, seed=5, parts=parts))
    assert outcome.wrongs == []
    assert outcome.books.stored == outcome.books.counted >= outcome.books.acknowledged >= reports
    # The storm took place.
    assert outcome.kills.total() == kills and set(outcome.kills) == set(parts)
    assert all(outcome.fates.values()) and len(outcome.fates) == 7
    assert min(outcome.refused["read-only database"], outcome.refused["full disk"]) > 0
    assert outcome.books.blocks > 0


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["production-silent", "production-dead"])
def test_the_status_tells_of_a_dead_database_within_a_second_and_the_process_lives(production, how):
    def states():
        return [journeys.request(f"{production.url}/{name}")[0] for name in ("alive", "healthz", "status")]

    def send(number, pids):
        for pid in pids:
            with suppress(ProcessLookupError):  # a server of one connection ends with the connection
                os.kill(pid, number)

    production.eventually(lambda: states() == [200, 200, 200], "all is well")
    silent = production.postgres.pids() if how == signal.SIGSTOP else []
    try:
        send(how, silent)
        if not silent:
            production.kill("postgres")
        took = []
        for _ in range(10):  # a busy machine may be this slow, but not each time
            started = time.monotonic()
            assert states() == [200, 503, 503]
            took.append(time.monotonic() - started)
            if took[-1] < 3 * health.PATIENCE:
                break
        assert took[-1] < 3 * health.PATIENCE, f"two looks of a second at most: {took}"
    finally:
        send(signal.SIGCONT, silent)
        production.revive()
    production.eventually(lambda: states() == [200, 200, 200], "all is well again")


@pytest.mark.parametrize("variant", BROKEN, ids=lambda variant: f"production-{variant}")
def test_a_broken_product_fails(production, variant, request):
    broken, parts, symptom = BROKEN[variant]
    if variant == "check_then_insert":
        request.getfixturevalue("without_keys")
    production.exchange({part: MODULES[part] for part in broken}, BROKEN=variant)
    # The machine decides where a process is killed. On a slow one a kill can miss the moment that loses a report.
    wrongs: list[str] = []
    for seed in range(5, 10):
        storm = Storm(100, len(parts), seed, parts=tuple(parts), phases=(), calm=(0.1, 0.7), patient=True)
        wrongs += run(production, storm).wrongs
        if any(symptom in wrong for wrong in wrongs):
            return
    pytest.fail(f"Not seen: {symptom}; {wrongs}")
