"""The link of a survey: the page's address, and after # the slug, which browsers send to nobody."""

from django.urls import reverse


def link(slug: str, language: str = "") -> str:
    """Within the site; `language` is the one in which the page shall speak, if the survey has it."""
    return f"{reverse('respond')}#{slug}" + (f"/{language}" if language else "")
