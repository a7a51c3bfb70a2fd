"""Reports over HTTP as browsers send them: drawn once, the same bytes again until they are acknowledged."""

import http.client
import random
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

RETRY_SECONDS = 0.2
GIVE_UP_SECONDS = 120.0


class ReportRejected(RuntimeError):
    """The server refused a report for good; sending it again would not help."""


class Sender:
    """Sends bodies to one survey's intake over kept connections, one per thread."""

    def __init__(self, url: str):
        self._parts = urlsplit(url)
        self._local = threading.local()

    def send(self, body: str) -> int:
        """Send until acknowledged: 201, or 200 where an earlier try had arrived. How many tries it took.

        ReportRejected on any other answer below 500; TimeoutError where no answer came for two minutes.
        """
        deadline = time.monotonic() + GIVE_UP_SECONDS
        tries = 0
        while time.monotonic() < deadline:
            tries += 1
            status = self._try(body.encode())
            if status in (200, 201):
                return tries
            if status is not None and status < 500 and status != 429:
                raise ReportRejected(f"the intake answered {status}")
            time.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))
        raise TimeoutError("no report was acknowledged for two minutes")

    def _try(self, body: bytes) -> int | None:
        """The status of one try, None where the connection failed."""
        try:
            connection = self._connection()
            connection.request("POST", self._parts.path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            return response.status
        except (OSError, http.client.HTTPException):
            self._local.connection = None
            return None

    def _connection(self) -> http.client.HTTPConnection:
        if getattr(self._local, "connection", None) is None:
            kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
            self._local.connection = kind(self._parts.netloc, timeout=15)
        connection: http.client.HTTPConnection = self._local.connection
        return connection


def send_all(url: str, bodies: Iterable[str], threads: int, progress: Callable[[], object]) -> int:
    """Send every body; how many were acknowledged. The first report that cannot be sent raises."""
    sender = Sender(url)

    def send(body: str) -> None:
        sender.send(body)
        progress()

    with ThreadPoolExecutor(threads) as pool:
        return sum(1 for _ in pool.map(send, bodies))
