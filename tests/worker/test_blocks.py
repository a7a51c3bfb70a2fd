"""Blocks hold counted reports without their order, near their information content; small blocks are joined (P11)."""

import collections
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from surveys.life.lifecycle import close_survey
from surveys.models import Block, Recount
from tests.support.factories import opened_survey
from tests.worker.test_batches import contents, packed, store
from worker import batches, block_merge, blocks, recount, tasks

GENERATOR = np.random.default_rng(4)
ROOT = Path(__file__).parents[2]


def _multiset(rows):
    return collections.Counter(bytes(row) for row in rows)


@pytest.mark.parametrize(("n", "width"), [(1, 1), (7, 3), (1000, 15), (300, 33)])
def test_a_block_holds_the_rows_in_their_order(n, width):
    rows = GENERATOR.integers(0, 256, (n, width), dtype=np.uint8)
    assert np.array_equal(blocks.decode(blocks.encode(rows)), rows)


@pytest.mark.parametrize(("n", "width"), [(7, 3), (1000, 15)])
def test_shuffled_rows_are_the_same_in_another_order(n, width):
    rows = GENERATOR.integers(0, 256, (n, width), dtype=np.uint8)
    mixed = blocks.shuffled(rows)
    assert _multiset(mixed) == _multiset(rows)
    assert n < 100 or not np.array_equal(mixed, rows)


# Joining --------------------------------------------------------------------------------------------------------------

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def small(settings):
    """Set batches of 10 and blocks of 2000 reports, so that one test has many."""
    settings.BATCH, settings.BLOCK_SIZE = 10, 2000


def collect(survey, times, n=10, start=0):
    bodies = []
    for k in range(times):
        bodies += store(survey, range(start + n * k, start + n * (k + 1)))
        tasks.process(survey.pk)
    return bodies


def sizes(survey, stage=Block.Stage.RELEASED):
    return sorted(Block.objects.filter(survey=survey, stage=stage).values_list("n", flat=True))


@pytest.mark.slow
def test_few_small_blocks_stay_and_many_are_joined(small):
    survey = opened_survey()
    bodies = collect(survey, 60)
    assert len(sizes(survey)) <= 2 * block_merge.FEW and max(sizes(survey)) >= 10 * block_merge.FEW
    assert contents(survey) == packed(survey, bodies)


@pytest.mark.slow
def test_after_the_end_all_blocks_but_one_are_full(small, settings):
    settings.BLOCK_SIZE = 250
    survey = opened_survey()
    bodies = collect(survey, 60)
    close_survey(survey)
    tasks.process(survey.pk)
    assert sum(n < 250 for n in sizes(survey)) <= 1 and max(sizes(survey)) < 2 * 250
    assert contents(survey) == packed(survey, bodies)


def test_only_what_was_released_is_joined(small):
    survey = opened_survey()
    collect(survey, 30)
    before = sizes(survey, Block.Stage.READY), sizes(survey, Block.Stage.HELD)
    while block_merge.join(survey):
        pass
    assert (sizes(survey, Block.Stage.READY), sizes(survey, Block.Stage.HELD)) == before


def test_a_block_that_a_recount_needs_stays_until_it_is_over(small):
    survey = opened_survey()
    bodies = collect(survey, 15)
    request = recount.request(survey)
    needed = set(request.parts.values_list("block", flat=True))
    bodies += collect(survey, 30, start=1000)
    assert needed <= set(Block.objects.values_list("pk", flat=True)), "joined around the recount"
    for part in recount.missing(request):
        recount.count_part(part.pk)
    assert recount.equal(request)
    request.delete()
    collect(survey, 20, start=5000)
    assert not needed <= set(Block.objects.values_list("pk", flat=True))
    assert not Recount.objects.exists()


def test_a_crash_while_joining_changes_nothing(small, monkeypatch):
    survey = opened_survey()
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "join", lambda survey: 0)
        bodies = collect(survey, 40)
    before = sizes(survey)

    def crash(rows):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(blocks, "encode", crash)
        block_merge.join(survey)
    assert sizes(survey) == before
    assert block_merge.join(survey) > block_merge.FEW and contents(survey) == packed(survey, bodies)


def test_joined_reports_are_shuffled_anew(small, monkeypatch):
    shuffles = []

    def shuffled(rows):
        shuffles.append(len(rows))
        return rows

    survey = opened_survey()
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "join", lambda survey: 0)
        collect(survey, 40)
    monkeypatch.setattr(blocks, "shuffled", shuffled)
    joined = block_merge.join(survey)
    assert joined > block_merge.FEW and shuffles == [Block.objects.latest("pk").n]


# The order ------------------------------------------------------------------------------------------------------------


def test_every_order_is_as_likely():
    rows = np.arange(3, dtype=np.uint8).reshape(3, 1)
    orders = collections.Counter(bytes(blocks.shuffled(rows).reshape(-1)) for _ in range(6000))
    # Six orders, each expected 1000 times; a deviation of 160 is 5.5 standard deviations, once in four million runs.
    assert len(orders) == 6 and all(abs(count - 1000) < 160 for count in orders.values())


def test_the_order_comes_from_the_operating_system():
    """The processes are fresh and equally seeded; their orders are equal once in 100! runs."""
    command = (
        "import os, random, numpy as np; os.environ['DJANGO_SETTINGS_MODULE'] = 'surveys.settings'; "
        "random.seed(1); np.random.seed(1); from worker import blocks; "
        "print(blocks.shuffled(np.arange(100, dtype=np.uint8).reshape(100, 1)).reshape(-1).tolist())"
    )
    orders = [
        subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert orders[0] != orders[1]


def test_the_order_is_that_of_the_random_keys_and_of_nothing_else():
    keys = np.array([7, 3, 2**64 - 1, 0], dtype=np.uint64).tobytes()
    rows = np.arange(4, dtype=np.uint8).reshape(4, 1)
    assert blocks.shuffled(rows, lambda size: keys[:size]).reshape(-1).tolist() == [3, 1, 0, 2]


def test_whole_batches_are_shuffled_before_a_part_is_held_back(settings, monkeypatch):
    """Rows are sorted instead of shuffled, so that the test knows which are held."""
    settings.BATCH = 100
    survey = opened_survey()
    ordered = sorted(packed(survey, store(survey, range(300))).elements())
    monkeypatch.setattr(blocks, "shuffled", lambda rows: rows[np.lexsort(rows.T[::-1])])
    batches.take(survey)
    (held,) = Block.objects.filter(stage=Block.Stage.HELD).values_list("columns", flat=True)
    assert _multiset(blocks.decode(bytes(held))) == collections.Counter(ordered[:100])
