"""The Celery application and its schedule."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

app = Celery("worker", include=["worker.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")

# A sweep finds all work there is, so a lost one costs a second and a doubled one nothing. One that waited longer than
# its successor takes is dropped instead of piling up behind a busy worker.
SWEEP_SECONDS = 1.0
app.conf.beat_schedule = {
    "sweep": {"task": "worker.tasks.sweep", "schedule": SWEEP_SECONDS, "options": {"expires": 5 * SWEEP_SECONDS}},
    "purge": {"task": "worker.tasks.purge", "schedule": 3600.0},
}
