"""Requests of programs with their answers, so that a request that is sent again has no second effect."""

from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """A request that changed something, by the key that its sender chose. Only the key's hash is stored, and no answer
    that is shown only once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)  # SHA-256 of the key, in hexadecimal.
    request_hash = models.CharField(max_length=64)  # HMAC-SHA-256 of URL and body by the key.
    status = models.PositiveSmallIntegerField(default=0)  # Of the answer.
    document = models.JSONField(null=True)  # The answer; null where it is shown only once.
    day = models.DateField()  # On which it came (UTC); it is forgotten some days later.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key_hash"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"a request of {self.user}"
