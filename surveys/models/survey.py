"""A survey: a draft, and once opened its frozen definition."""

import json
from datetime import datetime
from functools import cached_property

from django.conf import settings
from django.db import models
from django.utils import timezone

from ldp.forms import report
from ldp.forms.definition import groups
from ldp.question import Drawn
from surveys.rules import spelling
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition


class SurveyQuerySet(models.QuerySet["Survey"]):
    def published(self, slug: str) -> "Survey":
        """The open or closed survey of a slug. Survey.DoesNotExist where there is none."""
        return self.exclude(state=Survey.State.DRAFT).get(slug=slug)

    def linked(self, code: str) -> "Survey":
        """The open or closed survey of a slug, or of a short code that is typed. Survey.DoesNotExist likewise."""
        return self.exclude(state=Survey.State.DRAFT).get(models.Q(slug=code) | models.Q(code=code))

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
    draft = models.JSONField(help_text="What the designer edits, complete or not: title, introduction and questions.")
    state = models.CharField(max_length=6, choices=State.choices, default=State.DRAFT, editable=False)
    slug = models.CharField(max_length=32, unique=True, null=True, editable=False)
    code = models.CharField(
        max_length=8, null=True, editable=False, help_text="Short enough to be typed by who has no link."
    )
    canonical = models.TextField(default="", editable=False, help_text="Canonical JSON, frozen at opening.")
    digest = models.CharField(max_length=64, default="", editable=False)
    results_public = models.BooleanField(default=False, help_text="Anyone with the link may see the results.")
    microdata_public = models.BooleanField(
        default=False, help_text="Anyone with the link may take the randomized reports."
    )
    keeps_files = models.BooleanField(
        default=False, help_text="The files of each release's randomized reports are made with it, and stay."
    )
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
    end_moved_on = models.DateField(
        null=True, editable=False, help_text="When its end was last moved after its first release."
    )
    opens_at = models.DateTimeField(
        null=True, blank=True, help_text="Opened, it takes reports from this time on (UTC)."
    )
    closes_at_half_width = models.FloatField(
        null=True,
        blank=True,
        help_text="Closes by itself when every interval that holds at every release is at most so wide to each side, "
        "as a share; frozen at opening.",
    )
    publishes_once = models.BooleanField(
        default=False, help_text="Nothing is released before the survey has ended; frozen at opening."
    )
    expected_n = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="How many respondents the designer expects."
    )
    previous = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="later_versions"
    )
    takes_link = models.BooleanField(
        default=False, help_text="While it is open, the links of its earlier versions lead to it; frozen at opening."
    )
    archived_at = models.DateTimeField(null=True, editable=False)

    objects = SurveyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "closes_at"], name="survey_due")]
        # With a condition, SQLite adds an index and does not remake the guarded table.
        constraints = [
            models.UniqueConstraint(fields=["code"], condition=models.Q(code__isnull=False), name="survey_code")
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def code_in_groups(self) -> str:
        return spelling.in_groups(self.code or "")

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @cached_property
    def definition(self) -> Definition:
        """The frozen definition as data; an opened survey only."""
        data: Definition = json.loads(self.canonical)
        return data

    @cached_property
    def questions(self) -> list[Drawn]:
        """In their order, each as if it had been asked alone."""
        return report.alone(self.definition)

    @property
    def alpha_total(self) -> str:
        return definitions.alpha_total(self.definition)

    @property
    def batch_size(self) -> int:
        """The frozen number of an opened survey."""
        assert self.batch is not None
        return self.batch

    @property
    def unit_least(self) -> int:
        """How many people a group of an opened survey begins with: as many as a result needs at its end, where results
        are published by group, or as a count of its answers needs (counts.py)."""
        return settings.RELEASE_LEAST if groups(self.definition) else self.batch_size

    @property
    def fewer_than(self) -> int | None:
        """It ended with fewer reports than this, too few to publish anything; None where that is not so."""
        tally = getattr(self, "tally", None)
        return tally.fewer_than if tally else None

    @property
    def begins_later(self) -> bool:
        """Whether it was opened and takes no reports yet."""
        ahead = self.opens_at is not None and self.opens_at > timezone.now()
        return self.state == self.State.OPEN and ahead

    @property
    def ended_as_fixed(self) -> bool:
        """Whether it ended at a time or a number of reports that was fixed before its first release, and not because of
        its results or by hand."""
        if self.closed_at is None or self.end_moved_on or self.closes_at_half_width is not None:
            return False
        in_time = self.closes_at is not None and self.closes_at <= self.closed_at
        return in_time or (self.closes_after is not None and self.closes_after <= self.stored)

    def led_to(self) -> "Survey | None":
        """The newest version that takes reports and took over this one's link, itself or by versions between them."""
        newest, versions = None, [self]
        while versions:
            versions = list(Survey.objects.filter(previous__in=versions, takes_link=True).order_by("pk"))
            newest = next((each for each in reversed(versions) if each.accepts_reports), newest)
        return newest

    def leading_here(self) -> "list[Survey]":
        """The earlier versions whose links it took over."""
        before = self.previous if self.takes_link else None
        return [before, *before.leading_here()] if before else []

    @property
    def accepts_reports(self) -> bool:
        due = self.closes_at is not None and self.closes_at <= timezone.now()
        return self.state == self.State.OPEN and not due and not self.begins_later
