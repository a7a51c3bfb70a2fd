"""The append-only public log of what this site serves (surveys/transparency/log/)."""

from django.db import models

from surveys.models.release import Release


class LogEntry(models.Model):
    """A leaf of the log's tree. Database triggers refuse changes and deletions.

    Leaves are public. So a leaf names a survey by the hash of its link, because the link gives access, and a release by
    a commitment to its digest. `survey` is no foreign key, because an entry outlives its survey.
    """

    number = models.PositiveIntegerField(primary_key=True)  # 0, 1, 2, ...
    kind = models.CharField(max_length=8)
    content = models.TextField()  # The leaf: canonical JSON (surveys/transparency/log/entries.py).
    leaf = models.CharField(max_length=64)  # The leaf's hash (RFC 6962), in hexadecimal.
    root = models.CharField(max_length=64)  # The root hash of the tree up to this leaf.
    survey = models.BigIntegerField(null=True)  # The number of the leaf's survey, if any.
    release = models.PositiveIntegerField(null=True)  # The number of its release; 0 for the survey's opening.

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["survey", "release"], name="logged_once")]

    def __str__(self) -> str:
        return f"entry {self.number} of the log"


class Commitment(models.Model):
    """The nonce of the log's commitment to a release's digest. Only users who may see the release get the nonce. With
    the digest alone, anyone could find the totals of few reports by trying all possible ones."""

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.CASCADE)
    nonce = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"commitment to release {self.release_id}"


class Cosignature(models.Model):
    """A witness's newest signature of a checkpoint, with the checkpoint's size."""

    witness = models.CharField(max_length=200, primary_key=True)  # The witness's verifier key.
    size = models.PositiveIntegerField()
    line = models.TextField()  # As in the lines below the checkpoint.

    def __str__(self) -> str:
        return f"{self.witness} of {self.size}"
