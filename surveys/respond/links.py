"""The link of a survey: the page's address, and after # the slug, which browsers send to nobody."""

import re

from django.urls import reverse

_TOKEN = re.compile(r"(?:^|/)([A-Za-z0-9_-]{22}(?:/\d{1,2})?)$", re.ASCII)


def link(slug: str, language: str = "", token: str = "") -> str:
    """Within the site; `language` is the one in which the page shall speak, if the survey has it, `token` that of an
    invitation, with its group where it has one."""
    parts = [slug, language, token] if token else [slug, language] if language else [slug]
    return f"{reverse('respond')}#{'/'.join(parts)}"


def token_of(link: str) -> str | None:
    """The token of an invitation's link, or of its last part; None of anything else."""
    match = _TOKEN.search(link.strip())
    return match[1] if match else None
