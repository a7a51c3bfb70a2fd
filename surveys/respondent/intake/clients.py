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

    def __init__(self, limit: int, proxies: Sequence[Network], clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._proxies = limit, proxies
        self._rate = WindowRate(clock)

    def over(self, peer: str, forwarded: str | None) -> bool:
        """Count a request; return whether it exceeds the limit."""
        client = client_of(peer, forwarded, self._proxies) if self._limit else None
        return client is not None and self._rate.add("client", network_of(client), self._limit) > 0


def forwarded_for(headers: list[tuple[str, str]]) -> str | None:
    """Return all values of X-Forwarded-For in order, or None. Some proxies add a second header after the client's."""
    named = [value for name, value in headers if name == "x-forwarded-for"]
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
