"""What is stored. A waiting report's row knows its survey, its random id and its packed bytes: nothing else.

A report's way: it waits as a row (Report) until a batch has gathered. Then the worker takes the batch: adds it to the
tally, puts its bytes into a shuffled block, and of each report only the id stays (Taken), so that a retry is known.
What people see changes from release to release only (Release).
"""

import json
import secrets
from datetime import datetime
from functools import cached_property
from typing import Any

from django.conf import settings
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
    stored = models.PositiveBigIntegerField(
        default=0, editable=False, help_text="Reports stored, where closes_after is set."
    )
    batch = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Reports are taken and released in batches of at least so many; frozen at opening. "
        "The site's own number is the least.",
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
                batch=max(settings.BATCH, self.batch or 0),
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
    """One randomized report that waits for its batch. It is found by the browser's random id, and no number tells the
    order of arrival."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField(editable=False)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
    packed = models.BinaryField()


class Taken(models.Model):
    """The id of a report that was taken. A report enters the tally if and only if its id enters this table, once."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField(editable=False)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)


class Block(models.Model):
    """Reports of one survey in random order; see worker/blocks.py. Small ones are joined into large ones."""

    class Stage(models.TextChoices):
        HELD = "held", "held back for a later release"
        READY = "ready", "for the next release"
        RELEASED = "released"

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    stage = models.CharField(max_length=8, choices=Stage.choices)
    n = models.PositiveIntegerField()
    columns = models.BinaryField()


class Tally(models.Model):
    """Score totals of a survey's taken reports (S, n of M12), apart for those that are held back.

    `totals` are those of the blocks that are ready or released; `held_totals` those of the blocks that are held.
    """

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE)
    n = models.PositiveBigIntegerField(default=0)
    totals = models.JSONField(default=dict, help_text="Question key to method to totals per category.")
    held_n = models.PositiveBigIntegerField(default=0)
    held_totals = models.JSONField(default=dict)
    attempts = models.PositiveIntegerField(default=0, help_text="Tries to take since the last that succeeded.")
    traces = models.BooleanField(
        default=False, help_text="The database's files may still tell in which order the last batches came."
    )


# A release costs work and its readers attention: it is made when the tally has grown by a batch and by 1 / GROWTH.
GROWTH = 20


class ReleaseQuerySet(models.QuerySet["Release"]):
    def latest_of(self, survey: Survey) -> "Release | None":
        """The newest release that has its estimates."""
        return self.filter(survey=survey, document__isnull=False).order_by("number").last()


class Release(models.Model):
    """What is published of a survey at one time, for ever. A database trigger holds it."""

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    number = models.PositiveIntegerField(help_text="1, 2, ... of the survey.")
    day = models.DateField()
    final = models.BooleanField(help_text="The survey had ended and every report was taken.")
    n = models.PositiveBigIntegerField()
    totals = models.JSONField(help_text="As the tally's, of the n reports.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of n and totals in canonical JSON.")
    document = models.JSONField(null=True, help_text="The estimates; null until a worker has computed them.")
    attempts = models.PositiveIntegerField(default=0, help_text="Tries to compute the estimates.")

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"release {self.number} of {self.survey}"


class Recount(models.Model):
    """A recount of a release from its blocks, one part for each block."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE)
    dispatched_at = models.DateTimeField()


class RecountPart(models.Model):
    """A block's share of a recount; totals is null until a worker has counted it. A block in a recount stays."""

    recount = models.ForeignKey(Recount, on_delete=models.CASCADE, related_name="parts")
    block = models.ForeignKey(Block, on_delete=models.PROTECT)
    totals = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["recount", "block"], name="recount_block_once")]
