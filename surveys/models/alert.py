"""Alerts about a survey's releases, state and faults, their receivers and their deliveries."""

from typing import ClassVar, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q

from surveys.models.accounts import Role
from surveys.models.survey import Survey
from surveys.models.words import WordField


class AlertReader(models.Model):
    """A person with a role who wants alerts on a survey by mail, once they have confirmed their mail address."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="alert_readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=10)  # The language of the mails: the one in which they were asked for.
    address = models.EmailField()
    confirmed = models.BooleanField(default=False)  # Until then, only the mail that confirms it is sent there.

    NEEDED: ClassVar = Role.VIEWER  # the role without which it ends

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "user"], name="alert_reader_once")]

    def __str__(self) -> str:
        return f"mail to {self.user} of {self.survey}"


class Webhook(models.Model):
    """A URL to which alerts on a survey are posted, signed."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    salt = models.CharField(max_length=43)  # The site's key makes the webhook's secret of it.
    day = models.DateField()  # On which it was made (UTC).
    gone = models.BooleanField(default=False)  # Its receiver said that it wants nothing any more (410).
    # The designer who made it. It ends where that is not known, or they are no designer any more.
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")

    NEEDED: ClassVar = Role.DESIGNER

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook of {self.survey}"

    @property
    def host(self) -> str:
        """The host of its URL, to be shown where the rest of it could be a secret."""
        return urlsplit(self.url).hostname or ""


class Alert(models.Model):
    """Something that happened to a survey, reported once."""

    class Kind(models.TextChoices):
        OPENED = "survey.opened"
        FIRST_RELEASE = "survey.first_release"
        PRECISION = "survey.precision_reached"
        ENDED = "survey.ended"
        TROUBLE = "survey.trouble"

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="alerts")
    kind = WordField(max_length=30, choices=Kind.choices)
    about = models.CharField(max_length=40)  # Which of several of its kind.
    day = models.DateField()  # On which it was noticed (UTC): a report may have ended the survey or its batch.
    data = models.JSONField()  # What a receiver gets in addition to the survey.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "kind", "about"], name="alert_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.survey}"


class Delivery(models.Model):
    """An alert to be delivered to one webhook or one reader, with its next attempt; without an alert, a test of a
    webhook, or the mail that confirms a reader's address."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    alert = models.ForeignKey(Alert, null=True, on_delete=models.CASCADE, related_name="+")
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    reader = models.ForeignKey(AlertReader, null=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, unique=True)  # Random; the receiver knows repetitions by it.
    state = WordField(max_length=7, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)  # The next try; null once there is none.
    day = models.DateField()  # Of the last try, or on which it was entered (UTC).
    status = models.PositiveSmallIntegerField(null=True)  # What a webhook answered to the last try.

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "due_at"], name="delivery_due")]
        constraints = [
            models.CheckConstraint(
                condition=Q(webhook__isnull=False, reader__isnull=True) | Q(webhook__isnull=True, reader__isnull=False),
                name="delivery_to_one",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.state}"

    @property
    def receiver(self) -> Webhook | AlertReader:
        return cast(Webhook | AlertReader, self.webhook or self.reader)

    @property
    def account(self) -> User | None:
        """The account that asked for it; None where that is not known."""
        return self.webhook.made_by if self.webhook else cast(AlertReader, self.reader).user
