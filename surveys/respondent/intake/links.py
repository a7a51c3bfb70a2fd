"""The header in which a respondent's browser names the survey, by the last part of its link.

No URL names the survey, so no log of URLs can name it, here or at a proxy (docs/developers/protection.md).
"""

import re

HEADER = "Survey-Link"
_SLUG = re.compile(r"[-\w]{1,32}", re.ASCII)


def slug_of(header: str | None) -> str:
    """Return the slug that a request names, or "", which no survey has."""
    return header if header and _SLUG.fullmatch(header) else ""
