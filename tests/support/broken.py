"""Five ways to lose or double reports, each a small and plausible change of the product; the harness must see each.

This module takes the place of `surveys.rsgi` and `worker` in the processes of a system: BROKEN in the environment says
which change it makes before it passes the intake's application and the Celery application on. Where a fault needs two
things to meet, the time between them is widened, so that a few seconds are enough; without it the fault would be the
same and only rarer.
"""

import os
import queue
import random
import re
import threading
import time
import uuid
from typing import Any

import django
from django.db import transaction
from django.db.backends.signals import connection_created

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

from surveys.models import Report, Survey, Tally  # noqa: E402
from surveys.respondent.intake import replies, storage  # noqa: E402
from surveys.rsgi import application  # noqa: E402
from worker import batches, tasks  # noqa: E402
from worker.celery import app  # noqa: E402

__all__ = ["app", "application"]


def two_transactions() -> None:
    """The worker empties the rows of a batch in one transaction and adds it in the next, while the survey is open two
    seconds later."""

    def take(survey: Survey) -> int:
        with transaction.atomic():
            packed = batches._claim(survey, 0) if Report.objects.filter(survey=survey).count() >= survey.batch else []
        if packed:
            time.sleep(2 if survey.state == Survey.State.OPEN else 0)
            with transaction.atomic():
                tally = Tally.objects.select_for_update().get(survey=survey)
                batches._keep(survey, tally, 0, batches.as_rows(survey, 0, packed))
        return len(packed)

    tasks.take = take


def check_then_insert() -> None:
    """The intake looks whether the id is known and inserts up to 1.5 s later without another look; no unique key is
    behind it. Where the worker takes a report between its two inserts, it is counted twice.

    Whoever runs this takes the primary keys off both tables first.
    """
    conflict, look = "ON CONFLICT DO NOTHING", re.compile(r"AND NOT EXISTS \([^)]*\)")
    statement = storage._POSTGRESQL.text
    assert conflict in statement and conflict in batches._POSTGRESQL and look.search(statement)
    storage._POSTGRESQL = storage._POSTGRESQL._replace(text=look.sub("", statement.replace(conflict, "")))
    batches._POSTGRESQL = batches._POSTGRESQL.replace(conflict, "")

    recorded = storage.recorded

    def insert(rows: list[storage.Row]) -> list[bool]:
        new = [not known for known in recorded(rows)]
        time.sleep(random.uniform(0, 1.5))
        storage._stored([row for row, one in zip(rows, new, strict=True) if one], None)
        return new

    storage._insert = insert


def no_id() -> None:
    """The server makes the id, so a report that comes again is a new one."""
    parse = replies.parse
    replies.parse = lambda body: parse(body)._replace(report_id=str(uuid.uuid4()))


def acknowledge_before_commit() -> None:
    """The intake hands reports to a thread that stores them every 200 ms, and acknowledges at once."""
    waiting = queue.SimpleQueue[list[storage.Row]]()
    store = storage.store_all

    def work() -> None:
        while True:
            time.sleep(0.2)
            while not waiting.empty():
                store(waiting.get())

    def soon(rows: list[storage.Row]) -> list[storage.Outcome]:
        waiting.put(rows)
        return [storage.Outcome.RECORDED] * len(rows)

    storage.store_all = soon
    threading.Thread(target=work, daemon=True).start()


def synchronous_commit_off() -> None:
    """PostgreSQL acknowledges commits that are still in its shared memory, and the check that refuses this is gone."""

    def relax(connection: Any, **options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")

    connection_created.disconnect(dispatch_uid="surveys.operation.durability")
    connection_created.connect(relax, dispatch_uid="tests.support.broken", weak=False)


VARIANTS = (two_transactions, check_then_insert, no_id, acknowledge_before_commit, synchronous_commit_off)
next(variant for variant in VARIANTS if variant.__name__ == os.environ["BROKEN"])()
