"""What is stored beside a draft: what its designers can undo, how it stood before, what an import left out, and the
answers with which it is tested."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Revision(models.Model):
    """A change to a draft that whoever made it can undo."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="revisions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    said = models.TextField(help_text="What was done, in the language of whoever did it.")
    cells = models.JSONField(help_text="Paths with their values before and after (drafts/cells.py).")
    visit = models.CharField(max_length=32, blank=True, help_text="Changes of one visit to a page are one.")

    def __str__(self) -> str:
        return f"{self.user}: {self.said}"


class Snapshot(models.Model):
    """A draft as a change left it, whoever made it, until the survey is opened."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="snapshots")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who made the change; nobody of the first one, which no change led to.",
    )
    said = models.TextField(blank=True, help_text="What was done, in the language of whoever did it.")
    visit = models.CharField(max_length=32, blank=True, help_text="Changes of one visit to a page are one.")
    at = models.DateTimeField(help_text="When it was done.")
    content = models.JSONField(help_text="The draft.")

    def __str__(self) -> str:
        return f"{self.survey}: {self.said}"


class ImportNotes(models.Model):
    """What became of the form that a draft was made from, until somebody has dismissed it."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="import_notes")
    remarks = models.JSONField(help_text="Sentences with the names they are about (xlsform/remarks.py).")
    decisions = models.JSONField(help_text="Questions that could be of another kind (xlsform/questions.py).")

    def __str__(self) -> str:
        return f"what became of the form of {self.survey}"


class TryoutLink(models.Model):
    """The link with which people without an account answer a draft as a test, until it is ended or the survey opens."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="tryout_link")
    token = models.CharField(max_length=32, unique=True)

    def __str__(self) -> str:
        return f"the testers' link of {self.survey}"


class TryoutReport(models.Model):
    """A test answer: a report that the preview made and sent. It is no Report and counted nowhere, and goes
    when the survey opens."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="tryout_reports")
    body = models.TextField(help_text="As it was sent; its digest is marked, so that no survey takes it.")
    definition = models.TextField(help_text="Canonical JSON of what was asked.")
    at = models.DateTimeField(help_text="The minute in which it came.")

    def __str__(self) -> str:
        return f"a test answer to {self.survey}"
