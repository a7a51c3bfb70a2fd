"""The public log of what this site serves (surveys/transparency/log/), which is only ever added to."""

from django.db import models

from surveys.models.release import Release


class LogEntry(models.Model):
    """A leaf of the log's tree. Database triggers refuse to change or delete it.

    No leaf tells what it may not: a survey's link is the key to it, so only its hash is said, and of a release a
    commitment to its digest. `survey` is no foreign key, since an entry outlives what it is about.
    """

    number = models.PositiveIntegerField(primary_key=True, help_text="0, 1, 2, ...")
    kind = models.CharField(max_length=8)
    content = models.TextField(help_text="The leaf: canonical JSON (surveys/transparency/log/entries.py).")
    leaf = models.CharField(max_length=64, help_text="Its hash (RFC 6962), in hexadecimal.")
    root = models.CharField(max_length=64, help_text="That of the tree up to here.")
    survey = models.BigIntegerField(null=True, help_text="The number of the survey that it is about, if any.")
    release = models.PositiveIntegerField(null=True, help_text="And of its release; 0 for its opening.")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["survey", "release"], name="logged_once")]

    def __str__(self) -> str:
        return f"entry {self.number} of the log"


class Commitment(models.Model):
    """The nonce under which a release's digest stands in the log. The digest alone would give the totals of few reports
    away to whoever tries all that there can be, published or not; the nonce is for those who may see the release."""

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.CASCADE)
    nonce = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"commitment to release {self.release_id}"


class Cosignature(models.Model):
    """A witness's newest signature of a checkpoint, and the size of that."""

    witness = models.CharField(max_length=200, primary_key=True, help_text="Its verifier key.")
    size = models.PositiveIntegerField()
    line = models.TextField(help_text="As it stands below the checkpoint.")

    def __str__(self) -> str:
        return f"{self.witness} of {self.size}"
