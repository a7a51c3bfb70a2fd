"""The header in which a respondent's browser names the survey, by the last part of its link.

No URL names the survey, so no log of URLs can, here or at a proxy on the way (docs/developers/protection.md).
"""

import re

HEADER = "Survey-Link"
_SLUG = re.compile(r"[-\w]{1,32}", re.ASCII)


def slug_of(header: str | None) -> str:
    """Return the slug that a request names; "", which no survey has, if it names none."""
    return header if header and _SLUG.fullmatch(header) else ""
