"""The releases of a survey: its published results."""

from functools import cached_property
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey
from surveys.survey.definition.layout import layouts

if TYPE_CHECKING:
    from ldp.forms.results import FormTally
    from ldp.inference.variables import Variable
    from ldp.question import Drawn
    from ldp.results import Counted

# A release costs work and readers' attention. It is made once the tally has grown by a batch and by 1 / GROWTH.
GROWTH = 20


def least_of_form(batch: int) -> int:
    """Return the fewest reports of a form with results in an open survey."""
    return max(batch, settings.RELEASE_LEAST)


def first_release(batch: int) -> tuple[int, int]:
    """Return the smallest and largest number of reports at which a form's first results appear, if a worker takes each
    batch at once. One batch is held back."""
    least = batch + least_of_form(batch)
    return least, least + batch


class ReleaseQuerySet(models.QuerySet["Release"]):
    def latest_of(self, survey: Survey) -> "Release | None":
        """Return the newest release with estimates."""
        return self.filter(survey=survey, document__isnull=False).order_by("number").last()

    def readable(self, survey: Survey) -> "ReleaseQuerySet":
        """Return the releases with estimates, in order, without the long fields, which results/response_cache.py
        keeps."""
        estimated = self.filter(survey=survey, document__isnull=False)
        return estimated.select_related("survey").defer("document", "tallies").order_by("number")

    def numbers(self, survey: Survey, last: int) -> list[list[int]]:
        """Return the number of reports of each form, one row for each release up to number `last`."""
        tallies = self.filter(survey=survey, number__lte=last).order_by("number").values_list("tallies", flat=True)
        return [[tally["n"] for tally in each] for each in tallies]


class Release(models.Model):
    """Published results of a survey at a time. A database trigger refuses changes."""

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()  # Numbered 1, 2, ... within the survey.
    day = models.DateField()
    final = models.BooleanField()  # The survey had ended and every report was taken.
    n = models.PositiveBigIntegerField()  # Of all forms together.
    tallies = models.JSONField()  # Like the tally's: n and totals of each form.
    digest = models.CharField(max_length=64)  # SHA-256 of the tallies in canonical JSON.
    document = models.JSONField(null=True)  # The estimates; null until a worker has computed them.
    attempts = models.PositiveIntegerField(default=0)  # Attempts to compute the estimates.

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "number"], name="release_number_once")]

    @cached_property
    def form_tallies(self) -> list["FormTally"]:
        """Return the number of reports and the totals of each form."""
        from ldp.forms.results import FormTally  # loads scipy, and the intake imports this file

        each = zip(layouts(self.survey.definition), self.tallies, strict=True)
        return [
            FormTally(tally["n"], tuple(tally["totals"][field.key] for field in layout.fields if tally["n"]))
            for layout, tally in each
        ]

    @cached_property
    def counted(self) -> dict[str, "Counted"]:
        """Return, by key, each question with reports: the question as if it were the only one, its totals, and the
        number of its reports."""
        from ldp.forms import results

        every = results.counted(self.survey.definition, self.form_tallies)
        return {question["key"]: (question, totals, n) for question, totals, n in every}

    @property
    def counted_questions(self) -> "list[Drawn]":
        """Return the questions with reports."""
        return [question for question, _, _ in self.counted.values()]

    @cached_property
    def variables(self) -> "list[Variable]":
        """Return the variables that can be crossed, including means by one bit."""
        from ldp.inference.variables import with_means

        return with_means(self.counted_questions)

    @property
    def is_for_one_look(self) -> bool:
        """Return whether no result could influence the survey's end (M29). Either the end was fixed before the first
        release and kept, or no earlier release exists."""
        if not self.final or self.survey.closes_at_half_width is not None:
            return False
        return self.survey.ended_as_fixed or not Release.objects.filter(survey=self.survey_id, final=False).exists()

    def is_newest(self) -> bool:
        """Return whether it is the survey's newest release. The released blocks hold its reports."""
        return not Release.objects.filter(survey=self.survey_id, number__gt=self.number).exists()

    def __str__(self) -> str:
        return f"release {self.number} of {self.survey}"
