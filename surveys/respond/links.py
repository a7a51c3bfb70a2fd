"""The link of a survey: the page's address, and after # the slug, which browsers send to nobody."""

from django.urls import reverse


def link(slug: str, language: str = "", token: str = "") -> str:
    """Within the site; `language` is the one in which the page shall speak, if the survey has it, `token` that of an
    invitation."""
    parts = [slug, language, token] if token else [slug, language] if language else [slug]
    return f"{reverse('respond')}#{'/'.join(parts)}"
