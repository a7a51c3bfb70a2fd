"""The link of a survey: the URL of the page, and after # the slug, which browsers do not send."""

from django.urls import reverse

from surveys.rules import spelling


def link(slug: str, language: str = "", token: str = "") -> str:
    """Return the link within the site. `language` is that of the page, if the survey has it, `token` that of an
    invitation. It has no characters that mail programs or Markdown remove, above all at its end."""
    return f"{reverse('respond')}#{'/'.join(filter(None, (slug, language, token)))}"


def token_of(link: str) -> str | None:
    """Return the token of an invitation's link, or of its last part, also as typed from a card; else None."""
    return spelling.code_in(link, spelling.INVITATION)
