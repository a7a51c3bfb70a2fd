"""Addresses that a webhook may lead to: public ones, and those of networks that the site names.

A name is looked up when something is posted, and the connection goes to the address that was looked at, so nothing can
change in between. Whoever may add a webhook could else have this site ask what only it reaches: its database, its
neighbours, the provider's own services.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

LONGEST = 400
_ALLOWED = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(?:/[!-~]*)?")
# Outside of it there are networks of a site's own, and addresses that lead to one of IPv4, which may be any.
_PUBLIC = IPv6Network("2000::/3")
# Within it these lead to one of IPv4.
_LEADING_ELSEWHERE = tuple(map(ip_network, ("2002::/16", "2001::/32")))


class Refused(ValueError):
    """No webhook may lead there; the text says why, in English."""


class Target(NamedTuple):
    """`path` with its query."""

    secure: bool
    host: str
    port: int
    path: str


def target(url: str) -> Target:
    """The parts of a webhook's address. Refused where it is none: https alone, unless the site itself is one to try
    out, without https; no name and password, no fragment."""
    if len(url) > LONGEST or not _ALLOWED.fullmatch(url) or "#" in url or "@" in url.split("/")[2]:
        raise Refused("it must be an address of https without name, password and fragment")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Refused("its host or its port is none") from None
    if parts.scheme != "https" and not settings.SITE_URL.startswith("http://"):
        raise Refused("it must be an address of https")
    if not host:
        raise Refused("it names no host")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port or (443 if parts.scheme == "https" else 80), path)


def check(url: str) -> None:
    """Refused also where its host is an address that no webhook may lead to."""
    host = target(url).host
    try:
        address = ip_address(host)
    except ValueError:
        return
    if not is_open(address):
        raise Refused("it leads into a private network")


def reachable(place: Target) -> str:
    """An address to connect to; Refused where the host has none that a webhook may lead to."""
    try:
        rows = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused("its host is not known") from None
    for *_, (address, *_) in rows:
        if is_open(ip_address(str(address).partition("%")[0])):
            return str(address)
    raise Refused("it leads into a private network")


def is_open(address: IPv4Address | IPv6Address) -> bool:
    """Whether a webhook may lead to an address."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if any(address in network for network in settings.WEBHOOK_NETWORKS):
        return True
    if isinstance(address, IPv6Address) and address not in _PUBLIC:
        return False
    public = address.is_global and not address.is_multicast
    return public and not any(address in network for network in _LEADING_ELSEWHERE)
