"""The program that owns the port: an asynchronous server of reports.

A request costs only memory until its body has arrived, so slow and idle clients hold no thread. The loop does only
short work. Other threads look up surveys, read long bodies and count the backlog.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings

from surveys.models import Survey
from surveys.operation import logging
from surveys.operation.counts import count_answer
from surveys.operation.faults import FAULTS
from surveys.operation.hosts import is_staff_host, known_host
from surveys.respondent.intake import backlog, gateway, links, refusals, replies, signing, storage
from surveys.respondent.intake.clients import Clients, client_of, forwarded_for
from surveys.respondent.intake.reconnection import persistently
from surveys.respondent.intake.replies import Head, Opened, Reply, refuse
from surveys.respondent.intake.signer import Signer
from surveys.respondent.intake.storage import Row
from surveys.respondent.intake.writer import Writer
from surveys.web.policies import DEFAULTS, OF_DOCUMENTS

BODY_SECONDS = 10.0  # for the whole body of a report
STORE_SECONDS = 30.0  # until a report is stored; then its browser has to try again
TICK_SECONDS = 0.5  # between checks of these deadlines
LOOK_SECONDS = 2.0  # between checks of the backlog, whose limit need not be exact
LONG = 16 << 10  # bytes; longer bodies are read one by one in another thread,
LONG_HELD = 64 << 20  # and have at most this size together
SURVEYS_KEPT = 1024  # surveys whose layouts stay in memory
SIGNATURES_MAX = 256  # requests that wait for a signature
LOOKUPS_MAX = 256  # waiting lookups of surveys
DRAIN_SECONDS = 1.0

LINK = links.HEADER.lower()
T = TypeVar("T")

_FAILED = refuse(refusals.FAILED)
_BUSY = refuse(refusals.BUSY)
_TOO_MANY = refuse(refusals.TOO_MANY)
_LATE = refuse(refusals.TOO_SLOW)
_UNKNOWN_HOST = refuse(refusals.UNKNOWN_HOST)
_NOT_HERE = refuse(refusals.NOT_HERE)


async def _not_here(scope: Any, proto: Any) -> Reply:
    return _NOT_HERE


class Busy(Exception):
    """Too many lookups wait already."""


class Front:
    """granian's RSGI application, for one loop. `elsewhere` handles requests that are no report. It returns None if it
    has answered itself."""

    def __init__(self, elsewhere: Callable[[Any, Any], Awaitable[Reply | None]] | None = None) -> None:
        self._elsewhere = elsewhere or _not_here

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._writer = Writer(loop, storage.store_all)
        self._proxies = settings.TRUSTED_PROXIES
        self._clients = Clients(settings.CLIENT_REPORTS_PER_MINUTE)
        self._relays = Clients(settings.RELAY_REPORTS_PER_MINUTE)
        self._signer, self._signing, self._to_sign = Signer(), ThreadPoolExecutor(1, "signing"), 0
        self._surveys: dict[str, Opened] = {}  # the latest SURVEYS_KEPT
        self._under_way: dict[str, asyncio.Future[Opened]] = {}
        self._lookups = ThreadPoolExecutor(2, "lookup")
        self._aside = ThreadPoolExecutor(1, "aside")
        self._held = 0
        self._active: set[int] = set()  # surveys with reports since the last check of the backlog
        self._full: frozenset[int] = frozenset()
        self._reading: dict[asyncio.Task[Any], float] = {}  # tasks that wait for a body, with their deadlines
        self._watches = [loop.create_task(self._watch_deadlines()), loop.create_task(self._watch_backlog())]

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """End. No new request is taken; waiting reports are stored and answered if that is quick."""
        for watch in self._watches:
            watch.cancel()
        loop.run_until_complete(self._drain())
        self._signer.end()

    async def __rsgi__(self, scope: Any, proto: Any) -> None:
        try:
            reply = await self._taken(scope, proto)
            if reply is None and scope.path == gateway.PATH and not _is_staff_host(scope.headers.get("host", "")):
                reply = await self._relay(scope, proto)
            elif reply is None:
                reply = await self._elsewhere(scope, proto)
        except ConnectionError:
            return
        except Exception as error:  # the browser keeps its report and tries again
            if type(error).__name__ == "RSGIProtocolClosed":
                return
            FAULTS.add("Intake failed", (type(error), error, error.__traceback__))
            reply = _FAILED
        if reply is not None:
            proto.response_bytes(reply.status, _headers(reply.content_type, reply.headers), reply.body)

    async def _taken(self, scope: Any, proto: Any, counted: bool = False) -> Reply | None:
        """Return the reply to a report or to a request for a signature, None for other requests. `counted`: it came
        through a relay and is within the relay's limit."""
        host = scope.headers.get("host", "")
        if scope.authority is not None or not _known_host(host):
            return _UNKNOWN_HOST
        report = logging.INTAKE.fullmatch(scope.path)
        if _is_staff_host(host) or not (report or logging.SIGNING.fullmatch(scope.path)):
            return None
        since, status = self._loop.time(), _FAILED.status
        try:
            slug = links.slug_of(scope.headers.get(LINK))
            reply = await (
                self._receive(report[1] or slug, scope, proto, counted) if report else self._sign(scope, proto, counted)
            )
            status = reply.status
        except ConnectionError:
            status = 0  # the client is gone
            raise
        finally:
            if status:
                count_answer("reports" if report else "signatures", status, self._loop.time() - since)
        return reply

    async def _relay(self, scope: Any, proto: Any) -> Reply:
        """Return the reply to a capsule. Its content is limited like any request, except for the requests per client,
        because the client is a relay."""
        if scope.method == "GET":
            return gateway.configurations()
        head = Head(scope.method, scope.headers.get("content-type", ""), _stated_length(scope.headers))
        if refused := gateway.refuse_head(head):
            return refused
        if self._over(scope):
            return _TOO_MANY
        capsule = await self._whole(int(head.length or 0), proto, lambda body: gateway.opened(body, scope.client))
        if isinstance(capsule, Reply):
            return capsule
        return await capsule.answered(self._taken(capsule, capsule, counted=True))

    def _over(self, scope: Any) -> bool:
        """Count a request; return whether it is one too many of its client or of its relay."""
        client = client_of(scope.client, forwarded_for(scope.headers.get_all("x-forwarded-for")), self._proxies)
        if client is None:
            return False
        relay = any(client in network for network in settings.RELAY_NETWORKS)
        return (self._relays if relay else self._clients).over(client)

    async def _receive(self, slug: str, scope: Any, proto: Any, counted: bool) -> Reply:
        get = scope.headers.get
        head = Head(scope.method, get("content-type", ""), _stated_length(scope.headers))
        if refused := replies.refuse_head(head):
            return refused
        if not counted and self._over(scope):
            return _TOO_MANY
        try:
            survey = self._surveys.get(slug) or await self._look_up(slug)
        except Survey.DoesNotExist:
            return replies.UNKNOWN_SURVEY
        except Busy:
            return _BUSY
        if refused := replies.refuse_length(head, survey):
            return refused
        if survey.survey_id in self._full:
            return replies.BACKLOG
        if self._writer.full(survey.survey_id):
            return _BUSY
        row = await self._whole(int(head.length or 0), proto, lambda body: replies.read(survey, body))
        if isinstance(row, Reply):
            return row
        reply = await self._store(row)
        if reply.status == replies.UNKNOWN_SURVEY.status:  # it was deleted
            self._surveys.pop(slug, None)
        return reply

    async def _sign(self, scope: Any, proto: Any, counted: bool) -> Reply:
        """Return the reply to a request for a signature. Anyone may request one, and it takes as long as many reports.
        So these requests have a queue of their own, and no report waits for them."""
        get, named = scope.headers.get, logging.SIGNING.fullmatch(scope.path)
        head = Head(scope.method, get("content-type", ""), _stated_length(scope.headers))
        if refused := signing.refuse_head(head):
            return refused
        if not counted and self._over(scope):
            return _TOO_MANY
        try:
            body = await self._body(proto)  # the body is short; a half-sent one gets no place in the queue
        except TimeoutError:
            return _LATE
        if self._to_sign >= SIGNATURES_MAX:
            return _BUSY
        self._to_sign += 1
        try:
            slug = (named and named[1]) or links.slug_of(get(LINK))
            return await self._loop.run_in_executor(self._signing, self._signer.sign, slug, body)
        finally:
            self._to_sign -= 1

    async def _look_up(self, slug: str) -> Opened:
        """Return the survey. Simultaneous requests for it share a lookup."""
        lookup = self._under_way.get(slug)
        if lookup is None:
            if len(self._under_way) >= LOOKUPS_MAX:
                raise Busy
            lookup = self._under_way[slug] = self._loop.run_in_executor(self._lookups, _opened, slug)
            lookup.add_done_callback(lambda _: self._under_way.pop(slug))
        survey = await asyncio.shield(lookup)
        while len(self._surveys) >= SURVEYS_KEPT:
            del self._surveys[next(iter(self._surveys))]
        self._surveys[slug] = survey
        return survey

    async def _whole(self, length: int, proto: Any, read: Callable[[bytes], T]) -> T | Reply:
        """Return the result of `read` for the body, or the refusal of the body."""
        held = length if length > LONG else 0
        if held and self._held + held > LONG_HELD:
            return _BUSY
        self._held += held
        try:
            body = await self._body(proto)
            if not held:
                return read(body)
            return await self._loop.run_in_executor(self._aside, read, body)
        except TimeoutError:
            return _LATE
        finally:
            self._held -= held

    async def _body(self, proto: Any) -> bytes:
        """Return the body, or raise TimeoutError. One watch serves all requests, because a timer per request would cost
        more than the rest."""
        task = asyncio.current_task()
        assert task is not None
        self._reading[task] = self._loop.time() + BODY_SECONDS
        try:
            body: bytes = await proto()
            return body
        except asyncio.CancelledError:
            raise TimeoutError from None
        finally:
            del self._reading[task]

    async def _store(self, row: Row) -> Reply:
        if self._writer.full(row.survey_id):
            return _BUSY
        self._active.add(row.survey_id)
        try:
            return replies.answer(row, await self._writer.put(row))
        except TimeoutError:
            return _BUSY
        except Exception:  # already logged
            return _FAILED

    async def _watch_deadlines(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = self._loop.time()
            for task, deadline in list(self._reading.items()):
                if deadline > now:
                    break  # the later ones have more time
                task.cancel()
            self._writer.give_up(now - STORE_SECONDS)

    async def _watch_backlog(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            looked, self._active = self._active | self._full, set()
            try:
                self._full = await self._loop.run_in_executor(self._aside, _full_among, looked)
            except Exception:  # without the database nothing is stored either
                self._active |= looked

    async def _drain(self) -> None:
        end = self._loop.time() + DRAIN_SECONDS
        while not self._writer.idle and self._loop.time() < end:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # lets the replies leave


_KEPT = [(name, value) for name, value in DEFAULTS.items() if name not in OF_DOCUMENTS]
_HEADERS = [*_KEPT, ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")]
if settings.SECURE_HSTS_SECONDS:
    _HEADERS.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}"))
_HEADERS = [(name.lower(), value) for name, value in _HEADERS]


@lru_cache(maxsize=64)
def _headers(content_type: str, headers: refusals.Headers) -> list[tuple[str, str]]:
    return [("content-type", content_type), *((name.lower(), value) for name, value in headers), *_HEADERS]


def _stated_length(headers: Any) -> str | None:
    return None if "transfer-encoding" in headers else headers.get("content-length")


_known_host = lru_cache(maxsize=64)(known_host)
_is_staff_host = lru_cache(maxsize=64)(is_staff_host)
_opened = persistently(replies.opened)


@persistently
def _full_among(surveys: set[int]) -> frozenset[int]:
    return frozenset(survey_id for survey_id in surveys if backlog.full(survey_id))
