"""A storm over a complete system. Reports come through a bad network. Meanwhile parts are killed with -9, the disk
fills and the database turns read-only. In the end all parts run, and the books must agree.

The seed decides the reports and the order of the faults. The machine decides when exactly they strike.
"""

import http.client
import json
import random
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ldp.privatize import make_report
from surveys.public.demo.client import ReportRejected, Sender
from tests.services.fragile import FragileEmbedded, FragileProduction
from tests.services.ledger import DRAFT, Books, Ledger, audit
from tests.services.proxy import Proxy

SETTLE_SECONDS = 180.0  # the waits between tries grow each time a survey's worker is killed
# The intake last: its start waits until the site answers.
RESTART_ORDER = ("postgres", "redis", "beat", "worker", "estimates", "pages", "intake")

_OPEN = """
import json, sys
from surveys.life.lifecycle import create_draft, open_survey
survey = create_draft(json.load(sys.stdin), results_public=True)
open_survey(survey)
print(survey.slug)
"""


class Storm(NamedTuple):
    """The course of a run. `calm` and `down` are ranges of seconds: before a kill, and between a kill and the restart.
    A patient storm first lets the worker count something, each time."""

    reports: int  # at least this many are sent if nothing fails
    kills: int
    seed: int
    parts: tuple[str, ...] = ()  # the parts to kill; empty: all killable ones
    phases: tuple[str, ...] = ("read-only database", "full disk")
    clients: int = 8
    pause: float = 0.04  # most seconds between two reports of a client
    calm: tuple[float, float] = (0.3, 1.5)
    down: tuple[float, float] = (0.0, 0.8)
    patient: bool = False


class Outcome(NamedTuple):
    books: Books
    kills: Counter[str]
    fates: Counter[str]
    refused: Counter[str]  # by phase: reports that could not be stored during it

    @property
    def wrongs(self) -> list[str]:
        return self.books.wrongs


def run(system: FragileProduction | FragileEmbedded, storm: Storm, say: Callable[[str], object] = len) -> Outcome:
    """Run one storm over a running system, on a new survey. All parts run again in the end."""
    slug = open_draft(system)
    path = f"/api/v1/surveys/{slug}"
    with urllib.request.urlopen(f"{system.url}{path}/definition", timeout=30) as response:
        definition, digest = json.load(response), response.headers["ETag"].strip('"')
    chance = random.Random(storm.seed)
    answers = {question["key"]: 0 for question in definition["questions"]}

    def new_body(words: random.Random) -> str:
        return make_report(definition, digest, answers, lambda: words.getrandbits(32))

    ledger, over, probes = Ledger(), threading.Event(), random.Random(f"{storm.seed} {slug}")
    proxy = Proxy(system.port, storm.seed)

    def respondent(k: int) -> None:
        mine = random.Random(f"{storm.seed} {slug} {k}")  # ids must differ from those of other surveys
        sender = Sender(f"{proxy.url}{path}/reports", give_up=SETTLE_SECONDS)
        while not over.is_set():
            again = ledger.acknowledged and mine.random() < 0.1  # a person reloads the page much later
            body = mine.choice(ledger.acknowledged) if again else new_body(mine)
            ledger.sent.add(body)
            try:
                sender.send(body)
                ledger.acknowledged.append(body)
            except (ReportRejected, TimeoutError) as trouble:
                ledger.refused.append(str(trouble))
            time.sleep(mine.uniform(0, storm.pause))

    respondents = [threading.Thread(target=respondent, args=(k,), daemon=True) for k in range(storm.clients)]
    for thread in respondents:
        thread.start()
    kills: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    try:
        for event in _events(storm, storm.parts or system.killable, chance):
            if isinstance(event, str):
                refused[event] += _suffer(system, event, lambda: _probe(system, path, new_body(probes), ledger))
            else:
                if storm.patient:
                    _wait_for_a_batch(system, slug)
                time.sleep(chance.uniform(*storm.calm))
                _strike(system, event, storm, chance)
                kills.update(event)
            say(f"{kills.total()} kills, {len(ledger.acknowledged)} acknowledged")
        system.eventually(lambda: len(set(ledger.acknowledged)) >= storm.reports, "enough is acknowledged", 600)
    finally:
        over.set()
        system.revive()
        for thread in respondents:
            thread.join()
        proxy.stop()
    system.wait_ready()
    say("waiting until all is released")
    books = settle(system, slug, lambda: audit(system, slug, definition, ledger))
    return Outcome(books, kills, proxy.fates, refused)


def open_draft(system: FragileProduction | FragileEmbedded) -> str:
    """Open a survey and return its slug."""
    return system.manage("shell", "-c", _OPEN, stdin=json.dumps(DRAFT)).split()[-1]


def settle(system: FragileProduction | FragileEmbedded, slug: str, audited: Callable[[], Books]) -> Books:
    """End the survey, wait for its final release, and return the books. If they agree, the workers recount them."""
    system.manage("survey", "close", "--", slug)
    survey = f"(SELECT id FROM surveys_survey WHERE slug = '{slug}')"
    final = f"SELECT 1 FROM surveys_release WHERE survey_id = {survey} AND final AND document IS NOT NULL"
    try:
        system.eventually(lambda: system.query(final), "all is released", SETTLE_SECONDS)
        books = audited()
        if not books.wrongs:
            system.manage("recount", slug, "--seconds", str(SETTLE_SECONDS))
    except (AssertionError, RuntimeError) as trouble:
        books = audited()
        return books._replace(wrongs=[*books.wrongs, str(trouble)])
    return books


def _events(storm: Storm, parts: tuple[str, ...], chance: random.Random) -> Iterator[str | list[str]]:
    """Yield phases (by name) and kills (of one part, or two at once). Every part is killed equally often."""
    bag: list[str] = []
    while len(bag) < storm.kills:
        bag += chance.sample(parts, len(parts))
    bag = bag[: storm.kills]
    phases = list(storm.phases)
    k = 0
    while k < len(bag):
        share = len(storm.phases) - len(phases) + 1
        if phases and k >= share * len(bag) // (len(storm.phases) + 1):
            yield phases.pop(0)
        two = len(set(bag[k : k + 2])) == 2 and chance.random() < 0.3
        yield bag[k : k + 1 + two]
        k += 1 + two
    yield from phases


def _strike(system: FragileProduction | FragileEmbedded, parts: list[str], storm: Storm, chance: random.Random) -> None:
    for part in parts:
        system.kill(part)
    time.sleep(chance.uniform(*storm.down))
    for part in sorted(parts, key=RESTART_ORDER.index):
        system.start(part)


def _wait_for_a_batch(system: FragileProduction | FragileEmbedded, slug: str) -> None:
    taken = f"""SELECT count(*) FROM surveys_reportid t JOIN surveys_survey s ON s.id = t.survey_id
                WHERE s.slug = '{slug}'"""
    before = system.query(taken)
    system.eventually(lambda: system.query(taken) != before, "a batch is taken")


def _suffer(system: FragileProduction | FragileEmbedded, phase: str, probe: Callable[[], bool]) -> int:
    """Run a phase in which no report can be stored. Return how many tries failed. The worker is killed during the
    phase."""
    full = phase == "full disk"

    def refused() -> bool:
        if full:
            system.fill()  # again: deleted files leave room
        return not probe()

    try:
        if not full:
            system.make_read_only()
        # A few reports may still fit into an existing page or log.
        system.eventually(refused, f"{phase}: the intake refuses", 30)
        system.kill("worker")
        time.sleep(0.5)
        return 1 + sum(refused() for _ in range(5))
    finally:
        if full:
            system.free()
        else:
            system.make_writable()
        system.revive()


def _probe(system: FragileProduction | FragileEmbedded, path: str, body: str, ledger: Ledger) -> bool:
    """Send a report once, without the proxy. Return whether it is acknowledged."""
    ledger.sent.add(body)
    connection = http.client.HTTPConnection("127.0.0.1", system.port, timeout=30)
    try:
        connection.request("POST", f"{path}/reports", body, {"Content-Type": "application/json"})
        acknowledged = connection.getresponse().status in (200, 201)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    if acknowledged:
        ledger.acknowledged.append(body)
    return acknowledged
