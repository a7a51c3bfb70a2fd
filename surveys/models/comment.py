"""What designers write to each other about a survey."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Comment(models.Model):
    """On a question or on the whole survey; it goes with the survey."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="comments")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Nobody once the account is deleted.",
    )
    question = models.CharField(max_length=40, blank=True, help_text="Its key; empty of the whole survey.")
    text = models.TextField()
    at = models.DateTimeField(help_text="When it was written.")
    done = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user}: {self.text[:40]}"
