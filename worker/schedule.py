"""A schedule that survives changes of the machine's clock.

Celery stores by the clock when a task is next due. If the clock is set back by a day, Celery would start nothing for a
day, even after a restart, because its file has the times.
"""

import time

from celery.beat import PersistentScheduler

JUMP = 2.0  # seconds that the clock has moved


class Schedule(PersistentScheduler):  # type: ignore[misc]
    """A schedule that starts anew when the clock has been changed."""

    _offset: float | None = None  # between the clock and the monotonic time

    def tick(self, *args: object, **options: object) -> float:
        offset = time.time() - time.monotonic()
        if self._offset is None or abs(offset - self._offset) > JUMP:
            self._begin_anew()
            self._offset = offset
        return float(super().tick(*args, **options))

    def _begin_anew(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = min(entry.last_run_at, entry.default_now())
        self._heap = None
