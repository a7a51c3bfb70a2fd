"""A bad network between browsers and the site: a TCP proxy that cuts, delays and doubles requests at random.

The proxy understands only enough of HTTP to see where a message ends. So it can cut at every place that matters: before
the request has arrived, after that but before the response, and within the response.
"""

import random
import socket
import socketserver
import struct
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import BinaryIO

# The fates of a request and their chances. All other requests pass.
FATES = {
    "cut before the request arrived": 0.03,
    "cut after it arrived": 0.03,
    "cut before the response": 0.03,
    "cut within the response": 0.03,
    "delayed": 0.03,
    "doubled": 0.08,
}
DELAY_MAX = 0.5  # seconds
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset and drops unsent data


class Proxy:
    """A proxy at `url` that passes requests on to the site at a loopback port. `fates` counts its actions."""

    def __init__(self, port: int, seed: object) -> None:
        self.fates: Counter[str] = Counter()
        self._chance, self._turn = random.Random(str(seed)), threading.Lock()
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError, Cut):
                    proxy._converse(Wire(self.request), Wire(socket.create_connection(("127.0.0.1", port))))

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 64

        self.port = port
        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _converse(self, client: "Wire", site: "Wire") -> None:
        """Pass requests and responses in turn, until either end closes or a cut. Then close both ends."""
        try:
            while True:
                request = client.message()
                fate = self._fate()
                if fate == "delayed":
                    time.sleep(self._up_to(DELAY_MAX))
                if fate == "cut before the request arrived":
                    site.send(request[: self._cut(request)])
                    raise Cut
                twin = self._send_twin(request) if fate == "doubled" else None
                site.send(request)
                if fate == "cut after it arrived":
                    raise Cut
                response = site.message()
                if fate == "cut before the response":
                    raise Cut
                if fate == "cut within the response":
                    client.send(response[: self._cut(response)])
                    raise Cut
                client.send(response)
                if twin is not None:
                    twin.join()
        finally:
            site.reset()
            client.reset()

    def _send_twin(self, request: bytes) -> threading.Thread:
        """Send the same request at the same time on another connection, and drop its response."""

        def send() -> None:
            with suppress(OSError, Cut):
                wire = Wire(socket.create_connection(("127.0.0.1", self.port)))
                try:
                    wire.send(request)
                    wire.message()
                finally:
                    wire.reset()

        twin = threading.Thread(target=send, daemon=True)
        twin.start()
        return twin

    def _fate(self) -> str:
        with self._turn:
            names = [*FATES, "passed"]
            fate = self._chance.choices(names, [*FATES.values(), 1 - sum(FATES.values())])[0]
            self.fates[fate] += 1
        return fate

    def _cut(self, message: bytes) -> int:
        """Return a place within the message; at least its last byte is cut off."""
        with self._turn:
            return self._chance.randrange(len(message))

    def _up_to(self, seconds: float) -> float:
        with self._turn:
            return self._chance.uniform(0, seconds)


class Cut(Exception):
    """The end of a connection."""


class Wire:
    """One end of a connection, read message by message."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(30)
        self._socket = connected
        self._reader: BinaryIO = connected.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def message(self) -> bytes:
        """Return a whole HTTP message; its head states its length. Cut if the other end closes before the message
        ends."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self._reader.readline(1 << 16)
            if not line.endswith(b"\n"):
                raise Cut
            head += line
        fields = dict(line.lower().partition(b":")[::2] for line in head.split(b"\r\n"))
        length = int(fields.get(b"content-length", b"0"))
        body = self._reader.read(length)
        if len(body) < length:
            raise Cut
        return head + body

    def reset(self) -> None:
        with suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        with suppress(OSError):
            self._reader.close()
            self._socket.close()
