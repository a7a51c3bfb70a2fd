"""Calamities that happen to a site once: a full disk, a clock that jumps, a database that restarts or fails over to a
replica, a lost Redis. Respondents answer before, during and after it. In the end the books must agree."""

import json
import random
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple

from ldp.privatize import make_report
from surveys.public.demo.client import ReportRejected, Sender
from tests.services.clock import Clock
from tests.services.fragile import FragileProduction
from tests.services.ledger import Books, Ledger, audit
from tests.services.replica import Replicated
from tests.services.turmoil import open_draft, settle

DAY = 86400
CLIENTS = 8
PAUSE = 0.1  # most seconds between two reports of a client
AWAY = 10.0  # seconds for which a service is away, or the disk is full


class Replicating(FragileProduction):
    server = Replicated
    postgres: Replicated


Seconds = float
Befalls = Callable[[FragileProduction, Clock, Seconds], AbstractContextManager[None]]


@contextmanager
def full_disk(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    deadline = time.monotonic() + away
    while time.monotonic() < deadline:
        system.fill()  # again: deleted files leave room
        time.sleep(0.2)
    system.free()
    system.revive()
    yield


@contextmanager
def day_ahead(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    """Set the clock a day ahead and then back, as if an operator noticed."""
    clock.jump(DAY)
    time.sleep(away)
    yield
    clock.jump(0)


@contextmanager
def day_back(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    clock.jump(-DAY)
    time.sleep(away)
    yield


@contextmanager
def restart(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    system.postgres.restart()
    yield


@contextmanager
def failover(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    assert isinstance(system, Replicating)
    system.postgres.fail_over()
    yield


@contextmanager
def redis_lost(system: FragileProduction, clock: Clock, away: Seconds) -> Iterator[None]:
    system.kill("redis")
    time.sleep(away)
    system.start("redis")
    yield


CALAMITIES: dict[str, Befalls] = {
    "disk full": full_disk,
    "clock a day ahead and back": day_ahead,
    "clock a day back": day_back,
    "PostgreSQL restarted": restart,
    "Redis lost": redis_lost,
    "PostgreSQL failed over": failover,
}


class Outcome(NamedTuple):
    books: Books
    seen: Counter[str]  # the answers to respondents' browsers, or "no answer"
    longest: float  # seconds until a report was acknowledged
    counted_after: float  # seconds from the calamity's end to the next release


Site = tuple[FragileProduction, Clock]


@contextmanager
def site(**settings: str) -> Iterator[Site]:
    """Run a site to which every calamity can happen."""
    with ExitStack() as stack:
        clock = Clock()
        stack.callback(clock.stop)
        with clock.shown():
            system = Replicating(**settings)
        stack.callback(system.stop)
        yield system, clock


class _Respondent(Sender):
    """A sender that counts the answers to its tries."""

    def __init__(self, url: str, seen: Counter[str]) -> None:
        super().__init__(url)
        self._seen = seen

    def _try(self, body: bytes) -> int | None:
        status = super()._try(body)
        self._seen["no answer" if status is None else str(status)] += 1
        return status


def run(name: str, on: Site, reports: int, away: Seconds) -> Outcome:
    """Run a calamity while respondents send `reports` reports: a third before, some during it, the rest after. The
    site's clock is right again in the end."""
    system, clock = on
    try:
        return _befall(system, clock, CALAMITIES[name], reports, away)
    finally:
        clock.jump(0)


def _befall(system: FragileProduction, clock: Clock, befalls: Befalls, reports: int, away: Seconds) -> Outcome:
    slug = open_draft(system)
    path = f"{system.url}/api/v1/surveys/{slug}"
    with urllib.request.urlopen(f"{path}/definition", timeout=30) as response:
        definition, digest = json.load(response), response.headers["ETag"].strip('"')
    answers = {question["key"]: 0 for question in definition["questions"]}
    ledger, over, seen, seconds = Ledger(), threading.Event(), Counter[str](), list[float]()

    def respond(k: int) -> None:
        words, sender = random.Random(f"{slug} {k}"), _Respondent(f"{path}/reports", seen)
        while not over.is_set():
            body = make_report(definition, digest, answers, lambda: words.getrandbits(32))
            ledger.sent.add(body)
            try:
                seconds.append(sender.send(body).seconds)
                ledger.acknowledged.append(body)
            except (ReportRejected, TimeoutError) as refusal:
                ledger.refused.append(str(refusal))
            over.wait(words.uniform(0, PAUSE))

    def acknowledged(least: int) -> None:
        system.eventually(lambda: len(ledger.acknowledged) >= least, f"{least} acknowledged", 600)

    def counted() -> bool:
        system.start_what_ended()  # kombu 5.7: a worker ends if its broker goes away while it acknowledges a task
        return _newest(system, slug) > before

    threads = [threading.Thread(target=respond, args=(k,), daemon=True) for k in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        acknowledged(reports // 3)
        with befalls(system, clock, away):
            ended, before = time.monotonic(), _newest(system, slug)
            acknowledged(2 * reports // 3)
            system.eventually(counted, "what comes is counted", 180)
            counted_after = time.monotonic() - ended
        acknowledged(reports)
    finally:
        over.set()
        for thread in threads:
            thread.join()
    system.wait_ready()
    books = settle(system, slug, lambda: audit(system, slug, definition, ledger))
    return Outcome(books, seen, max(seconds), counted_after)


def _newest(system: FragileProduction, slug: str) -> int:
    """Return the number of the newest release."""
    survey = f"(SELECT id FROM surveys_survey WHERE slug = '{slug}')"
    return int(system.query(f"SELECT coalesce(max(number), 0) FROM surveys_release WHERE survey_id = {survey}")[0][0])
