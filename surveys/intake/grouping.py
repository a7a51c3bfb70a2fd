"""Calls that arrive while others are under way wait, and are then made as one: many commits become one.

The disk is asked to keep a report once for all that came while it was busy, so a slow disk costs each respondent two to
three of its flushes, however many send at once. A call that comes alone is made at once and alone.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from surveys import logs

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

# Threads that were just told their outcome come back with the next report one after the other. If the first of them led
# a group of its own, the others would wait for it, and every second flush would carry a single report. So a leader who
# finds less than half as many as were there just now waits for them: for this share of the time that the last group
# took, and never for more than so many seconds, since a group that took long is a sign of trouble.
PATIENCE = 0.5
PATIENCE_MAX = 0.05


class _Place(Generic[Item, Outcome]):
    """Where a thread stands whose call waits. Its turn comes to lead a group, or when its group has ended."""

    __slots__ = ("item", "leads", "outcome", "turn")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.leads = False
        self.outcome: Outcome | None = None
        self.turn = threading.Lock()
        self.turn.acquire()


class Grouped(Generic[Item, Outcome]):
    """A function of one item that calls `act`, a function of a list of items to the list of their outcomes.

    One call of `act` runs at a time, in one of the threads that wait. `act` must be safe to repeat: where a group
    fails, each of its members is tried alone, and meets its own error and nobody else's. No outcome is None.
    """

    def __init__(self, act: Callable[[list[Item]], list[Outcome]]) -> None:
        self._act = act
        self._guard = threading.Lock()  # held for what follows, and never while anything waits
        self._waiting: list[_Place[Item, Outcome]] = []
        self._leader: _Place[Item, Outcome] | None = None
        self._gathering = False
        self._crowd = 1  # how many were here when the last group ended, answered or waiting
        self._lasted = 0.0  # seconds
        self._ended = float("-inf")

    def __call__(self, item: Item) -> Outcome:
        place: _Place[Item, Outcome] = _Place(item)
        if not self._enter(place):
            place.turn.acquire()
        if place.leads:
            self._lead(place)
        return self._act([item])[0] if place.outcome is None else place.outcome

    def _enter(self, place: _Place[Item, Outcome]) -> bool:
        """Whether the place leads at once. If not, its turn will come, perhaps before this returns."""
        with self._guard:
            self._waiting.append(place)
            if self._leader is None:
                self._leader, place.leads = place, True
                return True
            if self._gathering and len(self._waiting) >= self._crowd:
                self._gathering = False
                self._leader.turn.release()
            return False

    def _lead(self, leader: _Place[Item, Outcome]) -> None:
        """The group's work, then the word to those who wait. Whatever happens, the next group gets its leader."""
        group = self._gather(leader)
        started, coming_back = time.monotonic(), 0
        try:
            for place, outcome in zip(group, self._act([place.item for place in group]), strict=True):
                place.outcome = outcome
            coming_back = len(group)
        except Exception as error:
            if len(group) == 1:
                raise
            trail = logs.trail((type(error), error, error.__traceback__))
            logging.getLogger(__name__).warning("A group of %d failed; each is tried alone%s", len(group), trail)
        finally:
            self._pass_on(coming_back, started)
            for place in group:
                if place is not leader:
                    place.turn.release()

    def _gather(self, leader: _Place[Item, Outcome]) -> list[_Place[Item, Outcome]]:
        with self._guard:
            near = time.monotonic() < self._ended + self._lasted
            self._gathering = gathering = near and 2 * len(self._waiting) < self._crowd
        if gathering:
            leader.turn.acquire(timeout=min(PATIENCE * self._lasted, PATIENCE_MAX))
        with self._guard:
            self._gathering = False
            group, self._waiting = self._waiting, []
        return group

    def _pass_on(self, coming_back: int, started: float) -> None:
        with self._guard:
            self._ended = time.monotonic()
            self._lasted = self._ended - started
            self._crowd = coming_back + len(self._waiting)
            self._leader = self._waiting[0] if self._waiting else None
            if self._leader:
                self._leader.leads = True
                self._leader.turn.release()
