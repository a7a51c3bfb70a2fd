"""People with marked IP addresses and browsers, and their requests: reports, and requests that the site refuses."""

import http
import http.client
import ipaddress
import json
import secrets
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from surveys.respondent.intake.links import HEADER
from tests.services.system import System


class Marks(NamedTuple):
    """The marks of one person's browser."""

    connection: str  # the connection's real source address
    address: str
    old_address: str
    agent: str
    page: str
    cookie: str

    def headers(self) -> dict[str, str]:
        return {
            "X-Forwarded-For": f"{self.address}, {self.old_address}",
            "Forwarded": f'for="[{self.address}]";by={self.old_address}',
            "X-Real-IP": self.address,
            "CF-Connecting-IP": self.address,
            "Via": f"1.1 {self.agent}",
            "User-Agent": f"Mozilla/5.0 ({self.agent})",
            "Referer": f"https://example.org/{self.page}",
            "Origin": f"https://{self.page}.example.org",
            "Cookie": f"sessionid={self.cookie}; csrftoken={self.cookie}",
            "Authorization": f"Bearer {self.cookie}",
            "Accept-Language": f"x-{self.page}",
            "X-Request-ID": self.agent,
        }


def person() -> Marks:
    some = secrets.randbelow
    return Marks(
        # All of 127.0.0.0/8 is this machine, so a client can choose its source address.
        connection=f"127.{100 + some(100)}.{100 + some(100)}.{100 + some(100)}",
        address=str(ipaddress.ip_address("2001:db8::") + secrets.randbits(80)),
        old_address=f"198.18.{100 + some(100)}.{100 + some(100)}",
        agent=f"canary{secrets.token_hex(12)}",
        page=f"canary{secrets.token_hex(12)}",
        cookie=f"canary{secrets.token_hex(12)}",
    )


class Request(NamedTuple):
    method: str
    path: str
    body: bytes = b""
    content_type: str = "application/json"
    link: str = ""  # the survey that the header names

    def headers(self) -> dict[str, str]:
        return {"Content-Type": self.content_type} | ({HEADER: self.link} if self.link else {})


def send(system: System, marks: Marks, sent: Request) -> int:
    """Send a request from a marked address with marked headers, and return the status. If the site refuses a request
    before it read the body, it closes a connection that the proxy keeps. The next request may then fail with 502, so it
    is repeated, as the page does."""
    while (status := _sent(system, marks, sent)) == http.HTTPStatus.BAD_GATEWAY:
        continue
    return status


def _sent(system: System, marks: Marks, sent: Request) -> int:
    connection = http.client.HTTPConnection(urlsplit(system.url).netloc, timeout=30)
    connection.sock = system.connect(marks.connection)
    try:
        connection.request(*sent[:3], marks.headers() | sent.headers())
        return connection.getresponse().status
    finally:
        connection.close()


def break_off(system: System, marks: Marks, sent: Request) -> None:
    """End a connection in the middle of the body."""
    headers = marks.headers() | sent.headers() | {"Host": urlsplit(system.url).netloc}
    lines = [f"{sent.method} {sent.path} HTTP/1.1", f"Content-Length: {len(sent.body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with system.connect(marks.connection) as connection:
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + sent.body[: len(sent.body) // 2])


def refused(slug: str, marks: Marks, body: bytes) -> Iterator[tuple[int, Request]]:
    """Yield every refusal of a report that could have been recorded: the status, and a request with a mark in it.
    Programs send these requests: the URL names the survey."""
    path, report = f"/api/v1/surveys/{slug}/reports", json.loads(body)
    malformed = [
        report | {"comment": marks.agent},
        report | {"report_id": marks.agent},
        report | {"answers": report["answers"] | {"yes": marks.agent}},
        report | {"answers": report["answers"] | {marks.agent: 0}},
        marks.agent,
    ]
    yield from ((422, Request("POST", path, json.dumps(changed).encode())) for changed in malformed)
    yield 422, Request("POST", path, b"{" + marks.agent.encode())
    yield 409, Request("POST", path, json.dumps(report | {"digest": "0" * 64}).encode())
    yield 404, Request("POST", path.replace(slug, marks.page), body)
    yield 413, Request("POST", path, body + marks.agent.encode() * 1000)
    yield 415, Request("POST", path, body, f"text/{marks.agent}")
    yield 405, Request("GET", f"{path}?{marks.agent}")
