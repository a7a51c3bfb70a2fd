"""Addresses that letters can be sent to."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email


def is_address(text: str) -> bool:
    """What mail servers without further extensions take: before the @ ASCII alone, after it a host that can be said in
    ASCII. Django takes further hosts, and fails once a letter goes there."""
    local, _, host = text.rpartition("@")
    try:
        validate_email(text)
        host.encode("idna")
    except (ValidationError, UnicodeError):
        return False
    return local.isascii()
