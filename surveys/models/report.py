"""Waiting reports, and the ids of reports that were taken."""

from datetime import timedelta

from django.db import models

from surveys.models.survey import Survey

# The ids of reports stay this long after a survey's end, for browsers that try again.
KEEP_IDS = timedelta(days=30)


class Report(models.Model):
    """A randomized report that waits for its batch. Its key is the browser's random id. Nothing stored shows the order
    of arrival."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField()
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
    packed = models.BinaryField()
    form = models.PositiveSmallIntegerField(db_default=0)  # The report's form, from 0.


class ReportId(models.Model):
    """The id of a report that was taken. A report is added to the tally exactly when its id is added here, once."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField()
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
