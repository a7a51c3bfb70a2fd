"""API requests with their responses, so that a repeated request has no second effect."""

from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """A request that changed something, by the key that its client chose. Only the key's hash is stored. A response
    that is shown only once is not stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)  # SHA-256 of the key, in hexadecimal.
    request_hash = models.CharField(max_length=64)  # HMAC-SHA-256 of URL and body by the key.
    status = models.PositiveSmallIntegerField(default=0)  # Of the response.
    document = models.JSONField(null=True)  # The response; null if it is shown only once.
    day = models.DateField()  # The day (UTC) on which it came; it is deleted some days later.

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key_hash"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"a request of {self.user}"
