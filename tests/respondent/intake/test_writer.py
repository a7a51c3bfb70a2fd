"""Gathered rows are stored together. Each sender has an outcome of their own, and every queue has a limit."""

import asyncio
import threading
import time

import pytest

from surveys.respondent.intake import writer as intake_writer
from surveys.respondent.intake.storage import Outcome, Row
from surveys.respondent.intake.writer import PATIENCE_MAX, Writer

RECORDED = Outcome.RECORDED


class Disk:
    """Store nothing, and hold the first group until `open` is set. `groups` has the arrived ones."""

    def __init__(self, act=lambda rows: [RECORDED] * len(rows)):
        self.groups, self.open, self._act = [], threading.Event(), act

    def __call__(self, rows):
        self.groups.append([row.report_id for row in rows])
        assert self.open.wait(30)
        return self._act(rows)


def row(k, survey_id=1):
    return Row(k, survey_id, b"")


def on_a_loop(disk, act):
    async def run():
        return await asyncio.wait_for(act(Writer(asyncio.get_running_loop(), disk)), 30)

    return asyncio.run(run())


async def crowd(writer, disk, rows):
    """Put the first row and, while the disk has it alone, the others. Return the outcomes."""
    outcomes = [writer.put(rows[0])]
    while not disk.groups:
        await asyncio.sleep(0.001)
    return outcomes + [writer.put(each) for each in rows[1:]]


def test_what_comes_while_a_group_is_stored_is_the_next_group():
    disk = Disk()

    async def act(writer):
        outcomes = await crowd(writer, disk, [row(k) for k in range(8)])
        disk.open.set()
        return await asyncio.gather(*outcomes)

    assert on_a_loop(disk, act) == [RECORDED] * 8
    assert disk.groups == [[0], list(range(1, 8))]


def test_each_has_its_own_outcome_and_its_own_error():
    disk = Disk(lambda rows: [ValueError(row.report_id) if row.report_id % 3 == 0 else RECORDED for row in rows])

    async def act(writer):
        outcomes = await crowd(writer, disk, [row(k) for k in range(7)])
        disk.open.set()
        return await asyncio.gather(*outcomes, return_exceptions=True)

    for k, outcome in enumerate(on_a_loop(disk, act)):
        assert str(outcome) == str(k) if k % 3 == 0 else outcome is RECORDED


def test_a_store_that_fails_as_a_whole_ends_nothing():
    def act_on(rows):
        if rows[0].report_id == 0:
            raise ValueError
        return [RECORDED] * len(rows)

    disk = Disk(act_on)
    disk.open.set()

    async def act(writer):
        with pytest.raises(ValueError):
            await writer.put(row(0))
        return await writer.put(row(1))

    assert on_a_loop(disk, act) is RECORDED


def test_the_reports_of_one_survey_leave_room_for_those_of_others(monkeypatch):
    monkeypatch.setattr(intake_writer, "SURVEY_MAX", 5)
    monkeypatch.setattr(intake_writer, "WAITING_MAX", 8)
    disk = Disk()

    async def act(writer):
        outcomes = await crowd(writer, disk, [row(k) for k in range(5)])
        assert writer.full(1) and not writer.full(2)
        outcomes += [writer.put(row(k, survey_id=k)) for k in range(10, 14)]
        assert writer.full(2) and writer.full(99), "of all surveys no more than eight wait"
        disk.open.set()
        await asyncio.gather(*outcomes)
        assert not writer.full(1) and not writer.full(99)

    on_a_loop(disk, act)


def test_who_waited_too_long_is_told_and_the_rest_goes_on():
    disk = Disk()

    async def act(writer):
        early = await crowd(writer, disk, [row(k) for k in range(3)])
        await asyncio.sleep(0.02)
        since = asyncio.get_running_loop().time()
        late = writer.put(row(3))
        writer.give_up(since)
        told = await asyncio.gather(*early, return_exceptions=True)
        assert [type(outcome) for outcome in told] == [TimeoutError] * 3 and not late.done()
        disk.open.set()
        return await late

    assert on_a_loop(disk, act) is RECORDED


def test_no_one_who_comes_alone_waits_for_a_crowd():
    disk = Disk()
    disk.open.set()

    async def act(writer):
        for k in range(5):
            await writer.put(row(k))

    on_a_loop(disk, act)
    assert disk.groups == [[k] for k in range(5)]


def test_no_one_waits_long_for_those_who_were_in_a_group_that_took_long():
    slow = [1.0]

    def act_on(rows):
        time.sleep(slow.pop() if slow else 0)
        return [RECORDED] * len(rows)

    disk = Disk(act_on)
    disk.open.set()

    async def act(writer):
        await asyncio.gather(*[writer.put(row(k)) for k in range(8)])
        outcome = writer.put(row(9))
        assert writer._patience.when() <= writer._loop.time() + PATIENCE_MAX, "not half of what the last group took"
        await outcome

    on_a_loop(disk, act)


def test_a_crowd_that_comes_back_shares_its_flushes(monkeypatch):
    """Eight clients return a little after their answers, one after the other. Without coordination, groups of one and
    of seven would alternate. The writer waits so long that a busy machine seldom makes a client late."""
    monkeypatch.setattr(intake_writer, "PATIENCE_MAX", 0.5)

    def act_on(rows):
        time.sleep(0.2)
        return [RECORDED] * len(rows)

    disk = Disk(act_on)
    disk.open.set()

    async def client(writer, k):
        for _ in range(10):
            await writer.put(row(k))
            await asyncio.sleep(0.001 * k)

    async def act(writer):
        await asyncio.gather(*[client(writer, k) for k in range(8)])

    on_a_loop(disk, act)
    sizes = [len(group) for group in disk.groups]
    assert sum(sizes) == 80 and len(sizes) < 16, sizes
