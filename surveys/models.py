"""What is stored. A report's row knows its survey, its random id, its packed bytes and the day: nothing else.

A report's way: stored by the intake (counted false), tallied (counted true), moved into a shuffled block (its bytes
gone, a keyed fingerprint left so that a retry is still recognised), and some time after the survey's end deleted.
"""

import hmac
import json
import secrets
import uuid
from datetime import datetime
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models, transaction
from django.utils import timezone

from surveys import definition as definitions


class SurveyQuerySet(models.QuerySet["Survey"]):
    def draft(self, draft: dict[str, Any], **fields: Any) -> "Survey":
        """Store a draft that could be opened. DraftRefused names what it lacks."""
        return self.create(title=definitions.build(draft)["title"], draft=draft, **fields)

    def published(self, slug: str) -> "Survey":
        """The open or closed survey of a slug. Survey.DoesNotExist where there is none."""
        return self.exclude(state=Survey.State.DRAFT).get(slug=slug)

    def due(self, now: datetime) -> "SurveyQuerySet":
        """Open surveys whose closing time has come."""
        return self.filter(state=Survey.State.OPEN, closes_at__lte=now)


class Survey(models.Model):
    """A draft, and once opened its frozen definition. A database trigger holds what is frozen."""

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"

    title = models.CharField(max_length=definitions.TITLE_MAX)
    draft = models.JSONField(help_text="What the designer edits: title, introduction and questions.")
    state = models.CharField(max_length=6, choices=State.choices, default=State.DRAFT, editable=False)
    slug = models.CharField(max_length=32, unique=True, null=True, editable=False)
    definition = models.TextField(default="", editable=False, help_text="Canonical JSON, frozen at opening.")
    digest = models.CharField(max_length=64, default="", editable=False)
    results_public = models.BooleanField(default=False, help_text="Anyone with the link may see the results.")
    opened_at = models.DateTimeField(null=True, editable=False)
    closes_after = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Closes by itself at this number of reports; frozen at opening."
    )
    taken = models.PositiveBigIntegerField(
        default=0, editable=False, help_text="Reports stored, where closes_after is set."
    )
    closes_at = models.DateTimeField(null=True, blank=True, help_text="Closes by itself at this time (UTC).")
    closed_at = models.DateTimeField(null=True, editable=False)

    objects = SurveyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "closes_at"], name="survey_due")]

    def __str__(self) -> str:
        return self.title

    def open(self) -> None:
        """Freeze the draft into the definition. DraftRefused names what a draft lacks, ValueError a wrong state."""
        frozen = definitions.build(self.draft)
        with transaction.atomic():
            changed = Survey.objects.filter(pk=self.pk, state=self.State.DRAFT).update(
                state=self.State.OPEN,
                title=frozen["title"],
                slug=_new_slug(),
                definition=definitions.canonical(frozen).decode(),
                digest=definitions.digest(frozen),
                opened_at=timezone.now(),
            )
            if changed != 1:
                raise ValueError("only a draft can be opened")
            Tally.objects.create(survey=self)
        self.refresh_from_db()

    def close(self) -> bool:
        """Close an open survey; False where it was not open (any more)."""
        changed = Survey.objects.filter(pk=self.pk, state=self.State.OPEN).update(
            state=self.State.CLOSED, closed_at=timezone.now()
        )
        self.refresh_from_db()
        return changed == 1

    @cached_property
    def frozen(self) -> dict[str, Any]:
        """The definition as data; an opened survey only."""
        data: dict[str, Any] = json.loads(self.definition)
        return data

    @property
    def questions(self) -> list[dict[str, Any]]:
        questions: list[dict[str, Any]] = self.frozen["questions"]
        return questions

    @property
    def alpha_total(self) -> str:
        return definitions.alpha_total(self.frozen)

    @property
    def accepts_reports(self) -> bool:
        due = self.closes_at is not None and self.closes_at <= timezone.now()
        return self.state == self.State.OPEN and not due


def _new_slug() -> str:
    """128 random bits as text, without a first character that a command would take for an option."""
    while (slug := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return slug


class Report(models.Model):
    """One randomized report. The key is the browser's random id, so no serial number tells the order of arrival."""

    id = models.UUIDField(primary_key=True, editable=False)
    # No index over all rows: the intake pays for each, and only what waits for work is ever looked up by survey.
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
    packed = models.BinaryField(null=True)
    fingerprint = models.BinaryField(null=True)
    day = models.DateField()
    counted = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["survey"], condition=models.Q(counted=False), name="report_uncounted"),
            models.Index(
                fields=["survey"], condition=models.Q(counted=True, packed__isnull=False), name="report_unmoved"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(packed__isnull=False, fingerprint=None)
                | models.Q(packed=None, fingerprint__isnull=False, counted=True),
                name="report_packed_or_moved",
            )
        ]

    def same(self, survey_id: int, packed: bytes) -> bool:
        """Whether this is the stored form of the report that came (again)."""
        if self.survey_id != survey_id:
            return False
        if self.packed is not None:
            return bytes(self.packed) == packed
        if hmac.compare_digest(bytes(self.fingerprint), fingerprint(self.pk, packed)):
            return True
        KeyMark.compare()
        return False


def fingerprint(report_id: uuid.UUID, packed: bytes) -> bytes:
    """What is left of a report's content beside its id once it has moved into a block.

    Keyed, because a plain hash of the few bytes of a report could be undone by trying all reports, and would tie
    the id to a row of the block again for whoever reads the database alone.
    """
    return hmac.digest(settings.SECRET_KEY.encode(), report_id.bytes + packed, "sha256")[:8]


class KeyMark(models.Model):
    """One row: the mark of the secret key with which this database's fingerprints are made.

    On a machine with another key a retry would look like somebody else's report with the same id.
    """

    complaint = "SECRET_KEY is not the one with which this database's reports were moved into blocks."

    mark = models.BinaryField()

    @classmethod
    def leave(cls) -> None:
        """Before the first fingerprint is made. ImproperlyConfigured where another key has left its mark."""
        cls.objects.get_or_create(pk=1, defaults={"mark": cls.own()})
        cls.compare()

    @classmethod
    def compare(cls) -> None:
        """ImproperlyConfigured where another key has left its mark."""
        if cls.objects.exclude(mark=cls.own()).exists():
            raise ImproperlyConfigured(cls.complaint)

    @classmethod
    def own(cls) -> bytes:
        return hmac.digest(settings.SECRET_KEY.encode(), b"mark of the key", "sha256")


class Block(models.Model):
    """Tens of thousands of tallied reports of one survey in random order; see worker/blocks.py. Never changed."""

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    n = models.PositiveIntegerField()
    columns = models.BinaryField()


class Tally(models.Model):
    """Score totals of a survey's counted reports (S, n of M12), and the worker's lease on the work that is left."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField(default=0)
    totals = models.JSONField(default=dict, help_text="Question key to method to totals per category.")
    moved = models.PositiveBigIntegerField(default=0, help_text="How many of the n are in blocks.")
    attempts = models.PositiveIntegerField(default=0, help_text="Claims since work last succeeded.")
    claimable_at = models.DateTimeField(default=timezone.now)


class Heartbeat(models.Model):
    """One row: when a sweep last ran, which takes schedule, broker and worker, and since when it found work."""

    swept_at = models.DateTimeField()
    backlog = models.PositiveBigIntegerField(help_text="Uncounted reports that the sweep found.")
    backlog_since = models.DateTimeField(null=True, help_text="The first sweep since which there always were some.")


class Estimate(models.Model):
    """The results as published, recomputed by the worker from the tally."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField()
    provisional = models.BooleanField()
    document = models.JSONField()
    computed_at = models.DateTimeField()


class Recount(models.Model):
    """A recount from the blocks: what it must equal, what was not in blocks, and one part for each block."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField()
    totals = models.JSONField(help_text="The tally at the moment of the request.")
    loose = models.JSONField(help_text="n and totals of the tallied reports outside of blocks at that moment.")
    dispatched_at = models.DateTimeField()


class RecountPart(models.Model):
    """A block's share of a recount; n and totals are null until a worker has counted it."""

    recount = models.ForeignKey(Recount, on_delete=models.CASCADE, related_name="parts")
    block = models.ForeignKey(Block, on_delete=models.CASCADE)
    totals = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["recount", "block"], name="recount_block_once")]
