"""The link of a survey: the page's address, and after # the slug, which browsers send to nobody."""

from django.urls import reverse

from surveys.rules import spelling


def link(slug: str, language: str = "", token: str = "") -> str:
    """Within the site; `language` is the one in which the page shall speak, if the survey has it, `token` that of an
    invitation. Nothing in it is eaten by a mail program or Markdown, at its end least of all."""
    return f"{reverse('respond')}#{'/'.join(filter(None, (slug, language, token)))}"


def token_of(link: str) -> str | None:
    """The token of an invitation's link, or of its last part, also as typed from a card; None of anything else."""
    return spelling.code_in(link, spelling.INVITATION)
