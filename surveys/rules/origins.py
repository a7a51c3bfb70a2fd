"""Origins as browsers write them: scheme, host in lower case, and a port unless it is the default."""

import re
from urllib.parse import urlsplit

_HOST = "[-.a-z0-9]+"
ORIGIN = re.compile(f"https://{_HOST}(?::[0-9]+)?")
# The origin of a page that may frame a survey. Without https it must be on this machine.
HOLDER = re.compile(rf"(?:https://{_HOST}|http://(?:localhost|127\.0\.0\.1))(?::[1-9][0-9]*)?")
_USUAL = {"https": 443, "http": 80}


def is_holder(text: str) -> bool:
    return HOLDER.fullmatch(text) is not None and has_its_port(text)


def has_its_port(origin: str) -> bool:
    """Return whether its port is missing, or valid and not the default."""
    try:
        parts = urlsplit(origin)
        usual = _USUAL[parts.scheme]
        return (bool(parts.hostname) and (parts.port or usual) != usual) or parts.netloc == parts.hostname
    except ValueError:
        return False
