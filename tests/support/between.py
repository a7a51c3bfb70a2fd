"""A site in between, which hands on what it likes of another one's answers."""

import contextlib
import http.server
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from surveys.respondent.intake.links import HEADER

Alter = Callable[[str, bool, bytes], bytes]


@contextlib.contextmanager
def between(site: Any, alter: Alter) -> Iterator[str]:
    """The address of a site that hands on what `alter(path, second, body)` makes of each answer; `second` says whether
    it is the second of the verifier's clients that asks. What is posted is handed on as it is."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, posted: bytes | None) -> None:
            asked = {"User-Agent": self.headers["User-Agent"], "Accept-Encoding": "identity"}
            asked |= {HEADER: self.headers[HEADER]} if HEADER in self.headers else {}
            request = urllib.request.Request(site.url + self.path, headers=asked, data=posted)
            try:
                with urllib.request.urlopen(request) as answer:
                    status, body = answer.status, answer.read()
            except urllib.error.HTTPError as refusal:
                status, body = refusal.code, refusal.read()
            body = alter(self.path, "Android" in asked["User-Agent"], body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
