"""P5: every acknowledged report is stored and counted exactly once, whatever is killed, cut, full or read-only; and a
product that broke this would be found out. `python -m benchmarks.faults` is the long version."""

import pytest

from tests.services.fragile import FragileEmbedded, FragileProduction
from tests.services.turmoil import Storm, run

pytestmark = [pytest.mark.system, pytest.mark.slow]

# What each broken variant does wrong, the faults that bring it to light, and what must be wrong in the books.
# check_then_insert comes last: its database has no unique key any more.
KEYS_DROPPED = [f"ALTER TABLE surveys_{t} DROP CONSTRAINT surveys_{t}_pkey" for t in ("report", "taken")]
BROKEN = {
    "two_transactions": (["worker"], "lost"),
    "no_id": ([], "doubled"),
    "acknowledge_before_commit": (["intake"], "lost"),
    "synchronous_commit_off": (["postgres", "postgres"], "lost"),
    "check_then_insert": ([], "doubled"),
}


SETTINGS = {"BLOCK_SIZE": "100", "BATCH": "20"}


@pytest.fixture
def embedded():
    system = FragileEmbedded(**SETTINGS)
    yield system
    system.stop()


@pytest.fixture(scope="module")
def production():
    """One for its storm and for all the broken variants after it; each gets its own survey."""
    system = FragileProduction(**SETTINGS)
    yield system
    system.stop()


@pytest.mark.statistical
@pytest.mark.parametrize(("pair", "each"), [("production", 7), ("embedded", 6)])
def test_what_is_acknowledged_is_stored_and_counted_once(pair, each, nightly, request):
    system = request.getfixturevalue(pair)
    reports, kills = (5000, 8 * each) if nightly else (500, each)
    outcome = run(system, Storm(reports, kills, seed=5))
    assert outcome.wrongs == []
    assert outcome.books.stored == outcome.books.counted >= outcome.books.acknowledged >= reports
    # It was a storm.
    assert outcome.kills.total() == kills and set(outcome.kills) == set(system.killable)
    assert all(outcome.fates.values()) and len(outcome.fates) == 7
    assert min(outcome.refused["read-only database"], outcome.refused["full disk"]) > 0
    assert outcome.books.blocks > 0


@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_product_fails(production, variant):
    parts, symptom = BROKEN[variant]
    if variant == "check_then_insert":
        for statement in KEYS_DROPPED:
            production.query(statement)
    production.run("tests.support.broken:application", "tests.support.broken", BROKEN=variant)
    # Where a process is killed is left to the machine: on a slow one a kill can miss the moment that loses a report.
    wrongs: list[str] = []
    for seed in range(5, 10):
        storm = Storm(100, len(parts), seed, parts=tuple(parts), phases=(), calm=(0.1, 0.7), patient=True)
        wrongs += run(production, storm).wrongs
        if any(symptom in wrong for wrong in wrongs):
            return
    pytest.fail(f"Not seen: {symptom}; {wrongs}")
