"""Origins as browsers write them: scheme, host in lower case, and a port where it is not the usual one."""

import re
from urllib.parse import urlsplit

_HOST = "[-.a-z0-9]+"
ORIGIN = re.compile(f"https://{_HOST}(?::[0-9]+)?")
# The origin of a page that may hold another one in a frame; without https only on the machine itself.
HOLDER = re.compile(rf"(?:https://{_HOST}|http://(?:localhost|127\.0\.0\.1))(?::[1-9][0-9]*)?")
_USUAL = {"https": 443, "http": 80}


def is_holder(text: str) -> bool:
    return HOLDER.fullmatch(text) is not None and has_its_port(text)


def has_its_port(origin: str) -> bool:
    """Return whether its port, if it has one, is valid and not the default one."""
    try:
        parts = urlsplit(origin)
        usual = _USUAL[parts.scheme]
        return (bool(parts.hostname) and (parts.port or usual) != usual) or parts.netloc == parts.hostname
    except ValueError:
        return False
