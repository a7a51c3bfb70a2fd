"""The link of a survey: the page's URL, and the slug after #, which browsers do not send."""

from django.urls import reverse

from surveys.rules import spelling


def link(slug: str, language: str = "", token: str = "") -> str:
    """Return the link within the site. `language` is the page's, if the survey has it; `token` is an invitation's. Mail
    programs and Markdown remove none of its characters, above all not at its end."""
    return f"{reverse('respond')}#{'/'.join(filter(None, (slug, language, token)))}"


def token_of(link: str) -> str | None:
    """Return the token of an invitation's link, of its last part, or of a typed code; else None."""
    return spelling.code_in(link, spelling.INVITATION)
