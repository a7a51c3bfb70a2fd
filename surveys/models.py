"""What is stored. A report's row knows its survey, its random id, its packed bytes and the day: nothing else."""

import json
import secrets
from datetime import datetime
from functools import cached_property
from typing import Any

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
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    packed = models.BinaryField()
    day = models.DateField()
    counted = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["survey"], condition=models.Q(counted=False), name="report_uncounted")]


class Tally(models.Model):
    """Score totals of a survey's counted reports (S, n of M12), and the worker's lease on the work that is left."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField(default=0)
    totals = models.JSONField(default=dict, help_text="Question key to method to totals per category.")
    attempts = models.PositiveIntegerField(default=0, help_text="Claims since work last succeeded.")
    claimable_at = models.DateTimeField(default=timezone.now)


class Estimate(models.Model):
    """The results as published, recomputed by the worker from the tally."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField()
    provisional = models.BooleanField()
    document = models.JSONField()
    computed_at = models.DateTimeField()
