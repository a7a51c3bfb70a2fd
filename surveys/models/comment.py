"""Comments of designers on a survey, for each other."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Comment(models.Model):
    """A comment on a question or on the whole survey. It is deleted with the survey."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="comments")
    # Null once the account is deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    question = models.CharField(max_length=40)  # The question's key; empty for the whole survey.
    text = models.TextField()
    at = models.DateTimeField()  # The time of writing.
    done = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user}: {self.text[:40]}"
