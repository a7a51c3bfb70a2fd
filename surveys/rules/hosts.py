"""Host names, as distinct from IPv4 addresses, which resolvers read in many notations."""

import re

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # as resolvers and browsers read it (WHATWG URL, "ends in a number")
_LONGEST = 253
# RFC 6761, 6762 (with its appendix G), 7686 and 8375, and ICANN's "internal". The public network has no host below
# these.
_PRIVATE = ("local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "onion", "home.arpa")
_NEVER = ("test", "invalid")


def is_name(host: str) -> bool:
    """Return whether `host`, in ASCII, is a name and no IPv4 address in any notation."""
    labels = host.lower().split(".")
    shaped = len(host) <= _LONGEST and all(map(_LABEL.fullmatch, labels))
    return shaped and not _NUMBER.fullmatch(labels[-1])


def is_public_name(host: str) -> bool:
    """Return whether the public network can have this name."""
    return is_name(host) and "." in host and not is_this_machine(host) and not _is_below(host, _PRIVATE + _NEVER)


def is_this_machine(host: str) -> bool:
    """Return whether the name means the machine that looks it up (RFC 6761)."""
    return _is_below(host, ("localhost",))


def _is_below(host: str, tops: tuple[str, ...]) -> bool:
    return f".{host.lower()}".endswith(tuple(f".{top}" for top in tops))
