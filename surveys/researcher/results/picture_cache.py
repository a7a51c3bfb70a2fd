"""A cache of results that are computed once for everyone. The cache remembers failures, too. Otherwise readers could
repeat failing work as often as they like, with a stack in the log each time."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from typing import Generic, TypeVar

from django.db import DatabaseError
from django.http import Http404

from surveys.web.gate import Gate

FORGOTTEN_AFTER = 600  # seconds

PASSING = (Http404, DatabaseError, MemoryError)  # not failures of the result itself

Thing = TypeVar("Thing")


class Failed(Exception):
    """The result failed recently; the log has the error."""


class Shelf(Generic[Thing]):
    """A cache of at most `most` results; the least recently used is dropped. The gate, if any, limits computations."""

    def __init__(self, most: int, gate: Gate | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._gate, self._clock = most, gate, clock
        self._things: OrderedDict[Hashable, Thing | float] = OrderedDict()  # a failure has its time
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the result, computed at the first request. A failure raises the error of `make`, and for a while
        afterwards Failed. Raise Busy if the gate does."""
        thing = self._lookup(key)
        if thing is not None:
            return thing
        with self._gate.turn() if self._gate else nullcontext():
            thing = self._lookup(key)  # from the previous thread
            return self._painted(key, make) if thing is None else thing

    def clear(self) -> None:
        with self._lock:
            self._things.clear()

    def _lookup(self, key: Hashable) -> Thing | None:
        with self._lock:
            thing = self._things.get(key)
            if thing is None:
                return None
            if isinstance(thing, float):
                if self._clock() < thing + FORGOTTEN_AFTER:
                    raise Failed
                return None
            self._things.move_to_end(key)
            return thing

    def _painted(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        try:
            thing = make()
        except PASSING:
            raise
        except Exception:
            self._put(key, self._clock())
            raise
        self._put(key, thing)
        return thing

    def _put(self, key: Hashable, thing: Thing | float) -> None:
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
