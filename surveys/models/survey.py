"""A survey: a draft, and once opened its frozen definition."""

import json
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

from ldp.forms import report
from ldp.forms.definition import groups
from ldp.question import Drawn
from surveys.models.words import WordField
from surveys.rules import spelling
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition
from surveys.survey.definition.layout import Layout

if TYPE_CHECKING:
    from ldp.inference.variables import Variable


class SurveyQuerySet(models.QuerySet["Survey"]):
    def published(self, slug: str) -> "Survey":
        """Return the open or closed survey with this slug. Raise Survey.DoesNotExist."""
        return self.exclude(state=Survey.State.DRAFT).get(slug=slug)

    def linked(self, code: str) -> "Survey":
        """Return the open or closed survey with this slug or short code. Raise Survey.DoesNotExist."""
        return self.exclude(state=Survey.State.DRAFT).get(models.Q(slug=code) | models.Q(code=code))

    def due(self, now: datetime) -> "SurveyQuerySet":
        """Return open surveys whose closing time has come."""
        return self.filter(state=Survey.State.OPEN, closes_at__lte=now)


class Survey(models.Model):
    """A draft, and once opened its frozen definition. A database trigger refuses changes to frozen columns."""

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"

    title = models.CharField(max_length=definitions.TITLE_MAX)
    draft = models.JSONField()  # The designer's draft, complete or not.
    state = WordField(max_length=6, choices=State.choices, default=State.DRAFT)
    slug = models.CharField(max_length=32, unique=True, null=True)
    code = models.CharField(max_length=8, null=True)  # Short, for people who type it instead of the link.
    canonical = models.TextField(default="")  # Canonical JSON, frozen at opening.
    digest = models.CharField(max_length=64, default="")
    results_public = models.BooleanField(default=False)  # Anyone with the link may see the results.
    microdata_public = models.BooleanField(default=False)  # Anyone with the link may download the randomized reports.
    # The files of each release's randomized reports are made with the release, and stay.
    keeps_files = models.BooleanField(default=False)
    opened_at = models.DateTimeField(null=True)
    # The survey closes at this number of reports. Frozen at opening.
    closes_after = models.PositiveBigIntegerField(null=True)
    stored = models.PositiveBigIntegerField(default=0)  # Reports stored, if closes_after is set.
    # Reports are taken and released in batches of at least this size, and at least the site's. Frozen at opening.
    batch = models.PositiveIntegerField(null=True)
    closes_at = models.DateTimeField(null=True)  # The survey closes at this time (UTC).
    closed_at = models.DateTimeField(null=True)
    end_moved_on = models.DateField(null=True)  # The day of the last change to its end after its first release.
    opens_at = models.DateTimeField(null=True)  # An opened survey takes reports from this time on (UTC).
    # The survey closes when every interval that holds at every release has at most this half-width, as a share. Frozen
    # at opening.
    closes_at_half_width = models.FloatField(null=True)
    # Nothing is released before the survey's end. Frozen at opening.
    publishes_once = models.BooleanField(default=False)
    expected_n = models.PositiveBigIntegerField(null=True)  # The expected number of respondents.
    previous = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="later_versions")
    # The links of its earlier versions lead to it while it is open. Frozen at opening.
    takes_link = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True)

    objects = SurveyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "closes_at"], name="survey_due")]
        # A constraint with a condition adds an index on SQLite and does not make the guarded table anew.
        constraints = [
            models.UniqueConstraint(fields=["code"], condition=models.Q(code__isnull=False), name="survey_code")
        ]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def first_opened(cls) -> datetime | None:
        """Return the time when the site's first survey opened."""
        first: datetime | None = cls.objects.aggregate(first=models.Min("opened_at"))["first"]
        return first

    @property
    def code_in_groups(self) -> str:
        return spelling.in_groups(self.code or "")

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @cached_property
    def definition(self) -> Definition:
        """Return the frozen definition as data. Only an opened survey has one."""
        data: Definition = json.loads(self.canonical)
        return data

    @cached_property
    def _layouts(self) -> dict[int, Layout]:
        return {}

    def layout(self, form: int) -> Layout:
        """Return the layout of a form's packed reports."""
        if form not in self._layouts:
            self._layouts[form] = Layout(self.definition, form)
        return self._layouts[form]

    @cached_property
    def questions(self) -> list[Drawn]:
        """Return the questions in order, each with its draw as if it were the only question."""
        return report.alone(self.definition)

    @cached_property
    def variables(self) -> "list[Variable]":
        """Return the variables that can be crossed, including means by one bit."""
        from ldp.inference.variables import with_means

        return with_means(self.questions)

    @property
    def alpha_total(self) -> str:
        return definitions.alpha_total(self.definition)

    @property
    def batch_size(self) -> int:
        """Return the frozen batch of an opened survey."""
        assert self.batch is not None
        return self.batch

    @property
    def unit_least(self) -> int:
        """Return the smallest group of an opened survey. If results are published by group, it is the number that
        results at the end need, else the number for a count of its answers (counts.py)."""
        return settings.RELEASE_LEAST if groups(self.definition) else self.batch_size

    @property
    def fewer_than(self) -> int | None:
        """Return the number of reports that the survey needed, if it ended with fewer; else None."""
        tally = getattr(self, "tally", None)
        return tally.fewer_than if tally else None

    @property
    def begins_later(self) -> bool:
        """Return whether the survey is open but takes no reports yet."""
        ahead = self.opens_at is not None and self.opens_at > timezone.now()
        return self.state == self.State.OPEN and ahead

    @property
    def ended_as_fixed(self) -> bool:
        """Return whether it ended at a time or a number of reports fixed before its first release, not by its results
        or by hand."""
        if self.closed_at is None or self.end_moved_on or self.closes_at_half_width is not None:
            return False
        in_time = self.closes_at is not None and self.closes_at <= self.closed_at
        return in_time or (self.closes_after is not None and self.closes_after <= self.stored)

    def led_to(self) -> "Survey | None":
        """Return the newest version that accepts reports and took over this link, directly or through other versions;
        None if there is none."""
        newest, versions = None, [self]
        while versions:
            versions = list(Survey.objects.filter(previous__in=versions, takes_link=True).order_by("pk"))
            newest = next((each for each in reversed(versions) if each.accepts_reports), newest)
        return newest

    def leading_here(self) -> "list[Survey]":
        """Return the earlier versions whose links it took over, newest first."""
        before = self.previous if self.takes_link else None
        return [before, *before.leading_here()] if before else []

    @property
    def accepts_reports(self) -> bool:
        due = self.closes_at is not None and self.closes_at <= timezone.now()
        return self.state == self.State.OPEN and not due and not self.begins_later
