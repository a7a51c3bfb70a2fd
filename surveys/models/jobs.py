"""Jobs that are requested and that a worker does: a row for each, which is asked for, claimed, and ready or failed."""

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from surveys.models.words import WordField

# A worker that has stored no progress for so long counts as gone: the longest step in between takes some seconds.
STALE = timedelta(seconds=60)


class Job(models.Model):
    """The worker that raised `attempts` last works on the job. Each kind of job has its own `reason`s to fail."""

    class State(models.TextChoices):
        ASKED = "asked"
        WORKING = "working"
        READY = "ready"
        FAILED = "failed"

    UNDER_WAY: ClassVar = (State.ASKED, State.WORKING)

    progress: ClassVar[str]
    """The name of the field that counts what is done so far."""

    state = WordField(max_length=7, choices=State.choices, default=State.ASKED)
    attempts = models.PositiveIntegerField(default=0)
    worked_at = models.DateTimeField()  # When it was asked for, or last worked on.
    # Null where the site itself asked for it.
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True

    @classmethod
    def ask(cls, asked_by: User | None = None, **names: Any) -> bool:
        """Request the job with these fields, unless it is ready or under way; return whether that is new. A failed job
        is tried again."""
        fresh = {"state": cls.State.ASKED, "reason": "", "attempts": 0, cls.progress: 0, "worked_at": timezone.now()}
        fresh["asked_by"] = asked_by
        rows = cls._default_manager
        _, created = rows.get_or_create(**names, defaults=fresh)
        return created or bool(rows.filter(**names, state=cls.State.FAILED).update(**fresh))

    @classmethod
    def waiting(cls) -> models.QuerySet[Self]:
        """Return the jobs that wait for a worker, or whose worker is gone."""
        gone = Q(state=cls.State.WORKING, worked_at__lt=timezone.now() - STALE)
        return cls._default_manager.filter(Q(state=cls.State.ASKED) | gone)

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        """Return the row with its release and survey, for the caller to work on; None if it is not waiting."""
        fields = {"state": cls.State.WORKING, cls.progress: 0, "worked_at": timezone.now()}
        if not cls.waiting().filter(pk=pk).update(attempts=F("attempts") + 1, **fields):
            return None
        return cls._default_manager.select_related("release__survey").get(pk=pk)

    def mine(self) -> models.QuerySet[Self]:
        """Return the row as a query set, empty once another worker has claimed it, or the work on it has ended."""
        rows = type(self)._default_manager
        return rows.filter(pk=self.pk, state=self.State.WORKING, attempts=self.attempts)
