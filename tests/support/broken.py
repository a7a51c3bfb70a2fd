"""Five ways to lose or double reports. Each is a small and plausible change of the product, and the harness must notice
each.

The processes of a system load this module instead of `surveys.rsgi` and `worker`. The variable BROKEN names the change.
The module makes the change and then passes on the intake's application and the Celery application. Some faults need two
events to meet. Here the time between these events is widened, so that a few seconds show the fault; without that the
fault would be the same but rarer.
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
    """Make the worker delete a batch's rows in one transaction and add the batch to the tally in the next. An open
    survey waits two seconds between the two."""

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
    """Make the intake check whether the id is known, and insert up to 1.5 s later without another check or a unique
    key. If the worker takes the report between two inserts, the report counts twice.

    The caller must first drop the primary keys of both tables.
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
    """Make the server create the id. A repeated report then counts as a new one."""
    parse = replies.parse
    replies.parse = lambda body: parse(body)._replace(report_id=str(uuid.uuid4()))


def acknowledge_before_commit() -> None:
    """Make the intake acknowledge at once. A thread stores the reports every 200 ms."""
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
    """Make PostgreSQL acknowledge commits that are only in its shared memory, and remove the check that refuses
    this."""

    def relax(connection: Any, **options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")

    connection_created.disconnect(dispatch_uid="surveys.operation.durability")
    connection_created.connect(relax, dispatch_uid="tests.support.broken", weak=False)


VARIANTS = (two_transactions, check_then_insert, no_id, acknowledge_before_commit, synchronous_commit_off)
next(variant for variant in VARIANTS if variant.__name__ == os.environ["BROKEN"])()
