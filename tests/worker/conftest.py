"""Fixture: the tasks that a sweep starts."""

import pytest


@pytest.fixture
def started(monkeypatch, settings, redis_url):
    """Return the keys of the tasks that a sweep starts; the tasks do not run."""
    from surveys.operation import heartbeat  # once Django is set up
    from worker import tasks

    settings.REDIS_URL = redis_url
    heartbeat._redis().flushall()
    keys = {"process": [], "estimate": []}
    for name, own in keys.items():
        monkeypatch.setattr(getattr(tasks, name), "apply_async", lambda args, own=own, **options: own.append(args[0]))
    return keys
