"""Send reports over HTTP as browsers do: drawn once, then the same bytes until they are acknowledged."""

import http.client
import queue
import random
import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

RETRY_SECONDS = 0.2
GIVE_UP_SECONDS = 120.0


class ReportRejected(RuntimeError):
    """The server refused a report permanently. Sending it again would not help."""


class Sent(NamedTuple):
    """An acknowledged report: the number of tries, and the seconds from the first to the acknowledgement."""

    tries: int
    seconds: float


class Sender:
    """Send bodies to one survey's intake on a persistent connection, in one thread."""

    def __init__(self, url: str, give_up: float = GIVE_UP_SECONDS):
        self._parts = urlsplit(url)
        self._give_up = give_up
        self._connection: http.client.HTTPConnection | None = None

    def send(self, body: str) -> Sent:
        """Send the body until it is acknowledged: 201, or 200 if an earlier try had arrived. Raise ReportRejected for
        any other answer below 500 except 429, TimeoutError without an acknowledgement in time."""
        started, tries, status = time.monotonic(), 0, None
        while time.monotonic() < started + self._give_up:
            tries += 1
            status = self._try(body.encode())
            if status in (200, 201):
                return Sent(tries, time.monotonic() - started)
            if status is not None and status < 500 and status != 429:
                raise ReportRejected(f"the intake answered {status}")
            time.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))
        last = "no answer" if status is None else f"the status {status}"
        raise TimeoutError(
            f"a report was not acknowledged within {self._give_up:.0f} s; the last of {tries} tries got {last}"
        )

    def _try(self, body: bytes) -> int | None:
        """Return the status of one try; None if the connection failed."""
        try:
            if self._connection is None:
                secure = self._parts.scheme == "https"
                kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
                self._connection = kind(self._parts.netloc, timeout=15)
            self._connection.request("POST", self._parts.path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            response.read()
            return response.status
        except (OSError, http.client.HTTPException):
            self._connection = None
            return None


def send_all(url: str, bodies: Iterable[str], threads: int, done: Callable[[Sent], object]) -> int:
    """Send every body, and return how many were acknowledged. `done` is called for each, in its sender's thread. Bodies
    are generated when needed, a few ahead. The first failure ends the sending and raises."""
    waiting: queue.Queue[str | None] = queue.Queue(maxsize=4 * threads)
    failures: list[Exception] = []
    acknowledged = [0] * threads

    def work(k: int) -> None:
        sender = Sender(url)
        while (body := waiting.get()) is not None:
            if failures:
                continue  # empty the queue, so that its producer never blocks
            try:
                done(sender.send(body))
                acknowledged[k] += 1
            except (ReportRejected, TimeoutError) as failure:
                failures.append(failure)

    workers = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(threads)]
    for worker in workers:
        worker.start()
    try:
        for body in bodies:
            if failures:
                break
            waiting.put(body)
    finally:
        for _ in workers:
            waiting.put(None)
        for worker in workers:
            worker.join()
    if failures:
        raise failures[0]
    return sum(acknowledged)
