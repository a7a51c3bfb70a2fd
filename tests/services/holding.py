"""A server between a browser and the site. It records every report and every request for a signature, and can withhold
the reply."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# A report's fate: "passes"; "holds" keeps the request without a reply; "drops" passes the request on and drops the
# reply.
FATES = ("holds", "drops")


class Holding:
    """A server at `url` that passes requests on to the site at a loopback port. `bodies` has the bodies of all reports
    in order, and `wishes` the bodies of requests for a signature. `fate` happens to requests whose path ends in
    `end`."""

    def __init__(self, port: int) -> None:
        self.bodies: list[bytes] = []
        self.wishes: list[bytes] = []
        self.fate, self.end, self._released = "passes", "", threading.Event()
        holding = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._pass_on(None)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                (holding.wishes if self.path.endswith("/signature") else holding.bodies).append(body)
                fate = holding.fate if self.path.endswith(holding.end) else "passes"
                if fate == "holds":
                    holding._released.wait()
                else:
                    self._pass_on(body, silent=fate == "drops")

            def _pass_on(self, body: bytes | None, silent: bool = False) -> None:
                site = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                headers = {name: value for name, value in self.headers.items() if name != "Accept-Encoding"}
                site.request(self.command, self.path, body, headers)
                reply = site.getresponse()
                content = reply.read()
                site.close()
                if not silent:
                    self._answer(reply, content)

            def _answer(self, reply: http.client.HTTPResponse, content: bytes) -> None:
                self.send_response_only(reply.status)
                for name, value in reply.getheaders():
                    if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                pass  # killed browsers leave broken connections

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def holding(port: int) -> Iterator[Holding]:
    server = Holding(port)
    yield server
    server.stop()
