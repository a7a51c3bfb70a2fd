"""One request to a webhook. It goes to the checked IP address, follows no redirect, and ends after some seconds."""

import http.client
import socket
import ssl
from contextlib import suppress
from threading import Timer

from surveys.designer.alerts.addresses import Target, reachable, target

CONNECT_SECONDS = 5.0
SECONDS = 10.0  # for all steps after the connection, however slow the response


class _Pinned(http.client.HTTPConnection):
    """A connection to an IP address for a host. Over https the host's certificate is checked."""

    def __init__(self, place: Target, address: str) -> None:
        super().__init__(place.host, place.port, timeout=CONNECT_SECONDS)
        self._secure, self._address = place.secure, address
        self._watch = Timer(SECONDS, self._cut)
        self._watch.daemon = True
        self.late = False

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        self._watch.start()
        if self._secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()

    def close(self) -> None:
        self._watch.cancel()
        super().close()

    def _cut(self) -> None:
        self.late = True
        with suppress(OSError, AttributeError):  # it is over
            self.sock.shutdown(socket.SHUT_RDWR)


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Post and return the status code. Nothing else of the response is read, and redirects are not followed. Raise
    WebhookRefused if the URL is not allowed, OSError if no response comes in time."""
    place = target(url)
    connection = _Pinned(place, reachable(place))
    sent = {"Content-Type": "application/json", "User-Agent": "Deniable", "Connection": "close"} | headers
    try:
        connection.request("POST", place.path, body, sent)
        status = connection.getresponse().status
        if connection.late:
            raise TimeoutError("what came was cut off")
        return status
    except (http.client.HTTPException, ValueError) as error:
        raise ConnectionError("no answer of HTTP") from error
    finally:
        connection.close()
