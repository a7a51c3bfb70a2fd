"""Rows stored with a draft: changes for undo, earlier contents, notes on an import, and test answers."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Revision(models.Model):
    """A change to a draft that its user can undo."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="revisions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    said = models.TextField()  # The message, in the user's language.
    cells = models.JSONField()  # Paths with their values before and after (drafts/cells.py).
    visit = models.CharField(max_length=32)  # Changes of one visit to a page are undone together.

    def __str__(self) -> str:
        return f"{self.user}: {self.said}"


class Snapshot(models.Model):
    """A draft after a change by any designer, kept until the survey opens."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="snapshots")
    # The user who made the change; null for the first content.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    said = models.TextField()  # The message, in the user's language.
    visit = models.CharField(max_length=32)  # Changes of one visit to a page share a snapshot.
    at = models.DateTimeField()  # The time of the change.
    content = models.JSONField()  # The draft.

    def __str__(self) -> str:
        return f"{self.survey}: {self.said}"


class ImportNotes(models.Model):
    """Notes on the import of a draft, until a user dismisses them."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="import_notes")
    remarks = models.JSONField()  # Sentences with the names that they are about (xlsform/remarks.py).
    decisions = models.JSONField()  # Questions that could have another kind (xlsform/questions.py).

    def __str__(self) -> str:
        return f"what became of the form of {self.survey}"


class TryoutLink(models.Model):
    """The link through which people without an account test a draft, until a user ends it or the survey opens."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="tryout_link")
    token = models.CharField(max_length=32, unique=True)

    def __str__(self) -> str:
        return f"the testers' link of {self.survey}"


class TryoutReport(models.Model):
    """A test answer: a report from the preview. It is never counted, and deleted when the survey opens."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="tryout_reports")
    body = models.TextField()  # As it was sent. Its digest is marked, so that no survey takes it.
    definition = models.TextField()  # Canonical JSON of the questions.
    at = models.DateTimeField()  # The minute in which it came.

    def __str__(self) -> str:
        return f"a test answer to {self.survey}"
