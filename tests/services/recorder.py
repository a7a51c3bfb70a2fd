"""A recording network between a browser and the site: a TCP proxy that records every request byte for byte. It can
refuse the next report. It can serve the page's script with statements around it, and then changes the page's
fingerprint to match."""

import base64
import hashlib
import re
import socket
import socketserver
import threading
from contextlib import suppress
from typing import NamedTuple

from tests.services.proxy import Cut, Wire

REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"


class Request(NamedTuple):
    """A request as it arrived: its first line, its other lines in order, its body."""

    line: str
    fields: tuple[str, ...]
    body: bytes

    @property
    def target(self) -> str:
        return self.line.split(" ")[1]


class Recorder:
    """A proxy at `url` that passes requests on to the site at a loopback port. `requests` has all requests in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[Request] = []
        self.before, self.after = "", ""  # statements before and after those of page.js
        self.refusals = 0  # how many of the next reports are refused
        self.answers: dict[str, bytes] = {}  # answers by target; the site does not get these requests
        self._turn = threading.Lock()
        recorder = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError, Cut):
                    recorder._converse(Wire(self.request), Wire(socket.create_connection(("127.0.0.1", port))))

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 64

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _converse(self, client: Wire, site: Wire) -> None:
        try:
            while True:
                message = client.message()
                request = _read(message)
                with self._turn:
                    self.requests.append(request)
                    refused = self.refusals > 0 and request.line.startswith("POST ")
                    self.refusals -= refused
                if refused:
                    client.send(REFUSAL)
                    continue
                if request.target in self.answers:
                    client.send(ANSWER % len(self.answers[request.target]) + self.answers[request.target])
                    continue
                # An altered body must be uncompressed and complete.
                site.send(re.sub(rb"(?i)\r\n(accept-encoding|if-none-match): [^\r]*", b"", message, count=2))
                client.send(self._altered(request.target, site.message()))
        finally:
            site.reset()
            client.reset()

    def _altered(self, target: str, response: bytes) -> bytes:
        head, _, body = response.partition(b"\r\n\r\n")
        if target.endswith("/page.js"):
            body = self._told(body)
        elif target.startswith("/s/"):
            served = self._script
            body = body.replace(fingerprint(served), fingerprint(self._told(served)))
        return re.sub(rb"(?i)(content-length: )\d+", rb"\g<1>%d" % len(body), head) + b"\r\n\r\n" + body

    def _told(self, script: bytes) -> bytes:
        return b"\n".join([self.before.encode(), script, self.after.encode()]) if self.before or self.after else script

    @property
    def _script(self) -> bytes:
        wire = Wire(socket.create_connection(("127.0.0.1", self.port)))
        try:
            wire.send(b"GET /respond/page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return wire.message().partition(b"\r\n\r\n")[2]
        finally:
            wire.reset()


def fingerprint(script: bytes) -> bytes:
    return b"sha384-" + base64.b64encode(hashlib.sha384(script).digest())


def _read(message: bytes) -> Request:
    head, _, body = message.partition(b"\r\n\r\n")
    line, *fields = head.decode("latin-1").split("\r\n")
    return Request(line, tuple(fields), body)
