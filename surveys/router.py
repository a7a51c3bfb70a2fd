"""The router to Django's pages for a site without a proxy. It forwards all requests except reports over a unix socket.

Clients may be slow and Django has few threads, so neither waits for the other. The router reads a whole request before
it asks Django, and a whole short response before it answers the client. Each kind of page has a share of the threads:
sign-in, the studio and results leave some for respondents, and attempts at passwords leave the studio's free.
"""

import asyncio
import re
import socket
import string
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, IncompleteRead
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from django.conf import settings

from surveys.operation.hosts import ACCOUNTS, COUNTED, STAFF
from surveys.operation.logging import QUESTIONS
from surveys.respondent.intake import refusals
from surveys.respondent.intake.clients import client_of, forwarded_for
from surveys.respondent.intake.replies import Reply, refuse

REQUEST_MAX = 4 << 20  # bytes of a body
REQUESTS_HELD = 64 << 20  # bytes of all bodies together
REQUEST_SECONDS = 30.0  # for a whole body to arrive
QUEUE_MAX = 256  # requests of a kind that wait for a thread
ANSWER_SECONDS = 60.0  # for Django's response
CHUNK = 1 << 20  # bytes of a response that are read before the client gets some

# Headers for one hop only, and headers with which a client could pretend to be a proxy.
_HOP = {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"}
_HOP |= {"transfer-encoding", "upgrade", "expect", "host", "content-length", "forwarded"}
_HOP |= {"x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-real-ip"}
# Headers that the server in front sets itself.
_REPLACED = {"connection", "transfer-encoding", "keep-alive", "date", "server"}

# Pairs of a path's pattern, of which the first match counts, and n: these paths get at most 1/n of the threads.
_LANES = (
    (
        rf"{QUESTIONS.pattern}|/(?:respond|static)/|/favicon\.ico$|/(?:alive|healthz)$"
        r"|/api/v1/surveys/[^/]+/definition$",
        1,
    ),
    (ACCOUNTS.pattern, 8),  # few passwords are hashed at a time (hashing.py)
    (r"/lab(?:/|$)", 8),  # computed for anyone's numbers; no other page waits for it
    (STAFF.pattern, 4),
    ("", 2),  # readers of results
)

_BUSY = refuse(refusals.PAGES_BUSY)
_AWAY = refuse(refusals.PAGES_AWAY)
_NO_LENGTH = refuse(refusals.PAGE_NO_LENGTH)
_TOO_LARGE = refuse(refusals.PAGE_TOO_LARGE, limit=REQUEST_MAX)
# For browsers without the script that checks the file before sending (static/designer/upload.js).
_TOO_LARGE_PAGE = _TOO_LARGE._replace(
    content_type="text/html; charset=utf-8",
    body=b"<!doctype html><html lang=en><title>Too large</title><h1>This file is too large</h1>"
    b"<p>At most 4 MB can be sent at once, and nothing was stored. Go back and choose a smaller file.</p>",
)
_LATE = refuse(refusals.TOO_SLOW)

T = TypeVar("T")


class Lane(asyncio.Semaphore):
    """A limit on simultaneous requests, which counts the waiting ones."""

    waiting = 0

    async def acquire(self) -> Literal[True]:
        self.waiting += 1
        try:
            return await super().acquire()
        finally:
            self.waiting -= 1


class Pages(HTTPConnection):
    """A request to Django and its response."""

    def __init__(self, path: str) -> None:
        super().__init__("pages", timeout=ANSWER_SECONDS)
        self._path, self._socket = path, socket.socket(socket.AF_UNIX)

    def connect(self) -> None:
        self.sock = self._socket
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)

    def ask(self, scope: Any, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return the response's status, headers and first piece."""
        target = quote(scope.path, safe="/:@!$&'()*+,;=~-._")
        if scope.query_string:
            target += f"?{quote(scope.query_string, safe=string.punctuation)}"
        self.putrequest(scope.method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in _passed(scope, len(body)):
            self.putheader(name, value)
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # Django may answer, and hang up, before the body has come
            self.endheaders(body or None)
        self.answer = self.getresponse()
        headers = [(name.lower(), value) for name, value in self.answer.getheaders()]
        kept = [(name, value) for name, value in headers if name not in _REPLACED]
        return self.answer.status, kept, self.more()

    def more(self) -> bytes:
        """Return the next piece, b"" at the end. Raise IncompleteRead if the response is shorter than stated."""
        piece = self.answer.read(CHUNK)
        if len(piece) < CHUNK and self.answer.length:
            raise IncompleteRead(piece)
        return piece

    def hang_up(self) -> None:
        """End the connection, even while a thread reads from it. Closing it would wait for that thread."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)


class Router:
    def __init__(self, path: str) -> None:
        self._path, self._held = path, 0
        threads = max(1, settings.WEB_PROCESSES * settings.WEB_THREADS // settings.INTAKE_PROCESSES)
        self._lanes = [(re.compile(pattern), Lane(max(1, threads // part))) for pattern, part in _LANES]
        self._asking = ThreadPoolExecutor(len(_LANES) * threads, "pages")  # a thread for each place

    async def forward(self, scope: Any, proto: Any) -> Reply | None:
        """Forward a request. Return None if the client has its response, else the reply to send."""
        length = _length(scope.headers)
        if isinstance(length, Reply):
            return length
        lane = self.lane(scope.path)
        if lane.waiting >= QUEUE_MAX or self._held + length > REQUESTS_HELD:
            return _BUSY
        self._held += length
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                body = await proto() if length else b""
        except TimeoutError:
            return _LATE
        else:
            async with lane:
                return await self._converse(scope, proto, body)
        finally:
            self._held -= length

    def lane(self, path: str) -> Lane:
        return next(lane for pattern, lane in self._lanes if pattern.match(path))

    async def _converse(self, scope: Any, proto: Any, body: bytes) -> Reply | None:
        """Read a short response to its end before the client gets it. Pass on a long one in pieces."""
        pages = Pages(self._path)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status, headers, piece = await self._aside(pages.ask, scope, body)
                if scope.method == "HEAD" or status in (204, 304):
                    proto.response_empty(status, headers)
                elif pages.answer.isclosed():
                    without_length = [(name, value) for name, value in headers if name != "content-length"]
                    proto.response_bytes(status, without_length, piece)
                else:
                    stream = proto.response_stream(status, headers)
                    while piece:
                        await stream.send_bytes(piece)
                        piece = await self._aside(pages.more)
            return None
        except (OSError, HTTPException):
            return _AWAY
        finally:
            pages.hang_up()

    async def _aside(self, act: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._asking, act, *arguments)


def _length(headers: Any) -> int | Reply:
    if "transfer-encoding" in headers:
        return _NO_LENGTH
    length = int(headers.get("content-length", "0"))  # the server has checked that it is a number
    if length <= REQUEST_MAX:
        return length
    return _TOO_LARGE_PAGE if "text/html" in headers.get("accept", "") else _TOO_LARGE


def _passed(scope: Any, length: int) -> Iterator[tuple[str, str]]:
    """Yield the headers to pass on. Names with an underscore are left out, because WSGI would read another header. A
    value beyond ASCII is missing here. Its name is passed on without a value, so that Django can still refuse the
    header."""
    valued = scope.headers.items()
    listed = {name.strip().lower() for key, value in valued if key == "connection" for name in value.split(",")}
    yield from (("host", scope.headers.get("host", "")), ("connection", "close"))
    for name, value in [*valued, *((name, "") for name in set(scope.headers.keys()) - {name for name, _ in valued})]:
        if name not in _HOP and name not in listed and "_" not in name:
            yield name, value
    if length or scope.method not in ("GET", "HEAD"):
        yield "content-length", str(length)
    client = client_of(scope.client, forwarded_for(scope.headers.get_all("x-forwarded-for")), settings.TRUSTED_PROXIES)
    if client is not None and COUNTED.match(scope.path):
        # For rate limits of sign-ins, the API and testers, in memory only. No other page gets the IP address.
        yield "x-forwarded-for", str(client)
