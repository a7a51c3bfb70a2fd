"""Addresses that letters can be sent to."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from surveys.rules.hosts import is_name, is_this_machine

# Without quotes, whose reading differs from program to program.
_LOCAL = re.compile(r"[!#$%&'*+/=?^_`{|}~A-Za-z0-9.-]+")
# Programs decode what begins so, at times without its end: the letter would go to another address, or be none.
_ENCODED = "=?"


def is_address(text: str) -> bool:
    """Return whether every mail server and every program on the way reads the same address: before the @ ASCII without
    quotes and encoded words, after it a host's name of two labels or more, which can be written in ASCII."""
    local, _, host = text.rpartition("@")
    try:
        validate_email(text)
        name = host.encode("idna").decode()
    except (ValidationError, UnicodeError):
        return False
    reachable = is_name(name) and "." in name and not is_this_machine(name)
    return bool(_LOCAL.fullmatch(local)) and _ENCODED not in local and reachable
