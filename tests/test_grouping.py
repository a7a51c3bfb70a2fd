"""Calls made as one: each caller has its own outcome and its own error, and nobody waits for ever."""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from surveys.intake.grouping import Grouped

PATIENCE = 30  # seconds until a thread that still waits is lost


class Gate:
    """Doubles numbers; the first group stays inside until it is let go. `groups` are the lists that came."""

    def __init__(self, act: Callable[[list[int]], list[int]] = lambda items: [2 * item for item in items]):
        self.groups: list[list[int]] = []
        self.inside, self.open = threading.Event(), threading.Event()
        self._act = act

    def __call__(self, items: list[int]) -> list[int]:
        self.groups.append(items)
        self.inside.set()
        assert self.open.wait(PATIENCE)
        return self._act(items)


def crowd(gate, grouped, items):
    """The calls' futures: the first item's is inside alone, the others have come while it was."""
    pool = ThreadPoolExecutor(len(items))
    futures = [pool.submit(grouped, items[0])]
    assert gate.inside.wait(PATIENCE)
    futures += [pool.submit(grouped, item) for item in items[1:]]
    while len(grouped._waiting) < len(items) - 1:
        time.sleep(0.001)
    return futures


def test_a_call_that_comes_alone_is_made_alone():
    groups = []
    grouped = Grouped(lambda items: groups.append(items) or items)
    assert [grouped(item) for item in range(5)] == list(range(5))
    assert groups == [[item] for item in range(5)]


def test_a_call_that_fails_alone_is_not_repeated():
    groups = []

    def act(items):
        groups.append(items)
        raise ValueError

    with pytest.raises(ValueError):
        Grouped(act)(1)
    assert groups == [[1]]


def test_calls_that_come_while_another_is_under_way_are_made_as_one():
    gate = Gate()
    futures = crowd(gate, Grouped(gate), list(range(8)))
    gate.open.set()
    assert [future.result(PATIENCE) for future in futures] == [2 * item for item in range(8)]
    assert gate.groups[0] == [0] and sorted(gate.groups[1]) == list(range(1, 8)) and len(gate.groups) == 2


def test_each_member_of_a_group_that_fails_is_tried_alone_and_meets_its_own_error():
    def act(items):
        if 3 in items:
            raise ValueError(f"{items}")
        return [2 * item for item in items]

    gate = Gate(act)
    futures = crowd(gate, Grouped(gate), list(range(6)))
    gate.open.set()
    with pytest.raises(ValueError, match=r"^\[3\]$"):
        futures[3].result(PATIENCE)
    assert [futures[item].result(PATIENCE) for item in (0, 1, 2, 4, 5)] == [0, 2, 4, 8, 10]


def test_those_who_wait_get_a_leader_when_the_one_before_is_thrown_out():
    class Thrown(BaseException):
        pass

    def act(items):
        if 0 in items:
            raise Thrown
        return items

    gate = Gate(act)
    futures = crowd(gate, Grouped(gate), list(range(4)))
    gate.open.set()
    with pytest.raises(Thrown):
        futures[0].result(PATIENCE)
    assert [future.result(PATIENCE) for future in futures[1:]] == [1, 2, 3]


def test_every_caller_has_its_own_outcome_among_failures_and_crowds():
    busy = threading.Semaphore(1)

    def act(items):
        if len(items) > 1:
            assert busy.acquire(blocking=False), "one group at a time"
        try:
            time.sleep(chance.random() / 2000)
            if any(item % 7 == 0 for item in items):
                raise ValueError(str(items))
            return [-item for item in items]
        finally:
            if len(items) > 1:
                busy.release()

    def call(start):
        for item in range(start, start + 100):
            try:
                assert grouped(item) == -item and item % 7
            except ValueError as error:
                assert (item % 7, str(error)) == (0, str([item]))

    chance = random.Random(5)
    grouped = Grouped(act)
    with ThreadPoolExecutor(12) as pool:
        for future in [pool.submit(call, 1000 * thread) for thread in range(12)]:
            future.result(PATIENCE)


def test_a_turn_that_comes_before_it_is_waited_for_is_not_lost(monkeypatch):
    """The leader passes on while its follower is still on the way from its entry to its wait."""
    enter, passed_on = Grouped._enter, threading.Event()
    pass_on, lead = Grouped._pass_on, Grouped._lead

    def entered_slowly(self, place):
        leads = enter(self, place)
        if place.item == 1:
            assert passed_on.wait(PATIENCE)
        return leads

    def passing_on(self, *arguments):
        pass_on(self, *arguments)
        passed_on.set()

    def leading(self, leader):
        assert leader.turn.locked(), "else whoever completes its crowd would release what nobody holds"
        lead(self, leader)

    monkeypatch.setattr(Grouped, "_enter", entered_slowly)
    monkeypatch.setattr(Grouped, "_pass_on", passing_on)
    monkeypatch.setattr(Grouped, "_lead", leading)
    gate = Gate()
    grouped = Grouped(gate)
    futures = crowd(gate, grouped, [0, 1])
    gate.open.set()
    assert [future.result(PATIENCE) for future in futures] == [0, 2]
    assert not grouped._waiting and grouped._leader is None
    assert grouped(5) == 10


def test_nobody_waits_long_for_those_who_were_in_a_group_that_took_long():
    slow = [1.0, 1.0]

    def act(items):
        time.sleep(slow.pop() if slow else 0)
        return items

    grouped = Grouped(act)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(grouped, range(8)))  # one alone, then seven that do not come back
    started = time.monotonic()
    assert grouped(1) == 1
    assert time.monotonic() - started < 0.25, "half of the second that the last group took would be 0.5"


def test_a_crowd_that_comes_back_shares_its_flushes():
    """Eight threads that call again as soon as they are answered: without a word between them, groups of one and of
    seven would take turns. A flush of 20 ms is long enough that the eight return within a quarter of it."""
    sizes = []

    def flush(items):
        sizes.append(len(items))
        time.sleep(0.02)
        return items

    grouped = Grouped(flush)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda thread: [grouped(thread) for _ in range(20)], range(8)))
    assert sum(sizes) == 160 and len(sizes) < 32, sizes
