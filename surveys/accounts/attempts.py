"""Attempts to sign in: after a few wrong ones a name, and a client, must wait, each time longer.

Counted for the whole site in the memory of its Redis (shared.py), and while that does not answer in each process's own
(memory.py): the limit is then one of each process, so nobody is locked out and nothing is open. All stands under keyed
hashes; the key and all counts are forgotten every hour.
"""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from surveys.accounts.memory import Count, Memory, ProcessMemory
from surveys.accounts.shared import LOST, SharedMemory
from surveys.operation.window import mark

# Attempts before the first pause; many people may share an address.
FREE = {"name": 5, "client": 10, "device": 5}
LONGEST = 60.0  # seconds of a pause: whoever is attacked gets a turn again

T = TypeVar("T")


class Attempts:
    """Each attempt counts as a wrong one when it is admitted, so that a hundred at once are not all free."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        longest: float = LONGEST,
        shared: SharedMemory | None = None,
    ) -> None:
        self.own, self._shared, self._longest = ProcessMemory(clock), shared, longest

    def admit(self, name: str, client: bytes | None, device: bytes | None = None) -> float:
        """The seconds to wait; 0 where this attempt may be made now, and counts."""
        return self._remembered(lambda memory: self._admit(memory, name, client, device))

    def succeeded(self, name: str, client: bytes | None, device: bytes | None = None) -> None:
        """The attempt was right: the name is free again, and other people's wrong attempts at it hold this client no
        more. Of the client's own count it takes back itself and no other: whoever has an account buys no attempts at
        other names with it."""
        self._remembered(lambda memory: self._succeeded(memory, name, client, device))

    def _remembered(self, action: Callable[[Memory], T]) -> T:
        if self._shared is not None and not self._shared.resting:
            try:
                return action(self._shared)
            except LOST:
                self._shared.rest()
        return action(self.own)

    def _admit(self, memory: Memory, name: str, client: bytes | None, device: bytes | None) -> float:
        moment = memory.moment()
        marks = _marks(memory, moment.key, name, client, device)

        def rule(counts: Sequence[Count]) -> tuple[float, Sequence[Count]]:
            pause = max((count.free_at - moment.now for count in counts), default=0.0)
            if pause > 0:
                return min(pause, self._longest), counts  # what is added to a clock is rounded
            return 0.0, [self._after(kind, count, moment.now) for kind, count in zip(marks, counts, strict=True)]

        return memory.change(moment, list(marks.values()), rule)

    def _after(self, kind: str, count: Count, now: float) -> Count:
        wrong = count.wrong + 1
        over = wrong - FREE[kind]
        # Beyond so many doublings any pause is the longest.
        return Count(wrong, now + min(2.0 ** min(over, 64), self._longest) if over >= 0 else count.free_at)

    def _succeeded(self, memory: Memory, name: str, client: bytes | None, device: bytes | None) -> None:
        moment = memory.moment()
        memory.drop([mark(moment.key, "name", name), *([mark(moment.key, "device", device)] if device else [])])
        if client is None:
            return
        memory.remember(moment, mark(moment.key, "pair", name, client))
        if device is None:  # else nothing was counted for the client
            memory.change(moment, [mark(moment.key, "client", client)], _undone)


def _undone(counts: Sequence[Count]) -> tuple[None, Sequence[Count]]:
    """One attempt less. A pause that has begun goes on: it may be another attempt's."""
    return None, [count._replace(wrong=max(count.wrong - 1, 0)) for count in counts]


def _marks(memory: Memory, key: bytes, name: str, client: bytes | None, device: bytes | None) -> dict[str, bytes]:
    """What an attempt counts for. A name alone does not hold a client that has signed in with it, and a device that has
    is held by its own attempts only (devices.py)."""
    if device is not None:
        return {"device": mark(key, "device", device)}
    known = client is not None and memory.knows(mark(key, "pair", name, client))
    marks = {} if known else {"name": mark(key, "name", name)}
    return marks if client is None else marks | {"client": mark(key, "client", client)}
