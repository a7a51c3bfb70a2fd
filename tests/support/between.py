"""A site in between that changes another site's answers before it passes them on."""

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
    """Serve a site that passes on `alter(path, second, body)` for each answer, and yield its URL. `second` says whether
    the verifier's second client asks. Posted bodies are passed on unchanged."""

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
