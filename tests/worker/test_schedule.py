"""The schedule continues after a change of the machine's clock."""

import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from celery import Celery

from worker.schedule import Schedule

DAY = 86400


class Site:
    """A schedule with one entry that is due each second, and a clock that the test sets."""

    def __init__(self, folder, monkeypatch):
        self.set, self.sent, self._file = 0.0, 0, str(folder / "schedule")
        clock = SimpleNamespace(time=lambda: time.time() + self.set, monotonic=time.monotonic)
        monkeypatch.setattr("worker.schedule.time", clock)
        self.start()

    def start(self):
        app = Celery("clock", broker="memory://", set_as_current=False)
        app.conf.beat_schedule = {"each": {"task": "each", "schedule": 0.05}}
        app.now = lambda: datetime.now(UTC) + timedelta(seconds=self.set)
        self._schedule = Schedule(app=app, schedule_filename=self._file)
        self._schedule.apply_async = self._send

    def _send(self, *args, **options):
        self.sent += 1

    def stop(self):
        self._schedule.close()

    def runs(self):
        """Return whether something starts soon if no sleep is longer than the schedule says."""
        before, deadline = self.sent, time.monotonic() + 10
        while self.sent == before and time.monotonic() < deadline:
            assert self._schedule.tick() <= 1
            time.sleep(0.01)
        return self.sent > before


@pytest.mark.parametrize("jumps", [(DAY, 0), (-DAY, 0), (3600, 2 * DAY, -DAY)])
def test_it_goes_on_after_the_clock_was_set_and_after_a_new_start(tmp_path, monkeypatch, jumps):
    site = Site(tmp_path, monkeypatch)
    assert site.runs()
    for site.set in jumps:
        assert site.runs(), f"at {site.set} s"
    site.stop()
    site.set -= DAY
    site.start()
    assert site.runs(), "its file has moments that lie ahead"
    site.stop()
