"""The public log of what this site serves."""

from django.db import models


class Served(models.Model):
    """An entry of the log: from here on the site serves this manifest, and of the survey that is named this definition.

    Append-only and chained: each entry holds the hash of the one before. A database trigger refuses changes. A slug is
    the key to its survey, so that only its hash is told.
    """

    number = models.PositiveIntegerField(primary_key=True, help_text="1, 2, ...")
    day = models.DateField()
    manifest = models.CharField(max_length=96, help_text="SHA-384 of the manifest, in hexadecimal.")
    slug_hash = models.CharField(max_length=64, blank=True, help_text="SHA-256 of a survey's slug.")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of its definition.")
    previous = models.CharField(max_length=64, help_text="The hash of the entry before; zeros for the first.")
    hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the other fields in canonical JSON.")

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"entry {self.number}: {self.hash}"
