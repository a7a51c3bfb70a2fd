"""Clients that would starve a site: `python -m tests.services.hostile` with a description (JSON) as its standard input.

{"host": "127.0.0.1", "port": 8000, "name": "127.0.0.1:8000", "staff": "127.0.0.1:8000",
 "certificate": null, "seconds": 60,
 "half_bodies": 1000, "idle": 2000, "logins": 64, "flood": 64, "rate": 2000,
 "signatures": 64, "signature": "/api/v1/surveys/.../signature", "invitation": {"token": ..., "blinded": ...},
 "reports": "/api/v1/surveys/.../reports", "definition": {...}, "digest": "..."}

The process connects only to a loopback address. It ends after that many seconds, or earlier when its input ends. Closed
connections are opened again. Each kind of client has its own source addresses. The process prints a line once all
kinds are at work, and at its end the counts of what it did.
"""

import asyncio
import json
import random
import re
import resource
import ssl
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from ldp.privatize import make_report

AGAIN = 0.5  # seconds before a closed connection is opened again
ANSWERED = {"logins": "login", "flood": "flood", "signatures": "signatures"}  # kinds, and how their answers are counted
OPENING = asyncio.Semaphore(100)  # connections that may be opening at the same time


class Hostile:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.done: Counter[str] = Counter()
        self._next: dict[str, float] = {}
        self.body = self.report(random.Random(1))  # all clients send this body; a flood gives each report another id
        self._tls = None
        if plan["certificate"]:
            self._tls = ssl.create_default_context(cafile=plan["certificate"])

    async def run(self) -> None:
        kinds = {"half_bodies": self.half_body, "idle": self.idle, "logins": self.login, "flood": self.flood}
        kinds |= {"signatures": self.signature}
        clients = [self.again(kind, k, client) for kind, client in kinds.items() for k in range(self.plan.get(kind, 0))]
        with suppress(TimeoutError):
            async with asyncio.timeout(self.plan["seconds"]):
                await asyncio.gather(*clients)

    async def at_work(self) -> None:
        """Return when all planned connections were opened and each sending kind had an answer."""
        while not (self._opened() and self._answered()):
            await asyncio.sleep(0.1)

    def _opened(self) -> bool:
        return all(self.done[f"{kind} opened"] >= self.plan.get(kind, 0) for kind in ("half_bodies", "idle"))

    def _answered(self) -> bool:
        counted = {name.partition(" ")[0] for name in self.done if name[-1].isdigit()}
        return all(word in counted for kind, word in ANSWERED.items() if self.plan.get(kind))

    async def again(self, kind: str, k: int, client: Callable[[Any, Any, int], Awaitable[None]]) -> None:
        source = f"127.{list('abhilfs').index(kind[0]) + 10}.{k // 250}.{k % 250 + 1}"
        while True:
            writer = None
            try:
                async with OPENING:
                    reader, writer = await asyncio.open_connection(
                        self.plan["host"], self.plan["port"], local_addr=(source, 0), ssl=self._tls,
                        server_hostname=self.plan["name"].partition(":")[0] if self._tls else None,
                    )  # fmt: skip
                self.done[f"{kind} opened"] += 1
                await client(reader, writer, k)
            except (OSError, EOFError, ValueError, asyncio.IncompleteReadError):
                self.done[f"{kind} refused"] += 1
            finally:
                if writer is not None:
                    writer.close()
            await asyncio.sleep(AGAIN)

    async def idle(self, reader: Any, writer: Any, k: int) -> None:
        while await reader.read(1024):
            pass

    async def half_body(self, reader: Any, writer: Any, k: int) -> None:
        body = self.body
        writer.write(self.head("POST", self.plan["reports"], body) + body[: len(body) // 2])
        while await reader.read(1024):
            pass

    async def flood(self, reader: Any, writer: Any, k: int) -> None:
        chance = random.Random(f"{time.time()} {k}")
        body = self.body
        while True:
            await self.turn("flood")
            number = f"{chance.getrandbits(32):08x}-0000-4000-8000-{chance.getrandbits(48):012x}"
            new = body[:14] + number.encode() + body[50:]
            writer.write(self.head("POST", self.plan["reports"], new) + new)
            self.done[f"flood {(await self.answer(reader))[0]}"] += 1

    async def signature(self, reader: Any, writer: Any, k: int) -> None:
        """Send one invitation again and again; the site signs its blinded message each time."""
        body = json.dumps(self.plan["invitation"]).encode()
        while True:
            await self.turn("signatures")
            writer.write(self.head("POST", self.plan["signature"], body) + body)
            self.done[f"signatures {(await self.answer(reader))[0]}"] += 1

    async def turn(self, kind: str) -> None:
        """Wait for a turn; all clients of a kind together send `rate` requests a second."""
        now = time.monotonic()
        self._next[kind] = max(self._next.get(kind, now) + 1 / self.plan["rate"], now - 0.1)
        await asyncio.sleep(self._next[kind] - now)

    async def login(self, reader: Any, writer: Any, k: int) -> None:
        staff = {"Host": self.plan["staff"]}
        writer.write(self.head("GET", "/account/login/", more=staff))
        _, head, page = await self.answer(reader)
        found = re.search(rb"(?i)set-cookie: ([^;]*csrftoken=[^;]+)", head)
        cookie = found[1].decode() if found else ""
        token = page.partition(b'name="csrfmiddlewaretoken" value="')[2].partition(b'"')[0].decode()
        while True:
            form = {"csrfmiddlewaretoken": token, "login": f"staff{k}", "password": f"wrong {random.random()}"}
            body = urlencode(form).encode()
            more = staff | {
                "Cookie": cookie,
                "Content-Type": "application/x-www-form-urlencoded",
                "Referer": f"{'https' if self._tls else 'http'}://{self.plan['staff']}/account/login/",
            }
            await self.turn("logins")
            writer.write(self.head("POST", "/account/login/", body, more) + body)
            self.done[f"login {(await self.answer(reader))[0]}"] += 1

    def report(self, chance: random.Random) -> bytes:
        definition = self.plan["definition"]
        answers = {question["key"]: 0 for question in definition["questions"]}
        text = make_report(definition, self.plan["digest"], answers, lambda: chance.getrandbits(32))
        return json.dumps(json.loads(text), separators=(",", ":")).encode()

    def head(self, method: str, path: str, body: bytes = b"", more: dict[str, str] | None = None) -> bytes:
        headers = {"Host": self.plan["name"], "Content-Type": "application/json"} | (more or {})
        if body:
            headers["Content-Length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def answer(self, reader: Any) -> tuple[int, bytes, bytes]:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        return int(head.split()[1]), head, await reader.readexactly(length)


async def main() -> None:
    plan = json.loads(sys.stdin.readline())
    assert plan["host"].startswith("127."), "only this machine itself"
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    hostile = Hostile(plan)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    running = asyncio.create_task(hostile.run())
    await asyncio.wait([running, ended, asyncio.create_task(hostile.at_work())], return_when=asyncio.FIRST_COMPLETED)
    print("at work", flush=True)
    await asyncio.wait([running, ended], return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    print(json.dumps(hostile.done), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
