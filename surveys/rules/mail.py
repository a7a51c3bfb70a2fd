"""Email addresses of letters."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from surveys.rules.hosts import is_name, is_this_machine

# Without quotes, which programs read differently.
_LOCAL = re.compile(r"[!#$%&'*+/=?^_`{|}~A-Za-z0-9.-]+")
# The beginning of an encoded word. Programs decode it, some even without its end, so the letter would go to another
# address or none.
_ENCODED = "=?"


def is_address(text: str) -> bool:
    """Return whether all mail servers and programs read the same email address. The part before the @ is ASCII without
    quotes and encoded words. The host name has at least two labels and can be written in ASCII."""
    local, _, host = text.rpartition("@")
    try:
        validate_email(text)
        name = host.encode("idna").decode()
    except (ValidationError, UnicodeError):
        return False
    reachable = is_name(name) and "." in name and not is_this_machine(name)
    return bool(_LOCAL.fullmatch(local)) and _ENCODED not in local and reachable
