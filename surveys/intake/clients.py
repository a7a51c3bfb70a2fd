"""How often one client may come, told from the others without keeping who they are.

An address is counted under a keyed hash, in memory only; the key and all counts are forgotten every minute. Many people
may share an address (a school, a mobile network), so the limit is generous, and whoever meets it is told when to come
again.
"""

import hashlib
import ipaddress
import secrets
from collections import Counter
from collections.abc import Sequence

WINDOW = 60.0  # seconds
KEPT_MAX = 200_000  # clients of a window; more are let in uncounted, and meet the limits of all

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Clients:
    """`limit` requests of a client in a window, 0 for any number. Behind one of the `proxies` the client is who the
    proxy names last in X-Forwarded-For; from elsewhere that header counts nothing."""

    def __init__(self, limit: int, proxies: Sequence[Network]) -> None:
        self._limit, self._proxies = limit, proxies
        self._began = float("-inf")
        self._forget(0.0)

    def over(self, peer: str, forwarded: str | None, now: float) -> bool:
        """Counts a request at `now` (seconds, monotonic); whether it is one too many."""
        if not self._limit:
            return False
        if now - self._began >= WINDOW:
            self._forget(now)
        client = self._client(peer, forwarded)
        if client is None:
            return False
        mark = hashlib.blake2b(client, key=self._key, digest_size=8).digest()
        if len(self._counts) >= KEPT_MAX and mark not in self._counts:
            return False
        self._counts[mark] += 1
        return self._counts[mark] > self._limit

    def _forget(self, now: float) -> None:
        self._began, self._key = now, secrets.token_bytes(32)
        self._counts: Counter[bytes] = Counter()

    def _client(self, peer: str, forwarded: str | None) -> bytes | None:
        """The client's network as bytes; None for this machine itself (the demo, a load test, a proxy that nobody
        named), which is not limited."""
        if peer.startswith("127.") and not self._proxies:
            return None
        address = _address(peer)
        if address is not None and any(address in proxy for proxy in self._proxies):
            address = _address((forwarded or "").rpartition(",")[2].strip())
        if address is None or address.is_loopback:
            return None
        # A household or phone has a whole /64.
        return address.packed if address.version == 4 else address.packed[:8]


def client_address(peer: str) -> str:
    """The address in granian's "address:port"; for a unix socket something that is no address."""
    return peer.rpartition(":")[0].strip("[]")


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
