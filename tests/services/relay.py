"""A relay for tests (RFC 9458). It takes capsules from pages over https, passes their bytes on to a gateway, and
returns the answer. It records what it sees of each capsule and what the gateway sees."""

import http.client
import ssl
import threading
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.services.nginx import certify

GATEWAY = "/.well-known/ohttp-gateway"
PASSED = ("content-type", "content-length")
PATIENCE = 60


class Seen(NamedTuple):
    """A capsule: its sender, headers and bytes, then the headers that were passed on, the status and the answer."""

    client: str
    headers: dict[str, str]
    capsule: bytes
    passed: dict[str, str]
    status: int
    answer: bytes


class Relay:
    """A relay; pages find it at `origin`. It passes nothing on while `passes` is false."""

    def __init__(self, directory: Path) -> None:
        self.seen: list[Seen] = []
        self.passes, self.site = True, ""
        handler = type("Handler", (_Handler,), {"relay": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.origin = f"https://127.0.0.1:{self._server.server_port}"
        certificate, key = directory / "relay.pem", directory / "relay.key"
        certify(certificate, key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def carry(self, client: str, headers: Message, capsule: bytes) -> Seen:
        passed = {name: str(headers[name]) for name in PASSED if headers[name]}
        connection = http.client.HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        try:
            connection.request("POST", GATEWAY, capsule, passed)
            answer = connection.getresponse()
            seen = Seen(client, dict(headers.items()), capsule, passed, answer.status, answer.read())
        finally:
            connection.close()
        self.seen.append(seen)
        return seen


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Ignore clients that do not trust the certificate."""


class _Handler(BaseHTTPRequestHandler):
    relay: Relay
    protocol_version = "HTTP/1.1"

    def do_OPTIONS(self) -> None:
        """Allow pages of other origins to send capsules; browsers ask first."""
        self._say(204, b"", {"Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "content-type"})

    def do_POST(self) -> None:
        capsule = self.rfile.read(int(self.headers["content-length"]))
        if not self.relay.passes:
            self._say(502, b"", {})
            return
        seen = self.relay.carry(self.client_address[0], self.headers, capsule)
        kind = "message/ohttp-res" if seen.status == 200 else "application/problem+json"
        self._say(seen.status, seen.answer, {"Content-Type": kind})

    def _say(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Access-Control-Allow-Origin": "*"}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass
