"""Where a designer goes on."""

from django.urls import NoReverseMatch, reverse

from surveys.models import Survey


def questions_of(survey: Survey) -> str:
    """Where a draft's questions are edited."""
    try:
        return reverse("survey-questions", args=[survey.pk])
    except NoReverseMatch:
        return reverse("survey", args=[survey.pk])
