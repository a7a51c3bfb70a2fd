"""Everything that is no report, handed to Django's own part over a unix socket and back.

Clients may be slow and Django has few threads, so neither waits for the other: a request is read to its end before
Django hears of it, an answer before its client does. Each kind of visitor has its own share of the threads: whoever
signs in, works in the studio, or reads results, leaves some for the pages of respondents, and whoever tries passwords
leaves those of the studio alone.
"""

import asyncio
import re
import string
from collections.abc import Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import h11
from django.conf import settings

from surveys.operation.hosts import ACCOUNTS, COUNTED, STAFF
from surveys.operation.logs import QUESTIONS
from surveys.respondent.intake import refusals
from surveys.respondent.intake.clients import client_of, forwarded_for
from surveys.respondent.intake.replies import Reply, refuse

REQUEST_MAX = 4 << 20  # bytes of a body
REQUESTS_HELD = 64 << 20  # bytes of all bodies that are under way
REQUEST_SECONDS = 30.0  # for a whole body to arrive
QUEUE_MAX = 256  # requests of one kind that wait for a thread
ANSWER_SECONDS = 60.0  # until Django has answered, once it was asked
HEADERS_MAX = 64 << 10  # bytes of an answer's head
CHUNK = 64 << 10
WHOLE_MAX = 1 << 20  # bytes of an answer that is read to its end first

# Between one hop and the next only; and what a client could use to speak in a proxy's name.
_HOP = {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"}
_HOP |= {"transfer-encoding", "upgrade", "expect", "host", "content-length", "forwarded"}
_HOP |= {"x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-real-ip"}
# What the server before writes itself.
_REPLACED = {"connection", "transfer-encoding", "keep-alive", "date", "server"}

_RESPONDENTS = re.compile(
    rf"{QUESTIONS.pattern}|/(?:respond|static)/|/favicon\.ico$|/(?:alive|healthz)$|/api/v1/surveys/[^/]+/definition$"
)
# What anybody may have computed anew with numbers of their own, in a lane where nobody else waits.
_LAB = re.compile(r"/lab(?:/|$)")

_BUSY = refuse(refusals.PAGES_BUSY)
_AWAY = refuse(refusals.PAGES_AWAY)
_NO_LENGTH = refuse(refusals.PAGE_NO_LENGTH)
_TOO_LARGE = refuse(refusals.PAGE_TOO_LARGE, limit=REQUEST_MAX)
# For a browser whose page could not look at the file before (static/design/upload.js).
_TOO_LARGE_PAGE = _TOO_LARGE._replace(
    content_type="text/html; charset=utf-8",
    body=b"<!doctype html><html lang=en><title>Too large</title><h1>This file is too large</h1>"
    b"<p>At most 4 MB can be sent at once, and nothing was stored. Go back and choose a smaller file.</p>",
)
_LATE = refuse(refusals.TOO_SLOW)


class Lane:
    """So many requests with Django at a time, and a bounded queue for that."""

    def __init__(self, places: int) -> None:
        self._places, self._waiting = asyncio.Semaphore(places), 0

    @property
    def full(self) -> bool:
        return self._waiting >= QUEUE_MAX

    @asynccontextmanager
    async def place(self) -> Any:
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._places.release()


class Pages:
    def __init__(self, path: str) -> None:
        self._path, self._held = path, 0
        threads = max(1, settings.WEB_PROCESSES * settings.WEB_THREADS // settings.INTAKE_PROCESSES)
        self._respondents = Lane(threads)
        self._accounts = Lane(max(1, threads // 8))  # few are hashed at a time (hashing.py)
        self._staff = Lane(max(1, threads // 4))
        self._readers = Lane(max(1, threads // 2))
        self._lab = Lane(max(1, threads // 8))

    async def forward(self, scope: Any, proto: Any) -> Reply | None:
        """None where the answer was given; else what to say instead."""
        length = _length(scope.headers)
        if isinstance(length, Reply):
            return length
        lane = self._lane(scope.path)
        if lane.full or self._held + length > REQUESTS_HELD:
            return _BUSY
        self._held += length
        try:
            body = b""
            if length:
                async with asyncio.timeout(REQUEST_SECONDS):
                    body = await proto()
        except TimeoutError:
            return _LATE
        else:
            async with lane.place():
                return await self._converse(scope, proto, body)
        finally:
            self._held -= length

    def _lane(self, path: str) -> Lane:
        if _RESPONDENTS.match(path):
            return self._respondents
        if ACCOUNTS.match(path):
            return self._accounts
        if _LAB.match(path):
            return self._lab
        return self._staff if STAFF.match(path) else self._readers

    async def _converse(self, scope: Any, proto: Any, body: bytes) -> Reply | None:
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError:
            return _AWAY
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                spoken = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEADERS_MAX)
                writer.write(b"".join(_request(spoken, scope, body)))
                await _answer(spoken, reader, scope.method, proto)
            return None
        except (OSError, h11.ProtocolError, TimeoutError):
            return _AWAY
        finally:
            writer.close()


def _length(headers: Any) -> int | Reply:
    if "transfer-encoding" in headers:
        return _NO_LENGTH
    length = int(headers.get("content-length", "0"))  # the server has seen that it is a number
    if length <= REQUEST_MAX:
        return length
    return _TOO_LARGE_PAGE if "text/html" in headers.get("accept", "") else _TOO_LARGE


def _request(connection: h11.Connection, scope: Any, body: bytes) -> Iterator[bytes]:
    target = quote(scope.path, safe="/:@!$&'()*+,;=~-._")
    if scope.query_string:
        target += f"?{quote(scope.query_string, safe=string.punctuation)}"
    headers = [("host", scope.headers.get("host", "")), ("connection", "close"), *_passed(_all(scope.headers))]
    if body or scope.method not in ("GET", "HEAD"):
        headers.append(("content-length", str(len(body))))
    client = client_of(scope.client, forwarded_for(scope.headers.items()), settings.TRUSTED_PROXIES)
    if client is not None and COUNTED.match(scope.path):
        # For the back-off of sign-ins and the API's limit, kept in memory only. Of nobody else it goes further.
        headers.append(("x-forwarded-for", str(client)))
    yield connection.send(h11.Request(method=scope.method, target=target, headers=headers)) or b""
    if body:
        yield connection.send(h11.Data(data=body)) or b""
    yield connection.send(h11.EndOfMessage()) or b""


def _all(headers: Any) -> list[tuple[str, str]]:
    """The headers with their values. The server tells none that is not ASCII, and its name alone is passed on: what
    must be refused for its value would else look as if it had never been sent."""
    valued = headers.items()
    return [*valued, *((name, "") for name in set(headers.keys()) - {name for name, _ in valued})]


def _passed(headers: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The headers of the message itself. A name with an underscore would be another header's to WSGI."""
    listed = {name.strip().lower() for key, value in headers if key == "connection" for name in value.split(",")}
    for name, value in headers:
        if name not in _HOP and name not in listed and "_" not in name:
            yield name, value


async def _answer(spoken: h11.Connection, reader: asyncio.StreamReader, method: str, proto: Any) -> None:
    """A short answer is read to its end before the client gets it, a long one passed on piece by piece."""
    head = await _next(spoken, reader)
    assert isinstance(head, h11.Response)
    texts = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
    headers = [(name, value) for name, value in texts if name not in _REPLACED]
    if method == "HEAD" or head.status_code in (204, 304):
        proto.response_empty(head.status_code, headers)
        return
    gathered: list[bytes] = []
    while sum(map(len, gathered)) < WHOLE_MAX:
        event = await _next(spoken, reader)
        if isinstance(event, h11.EndOfMessage):
            without_length = [(name, value) for name, value in headers if name != "content-length"]
            proto.response_bytes(head.status_code, without_length, b"".join(gathered))
            return
        gathered.append(bytes(event.data))
    stream = proto.response_stream(head.status_code, headers)
    await stream.send_bytes(b"".join(gathered))
    while isinstance(event := await _next(spoken, reader), h11.Data):
        await stream.send_bytes(bytes(event.data))


async def _next(spoken: h11.Connection, reader: asyncio.StreamReader) -> Any:
    """The next event of Django's; ConnectionError where it ended too early."""
    while (event := spoken.next_event()) is h11.NEED_DATA or isinstance(event, h11.InformationalResponse):
        spoken.receive_data(await reader.read(CHUNK))
    if isinstance(event, h11.ConnectionClosed):
        raise ConnectionError
    return event
