"""The Celery application and its schedule."""

import os

from celery import Celery
from celery.schedules import crontab
from celery.signals import beat_init, setup_logging, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

app = Celery("worker", include=["worker.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")

# A sweep finds all work there is, so a lost sweep costs a second and a repeated one nothing. Sweeps that wait too long
# are dropped, and do not pile up behind a busy worker.
SWEEP_SECONDS = 1.0
app.conf.beat_scheduler = "worker.schedule:Schedule"
app.conf.beat_schedule = {
    "sweep": {"task": "worker.tasks.sweep", "schedule": SWEEP_SECONDS, "options": {"expires": 5 * SWEEP_SECONDS}},
    "tell": {"task": "worker.tasks.tell", "schedule": 60.0, "options": {"expires": 60.0}},
    # At full hours, so that an alert reveals only the hour of a release.
    "notice": {"task": "worker.tasks.notice", "schedule": crontab(minute=0), "options": {"expires": 600.0}},
    "count_people": {"task": "worker.tasks.count_people", "schedule": crontab(minute=0), "options": {"expires": 600.0}},
    "purge": {"task": "worker.tasks.purge", "schedule": 3600.0},
}


def leave_logging(**options: object) -> None:
    """Do nothing. Django's settings configure logging (surveys/operation/logging.py). Without a receiver of this signal
    Celery would configure it again."""


setup_logging.connect(leave_logging, weak=False)


def count_process(**options: object) -> None:
    from surveys.operation.counts import count_start  # which needs Django's settings

    count_start("worker")


worker_process_init.connect(count_process, weak=False)


def count_schedule(**options: object) -> None:
    from surveys.operation.counts import count_start

    count_start("schedule")


beat_init.connect(count_schedule, weak=False)
