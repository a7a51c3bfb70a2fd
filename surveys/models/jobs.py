"""Jobs for a worker. Each has a row: it is requested, claimed, and ready or failed."""

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from surveys.models.words import WordField

# A worker without progress for this long counts as gone; the longest step takes some seconds.
STALE = timedelta(seconds=60)


class Job(models.Model):
    """A job. The worker that last raised `attempts` works on it. Each kind of job has its own `reason`s to fail."""

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
    worked_at = models.DateTimeField()  # The time of the request, or of the last work.
    # Null if the site requested it.
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True

    @classmethod
    def ask(cls, asked_by: User | None = None, **names: Any) -> bool:
        """Request the job with these fields, unless it is ready or under way. Return whether the request is new. A
        failed job is tried again."""
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
        """Claim the row and return it with its release and survey; None if it is not waiting."""
        fields = {"state": cls.State.WORKING, cls.progress: 0, "worked_at": timezone.now()}
        if not cls.waiting().filter(pk=pk).update(attempts=F("attempts") + 1, **fields):
            return None
        return cls._default_manager.select_related("release__survey").get(pk=pk)

    def mine(self) -> models.QuerySet[Self]:
        """Return the row as a query set. It is empty once another worker has claimed the row, or its work has ended."""
        rows = type(self)._default_manager
        return rows.filter(pk=self.pk, state=self.State.WORKING, attempts=self.attempts)
