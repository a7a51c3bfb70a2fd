"""Reports that wait, and the ids of those that were taken."""

from datetime import timedelta

from django.db import models

from surveys.models.survey import Survey

# How long after a survey's end the ids of its reports stay, for browsers that try again.
KEEP_IDS = timedelta(days=30)


class Report(models.Model):
    """One randomized report that waits for its batch. Its key is the browser's random id, and nothing stored shows the
    order of arrival."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField()
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
    packed = models.BinaryField()
    form = models.PositiveSmallIntegerField(db_default=0)  # The form that it is of, from 0 on.


class ReportId(models.Model):
    """The id of a report that was taken. A report is added to the tally if and only if its id is added here, once."""

    pk = models.CompositePrimaryKey("survey_id", "id")
    id = models.UUIDField()
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, db_index=False)
