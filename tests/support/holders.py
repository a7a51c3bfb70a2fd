"""Pages on other origins that show a survey in a frame."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Holder:
    """A site on another origin than the survey. `pages` has the HTML by path. Every page is sent with `headers`."""

    def __init__(self) -> None:
        self.pages = dict[str, str]()
        self.headers = dict[str, str]()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self.origin = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def holds(self, html: str, path: str = "/") -> str:
        """Serve a page with this HTML and return its URL."""
        self.pages[path] = f"<!doctype html><title>Holder</title><h1>A page of somebody else</h1>{html}"
        return f"{self.origin}{path}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, holder: Holder, *given: Any) -> None:
        self.holder = holder
        super().__init__(*given)

    def do_GET(self) -> None:
        page = self.holder.pages.get(self.path)
        self.send_response(404 if page is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        for name, value in self.holder.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((page or "").encode())

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def holders(count: int) -> Iterator[list[Holder]]:
    made = [Holder() for _ in range(count)]
    try:
        yield made
    finally:
        for each in made:
            each.stop()
