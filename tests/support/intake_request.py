"""Requests to the intake without a server: a request as granian hands it over, and the intake's answer."""

import asyncio
from typing import Any

from surveys.respondent.intake.front import Front


class Headers(dict):
    """Header names are in lower case, like granian's."""

    def get_all(self, name: str) -> list[str]:
        return [self[name]] if name in self else []


class IntakeRequest:
    """A request and its answer (status, headers, body). The object also serves as the request's scope and protocol."""

    method, query_string, client, authority = "POST", "", "127.0.0.1:1", None

    def __init__(self, path: str, headers: dict[str, str], body: bytes = b"", front: Front | None = None) -> None:
        self.path, self.headers, self.body, self._front = path, Headers(headers), body, front or Front()
        self.answer: tuple[int, dict[str, str], bytes] = (0, {}, b"")
        asyncio.run(self._ask())

    async def _ask(self) -> None:
        self._front.__rsgi_init__(asyncio.get_running_loop())
        await self._front.__rsgi__(self, self)

    async def __call__(self) -> bytes:
        return self.body

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answer = (status, dict(headers), body)

    response_empty: Any = None
