"""Limits on attempts to sign in. After a few wrong attempts a name and a client must wait, longer each time.

Redis counts for the whole site (shared.py). While Redis does not answer, each process counts in its own memory
(memory.py) and applies the limit alone. Counts are stored under keyed hashes. The key and all counts are forgotten
every hour.
"""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from surveys.accounts.memory import Count, Memory, ProcessMemory
from surveys.accounts.shared import LOST, SharedMemory
from surveys.operation.window import mark

# Attempts before the first pause. Many people may share an IP address.
FREE = {"name": 5, "client": 10, "device": 5}
LONGEST = 60.0  # seconds of the longest pause: the owner of an attacked name gets a turn again

T = TypeVar("T")


class Attempts:
    """Counts of attempts. An admitted attempt counts as wrong at once, or a hundred parallel ones would be free."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, longest: float = LONGEST, shared: SharedMemory | None = None
    ) -> None:
        self.own, self._shared, self._longest = ProcessMemory(clock), shared, longest

    def admit(self, name: str, client: bytes | None, device: bytes | None = None) -> float:
        """Return the seconds to wait. Return 0 and count the attempt if it may be made now."""
        return self._remembered(lambda memory: self._admit(memory, name, client, device))

    def succeeded(self, name: str, client: bytes | None, device: bytes | None = None) -> None:
        """Record that the attempt was right. The name's count ends. Wrong attempts at this name no longer delay this
        client. The client's count drops by this attempt only, so a user's own account buys no attempts at other names.
        """
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
                return min(pause, self._longest), counts  # sums with the clock are rounded
            return 0.0, [self._after(kind, count, moment.now) for kind, count in zip(marks, counts, strict=True)]

        return memory.change(moment, list(marks.values()), rule)

    def _after(self, kind: str, count: Count, now: float) -> Count:
        wrong = count.wrong + 1
        over = wrong - FREE[kind]
        # After 64 doublings every pause is the longest.
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
    """Take back one attempt. A pause goes on, because another attempt may have caused it."""
    return None, [count._replace(wrong=max(count.wrong - 1, 0)) for count in counts]


def _marks(memory: Memory, key: bytes, name: str, client: bytes | None, device: bytes | None) -> dict[str, bytes]:
    """Return the marks under which an attempt counts, by kind. A known device has a mark of its own (devices.py). A
    client that has signed in with the name has no mark for the name."""
    if device is not None:
        return {"device": mark(key, "device", device)}
    known = client is not None and memory.knows(mark(key, "pair", name, client))
    marks = {} if known else {"name": mark(key, "name", name)}
    return marks if client is None else marks | {"client": mark(key, "client", client)}
