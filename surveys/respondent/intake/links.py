"""How a respondent's browser says which survey it means: by the link's last part, in a header.

No address names the survey, so no log of addresses can, here or at a proxy on the way (docs/developers/protection.md).
"""

import re

HEADER = "Survey-Link"
_SLUG = re.compile(r"[-\w]{1,32}", re.ASCII)


def slug_of(header: str | None) -> str:
    """The slug that a request names; empty, which is no survey's, where it names none."""
    return header if header and _SLUG.fullmatch(header) else ""
