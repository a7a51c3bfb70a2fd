"""Rate limits of single clients, whose identity is not stored (surveys/operation/window.py).

Many people may share an IP address (a school, a mobile network), so the limit is generous. A refusal gives the time to
wait. A client that cannot be counted is let in; only the limits for all clients apply to it.
"""

import ipaddress
import time
from collections.abc import Callable, Sequence

from surveys.operation.window import WindowRate

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Clients:
    """A limit of `limit` requests per client and minute; 0 means no limit."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._rate = WindowRate(clock)

    def over(self, client: Address | None) -> bool:
        """Count a request; return whether it is one too many."""
        if client is None or not self._limit:
            return False
        return self._rate.add("client", network_of(client), self._limit) > 0


def forwarded_for(named: Sequence[str]) -> str | None:
    """Return all values of X-Forwarded-For in order, or None: some proxies add a header after the client's own."""
    return ",".join(named) if named else None


def client_of(peer: str, forwarded: str | None, proxies: Sequence[Network]) -> Address | None:
    """Return the client at granian's `peer` ("address:port"); see client_at."""
    if forwarded is None and peer.startswith("127."):
        return None
    return client_at(peer.rpartition(":")[0].strip("[]"), forwarded, proxies)


def client_at(address: str, forwarded: str | None, proxies: Sequence[Network]) -> Address | None:
    """Return the IP address of the client of a connection from this address.

    A proxy, on this machine or among `proxies`, appends the client to X-Forwarded-For; from others the header is
    ignored. Return None for this machine itself (the demo, a load test, a proxy that names no client).
    """
    client = _address(address)
    if client is None or client.is_loopback or any(client in proxy for proxy in proxies):
        client = _address((forwarded or "").rpartition(",")[2].strip())
    return None if client is None or client.is_loopback else client


def network_of(client: Address) -> bytes:
    """Return the bytes that identify a client. With IPv6 a household or phone has a whole /64."""
    return client.packed if client.version == 4 else client.packed[:8]


def _address(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
