"""Rows that are stored with a draft: changes that can be undone, earlier contents, notes on an import, and test
answers."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Revision(models.Model):
    """A change to a draft that the person who made it can undo."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="revisions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    said = models.TextField()  # What was done, in the language of the person who did it.
    cells = models.JSONField()  # Paths with their values before and after (drafts/cells.py).
    visit = models.CharField(max_length=32)  # Changes of one visit to a page are one.

    def __str__(self) -> str:
        return f"{self.user}: {self.said}"


class Snapshot(models.Model):
    """A draft after a change by any of its designers, kept until the survey is opened."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="snapshots")
    # Who made the change; null for the first content.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    said = models.TextField()  # What was done, in the language of the person who did it.
    visit = models.CharField(max_length=32)  # Changes of one visit to a page are one.
    at = models.DateTimeField()  # When it was done.
    content = models.JSONField()  # The draft.

    def __str__(self) -> str:
        return f"{self.survey}: {self.said}"


class ImportNotes(models.Model):
    """Notes on the import of the form that a draft was made from, until they are dismissed."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="import_notes")
    remarks = models.JSONField()  # Sentences with the names they are about (xlsform/remarks.py).
    decisions = models.JSONField()  # Questions that could be of another kind (xlsform/questions.py).

    def __str__(self) -> str:
        return f"what became of the form of {self.survey}"


class TryoutLink(models.Model):
    """The link through which people without an account test a draft, until it is ended or the survey opens."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="tryout_link")
    token = models.CharField(max_length=32, unique=True)

    def __str__(self) -> str:
        return f"the testers' link of {self.survey}"


class TryoutReport(models.Model):
    """A test answer: a report that the preview made and sent. It is never counted, and deleted when the survey
    opens."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="tryout_reports")
    body = models.TextField()  # As it was sent; its digest is marked, so that no survey takes it.
    definition = models.TextField()  # Canonical JSON of what was asked.
    at = models.DateTimeField()  # The minute in which it came.

    def __str__(self) -> str:
        return f"a test answer to {self.survey}"
