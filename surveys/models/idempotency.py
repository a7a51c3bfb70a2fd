"""What programs asked for once, so that a request that is sent again does nothing twice."""

from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """A request that made something, by the key that its sender chose. Of that only the hash is stored, and nothing of
    an answer that is told once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64, help_text="SHA-256 of the key, in hexadecimal.")
    request_hash = models.CharField(max_length=64, help_text="HMAC-SHA-256 of address and body by the key.")
    status = models.PositiveSmallIntegerField(default=0, help_text="Of the answer.")
    document = models.JSONField(null=True, help_text="The answer; null where it is told once.")
    day = models.DateField(help_text="On which it came (UTC); it is forgotten some days later.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key_hash"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"a request of {self.user}"
