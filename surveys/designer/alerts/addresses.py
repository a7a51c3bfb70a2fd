"""URLs that a webhook may have. They lead to public networks, or to networks in the site's settings.

The site looks up the host name at each post and connects to the IP address that it checked, so nothing can change in
between. Otherwise a user with a webhook could reach the site's internal network.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from surveys.rules.hosts import is_name, is_public_name, is_this_machine

LONGEST = 400
_ALLOWED = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]*)?(?:[/?][!-~]*)?", re.IGNORECASE)
# Outside are a site's internal networks, and addresses that lead to any IPv4 address.
_PUBLIC = IPv6Network("2000::/3")
# IANA's special-purpose registries, which some versions of Python lack. Also public-looking addresses from which clouds
# give machines their secrets (168.63.129.16; 192.0.0.192).
_CLOSED = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            "168.63.129.16/32",
            *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
        ),
    )
)


class WebhookRefused(ValueError):
    """The webhook's URL is refused. The message gives the reason, in English."""


class Target(NamedTuple):
    """The parts of a webhook's URL. `path` includes the query."""

    secure: bool
    host: str
    port: int
    path: str


def target(url: str) -> Target:
    """Return the parts of a webhook's URL. Raise WebhookRefused for an invalid URL or a host that is closed to
    webhooks. A URL must be https, except on a trial site without https, and has no name, password or fragment."""
    if len(url) > LONGEST or not _ALLOWED.fullmatch(url) or "#" in url:
        raise WebhookRefused(
            f"it must be an address of https without name, password and fragment, in ASCII, of up to {LONGEST} signs"
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise WebhookRefused("its host or its port is none") from None
    if parts.scheme != "https" and not settings.SITE_URL.startswith("http://"):
        raise WebhookRefused("it must be an address of https")
    if not host or port == 0:
        raise WebhookRefused("its host or its port is none")
    _check(host)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port or (443 if parts.scheme == "https" else 80), path)


def _check(host: str) -> None:
    name = host.removesuffix(".")
    try:
        address = ip_address("127.0.0.1" if is_this_machine(name) else host)
    except ValueError:
        # A resolver reads 2130706433, 0x7f.1 and 017700000001 as 127.0.0.1. A site with networks has names for them.
        if not is_name(name):
            raise WebhookRefused("its host must be a name, or an IP address as it is usually written") from None
        if not (is_public_name(name) or settings.WEBHOOK_NETWORKS):
            raise WebhookRefused("it leads into a private network") from None
    else:
        if not is_open(address):
            raise WebhookRefused("it leads into a private network")


def reachable(place: Target) -> str:
    """Return an IP address to connect to. Raise WebhookRefused if the host has no address open to webhooks."""
    try:
        rows = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WebhookRefused("its host is not known") from None
    for *_, (address, *_) in rows:
        if is_open(ip_address(str(address).partition("%")[0])):
            return str(address)
    raise WebhookRefused("it leads into a private network")


def is_open(address: IPv4Address | IPv6Address) -> bool:
    """Return whether a webhook may lead to an address."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if any(address in network for network in settings.WEBHOOK_NETWORKS):
        return True
    if isinstance(address, IPv6Address) and address not in _PUBLIC:
        return False
    return address.is_global and not any(address in network for network in _CLOSED)
