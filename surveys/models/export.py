"""Files of a release's randomized reports, made by a worker on request and stored in parts."""

from django.db import models

from surveys.models.jobs import Job
from surveys.models.release import Release
from surveys.models.words import WordField


class Export(Job):
    """The files of one release."""

    progress = "written"

    class Reason(models.TextChoices):
        SUPERSEDED = "superseded", "a newer release came before the files were made"
        DIFFERS = "differs", "the stored reports do not add up to the release"
        TOO_LARGE = "too large", "there are too many numbers for files"
        REVOKED = "revoked", "the person who asked for it may no longer have it"
        TRIED = "tried", "making the files failed several times"

    release = models.OneToOneField(Release, on_delete=models.CASCADE)
    reason = WordField(max_length=10, choices=Reason.choices, blank=True)  # Why it failed.
    kept = models.BooleanField(default=False)  # The files stay when newer releases have files.
    written = models.PositiveBigIntegerField(default=0)  # Reports written so far.

    def __str__(self) -> str:
        return f"files of {self.release}"


class ExportFile(models.Model):
    """A file in parts, as it is sent or, if `packed`, compressed by gzip."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=40)
    packed = models.BooleanField()
    size = models.PositiveBigIntegerField(default=0)  # Bytes of the uncompressed file.
    stored = models.PositiveBigIntegerField(default=0)  # Bytes of its parts.
    sha256 = models.CharField(max_length=64)  # The digest of the uncompressed file; empty until it is complete.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["export", "name"], name="export_file_once")]

    def __str__(self) -> str:
        return self.name


class ExportPart(models.Model):
    """A part of a file. Parts are consecutive."""

    file = models.ForeignKey(ExportFile, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="export_part_once")]
