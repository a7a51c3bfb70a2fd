"""The public log of what this site serves (surveys/transparency/log/), which is only ever added to."""

from django.db import models

from surveys.models.release import Release


class LogEntry(models.Model):
    """A leaf of the log's tree. Database triggers refuse to change or delete it.

    Leaves are public, so they name a survey by the hash of its link, which alone gives access to it, and a release by a
    commitment to its digest. `survey` is not a foreign key, since an entry outlives its survey.
    """

    number = models.PositiveIntegerField(primary_key=True)  # 0, 1, 2, ...
    kind = models.CharField(max_length=8)
    content = models.TextField()  # The leaf: canonical JSON (surveys/transparency/log/entries.py).
    leaf = models.CharField(max_length=64)  # Its hash (RFC 6962), in hexadecimal.
    root = models.CharField(max_length=64)  # That of the tree up to here.
    survey = models.BigIntegerField(null=True)  # The number of the survey that it is about, if any.
    release = models.PositiveIntegerField(null=True)  # And of its release; 0 for its opening.

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["survey", "release"], name="logged_once")]

    def __str__(self) -> str:
        return f"entry {self.number} of the log"


class Commitment(models.Model):
    """The nonce of the commitment to a release's digest in the log. The digest alone would reveal the totals of few
    reports to anyone who tries all possible ones; only those who may see the release get the nonce."""

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.CASCADE)
    nonce = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"commitment to release {self.release_id}"


class Cosignature(models.Model):
    """A witness's newest signature of a checkpoint, and the checkpoint's size."""

    witness = models.CharField(max_length=200, primary_key=True)  # Its verifier key.
    size = models.PositiveIntegerField()
    line = models.TextField()  # As it is written below the checkpoint.

    def __str__(self) -> str:
        return f"{self.witness} of {self.size}"
