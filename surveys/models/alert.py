"""Alerts on a survey's releases, state and faults, with their receivers and deliveries."""

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
    """A user with a role who gets alerts on a survey by email, once the email address is confirmed."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="alert_readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=10)  # The language of the emails, from the subscription.
    address = models.EmailField()
    confirmed = models.BooleanField(default=False)  # Until then, the address gets only the confirming email.

    NEEDED: ClassVar = Role.VIEWER  # the reader ends without this role

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "user"], name="alert_reader_once")]

    def __str__(self) -> str:
        return f"mail to {self.user} of {self.survey}"


class Webhook(models.Model):
    """A URL to which alerts on a survey are posted, signed."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    salt = models.CharField(max_length=43)  # The site's key derives the webhook's secret from it.
    day = models.DateField()  # The day (UTC) on which it was made.
    gone = models.BooleanField(default=False)  # Its receiver replied that it wants no more alerts (410).
    # The designer who made it. Without a maker who is still a designer, it ends.
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")

    NEEDED: ClassVar = Role.DESIGNER

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook of {self.survey}"

    @property
    def host(self) -> str:
        """Return the URL's host, for pages on which the rest could be a secret."""
        return urlsplit(self.url).hostname or ""


class Alert(models.Model):
    """An event of a survey, reported once."""

    class Kind(models.TextChoices):
        OPENED = "survey.opened"
        FIRST_RELEASE = "survey.first_release"
        PRECISION = "survey.precision_reached"
        ENDED = "survey.ended"
        TROUBLE = "survey.trouble"

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="alerts")
    kind = WordField(max_length=30, choices=Kind.choices)
    about = models.CharField(max_length=40)  # Distinguishes alerts of a kind.
    day = models.DateField()  # The day (UTC), because a report may have ended the survey or its batch.
    data = models.JSONField()  # The receiver's data besides the survey.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "kind", "about"], name="alert_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.survey}"


class Delivery(models.Model):
    """An alert for one webhook or one reader, with its next attempt. Without an alert, a test of a webhook, or the
    email that confirms a reader's address."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    alert = models.ForeignKey(Alert, null=True, on_delete=models.CASCADE, related_name="+")
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    reader = models.ForeignKey(AlertReader, null=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, unique=True)  # Random; the receiver recognizes repetitions by it.
    state = WordField(max_length=7, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)  # The next attempt; null if there is none.
    day = models.DateField()  # The day (UTC) of the last attempt, or of the entry.
    status = models.PositiveSmallIntegerField(null=True)  # The webhook's status code at the last attempt.

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
        """Return the account that requested it; None if it is unknown."""
        return self.webhook.made_by if self.webhook else cast(AlertReader, self.reader).user
