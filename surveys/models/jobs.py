"""What somebody asks for and a worker makes: one row for each, asked for, claimed, made or failed."""

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

# Whoever has noted no progress for so long is taken to be gone: the longest step between two notes takes some seconds.
STALE = timedelta(seconds=60)


class Job(models.Model):
    """Whoever raises `attempts` works on it until somebody else does. Each kind has its own `reason`s to fail."""

    class State(models.TextChoices):
        ASKED = "asked"
        WORKING = "working"
        READY = "ready"
        FAILED = "failed"

    UNDER_WAY: ClassVar = (State.ASKED, State.WORKING)

    progress: ClassVar[str]
    """The field that counts what is done of it so far."""

    state = models.CharField(max_length=7, choices=State.choices, default=State.ASKED)
    attempts = models.PositiveIntegerField(default=0)
    worked_at = models.DateTimeField(help_text="When it was asked for, or last worked on.")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Nobody where the site itself had it made.",
    )

    class Meta:
        abstract = True

    @classmethod
    def ask(cls, asked_by: User | None = None, **names: Any) -> bool:
        """Have the row of these names made, unless it is or is on its way; whether that is new. What failed is tried
        again."""
        fresh = {"state": cls.State.ASKED, "reason": "", "attempts": 0, cls.progress: 0, "worked_at": timezone.now()}
        fresh["asked_by"] = asked_by
        rows = cls._default_manager
        _, created = rows.get_or_create(**names, defaults=fresh)
        return created or bool(rows.filter(**names, state=cls.State.FAILED).update(**fresh))

    @classmethod
    def waiting(cls) -> models.QuerySet[Self]:
        """The rows that nobody works on."""
        gone = Q(state=cls.State.WORKING, worked_at__lt=timezone.now() - STALE)
        return cls._default_manager.filter(Q(state=cls.State.ASKED) | gone)

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        """The row with its release and survey, for the caller to work on; None if it is not waiting."""
        fields = {"state": cls.State.WORKING, cls.progress: 0, "worked_at": timezone.now()}
        if not cls.waiting().filter(pk=pk).update(attempts=F("attempts") + 1, **fields):
            return None
        return cls._default_manager.select_related("release__survey").get(pk=pk)

    def mine(self) -> models.QuerySet[Self]:
        """The row, while it is being worked on and nobody else has claimed it since."""
        rows = type(self)._default_manager
        return rows.filter(pk=self.pk, state=self.State.WORKING, attempts=self.attempts)
