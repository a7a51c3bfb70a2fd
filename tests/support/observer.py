"""An observer: visitors of every role who request everything they can see, again and again, and keep the answers."""

import itertools
import json
import re
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import psycopg

import ldp.mechanisms
import ldp.tally
from ldp.forms import report
from ldp.results import results
from surveys.survey.definition.layout import Layout
from tests.services.system import PATIENCE, ProductionSystem, System

INTERVAL = 0.25  # seconds between two looks at the estimates
TURN = 4  # of the other URLs, this many are requested per round
TOKEN = "a-token-for-the-figures"

LEAST = 10  # reports in a release, the least that a site may set


def settings(batch: int) -> dict[str, str]:
    """Return the settings of a site that an observer can watch."""
    return {
        **{"BATCH": str(batch), "RELEASE_LEAST": str(LEAST)},
        **{"METRICS_TOKEN": TOKEN, "API_REQUESTS_PER_MINUTE": "100000"},
    }


# Queries for what was published and what staff did. Single reports must not change the result.
EPOCH = """SELECT survey_id, number, n, CASE WHEN document IS NULL THEN 0 ELSE 1 END FROM surveys_release
           UNION ALL SELECT id, -1, 0, CASE state WHEN 'open' THEN 2 ELSE 3 END FROM surveys_survey ORDER BY 1, 2"""
COUNTED = "SELECT survey_id, CAST(hour AS text) FROM surveys_turnout ORDER BY survey_id"
Epoch = tuple[tuple[object, ...], ...]
SECOND = 10**9  # nanoseconds
HOUR = 3600 * SECOND

# The roles: a visitor, an account without a role on the survey, one account of each role, and a superuser.
VISITOR = "visitor"
ROLES = (VISITOR, "account", "viewer", "researcher", "designer", "owner", "superuser")
_ACCOUNTS = """
import json
from django.contrib.auth.models import User
from django.test import Client
from surveys.models import Membership, Role
def session(name):
    user, _ = User.objects.get_or_create(username=name, defaults={"is_superuser": name == "superuser"})
    if name in list(Role):
        Membership.objects.update_or_create(survey_id=SURVEY, user=user, defaults={"role": name})
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
print(json.dumps({name: session(name) for name in NAMES}))
"""


class Answer(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Look(NamedTuple):
    """An answer, and the two moments around its request (time.monotonic)."""

    asked: float
    answered: float
    epoch: Epoch | None  # None if it changed during the request
    answer: Answer


Place = tuple[str, str, str]
"""(role, method, path)"""


def always(slug: str) -> list[tuple[str, str]]:
    """Return the URLs where single reports would show first."""
    api = f"/api/v1/surveys/{slug}"
    return [("GET", f"{api}/estimates"), ("GET", f"/r/{slug}/"), ("GET", "/metrics")]


def in_turn(slug: str, pk: int, keys: list[str]) -> list[tuple[str, str]]:
    """Return every other URL that the site answers, and some that it does not answer."""
    api = f"/api/v1/surveys/{slug}"
    releases = [f"{api}/releases/{number}/estimates{end}" for number in (1, 2, 3, 99) for end in ("", ".csv")]
    plots = [f"/r/{slug}/{part}plots/{key}-light-wide.svg" for part in ("", "1/") for key in keys]
    site = [
        "/",
        "/status",
        "/healthz",
        "/api/v1/schema",
        "/api/",
        "/nothing",
        "/r/nothing/",
        "/static/web/site.css",
    ]
    desk = ["admin/", "surveys/", "account/", *(f"surveys/{pk}/{tab}" for tab in ("", "team/", "log/"))]
    paths = [f"{api}/estimates.csv", f"{api}/definition", f"{api}/reports", "/s/", f"/r/{slug}/1/"]
    studio = ["progress/", "progress/light-wide.svg", "share/", "share/code.svg", "asked/", "close/", "open/"]
    paths += [f"/r/{slug}/2/", f"/r/{slug}/99/", *releases, *plots, *site, *(f"/{path}" for path in desk)]
    paths += [f"/surveys/{pk}/{path}" for path in studio]
    heads = [("HEAD", path) for path in (f"{api}/estimates", f"{api}/estimates.csv", f"/r/{slug}/")]
    return [*(("GET", path) for path in paths), *heads, ("OPTIONS", f"{api}/reports"), ("OPTIONS", f"{api}/estimates")]


class Observer:
    """`with Observer(system, slug, keys) as observer:` requests pages as every role. It requests the estimates four
    times a second.

    The machine decides how often it looks: `look_around` waits until it has seen everything. Each role waits `pause`
    seconds between two rounds of the other URLs.
    """

    def __init__(
        self, system: System, slug: str, keys: list[str], roles: tuple[str, ...] = ROLES, pause: float = INTERVAL
    ) -> None:
        self._system, self._roles = system, roles
        ((pk,),) = system.query(f"SELECT id FROM surveys_survey WHERE slug = '{slug}'")
        self._first, *others = always(slug)
        self._turns = [self._first, *others, *in_turn(slug, pk, keys)]
        self._sessions = accounts(system, pk) if set(roles) - {VISITOR} else {}
        self.seen: dict[Place, list[Look]] = defaultdict(list)
        self.failures: list[str] = []
        self._places = [(role, method, path) for role in roles for method, path in self._turns]
        self._over, self._hurried = threading.Event(), threading.Event()
        watches = [(role, self._rounds(k), pause) for k, role in enumerate(roles)]
        watches.append((VISITOR, itertools.repeat([self._first]), INTERVAL))
        self._threads = [threading.Thread(target=self._watch, args=watch, daemon=True) for watch in watches]

    def __enter__(self) -> "Observer":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def look_around(self) -> None:
        """Return after every role has seen everything once more, without pauses."""
        since = time.monotonic()
        self._hurried.set()
        self._system.eventually(lambda: all(self._looked(place, since) for place in self._places), "all is looked at")
        self._hurried.clear()

    def _looked(self, place: Place, since: float) -> bool:
        looks = self.seen.get(place)
        return bool(looks) and looks[-1].asked > since

    @property
    def looks(self) -> int:
        return sum(map(len, self.seen.values()))

    def _watch(self, role: str, rounds: Iterator[list[tuple[str, str]]], pause: float) -> None:
        connection = HTTPConnection(urlsplit(self._system.url).netloc, timeout=PATIENCE)
        headers = {"Accept": "*/*"}
        if role in self._sessions:
            headers["Cookie"] = f"sessionid={self._sessions[role]}"
        epoch = epochs(self._system)
        while not self._over.is_set():
            started = time.monotonic()
            for method, path in next(rounds):
                try:
                    known = {"Authorization": f"Bearer {TOKEN}"} if path == "/metrics" else {}
                    self._look((role, method, path), connection, headers | known, epoch)
                except (OSError, HTTPException) as error:
                    self.failures.append(f"{role} {method} {path}: {error!r}")
                    connection.close()
            if not self._hurried.is_set():
                self._wait(started + pause)

    def _wait(self, until: float) -> None:
        """Wait until this moment, unless the observer ends or must hurry."""
        while not self._hurried.is_set() and (left := until - time.monotonic()) > 0:
            if self._over.wait(min(left, INTERVAL)):
                return

    def _rounds(self, k: int) -> Iterator[list[tuple[str, str]]]:
        """Yield the URLs in rounds, endlessly. Each role begins at another URL."""
        places = itertools.islice(itertools.cycle(self._turns), 7 * k, None)
        while True:
            yield list(itertools.islice(places, TURN))

    def _look(self, place: Place, connection: Any, headers: dict[str, str], epoch: Callable[[], Epoch]) -> None:
        _, method, path = place
        before, asked = epoch(), time.monotonic()
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        named = [(n, v) for n, v in response.getheaders() if path != "/metrics" or n.lower() != "content-length"]
        answer = Answer(response.status, steady_headers(named), steady(response.read()))
        answered, after = time.monotonic(), epoch()
        if of_a_busy_machine(answer):
            return
        self.seen[place].append(Look(asked, answered, before if before == after else None, answer))


# An answer is kept whole, except for values that belong to the request (Expires follows from its moment) and values
# drawn anew for each answer.
_OF_THE_REQUEST = ("date", "expires", "set-cookie")
_DRAWN = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]*"'
    # The machine's memory and disk also depend on other programs. Process starts belong to no report.
    rb"|(?m:^deniable_(?:memory|disk|starts|fault_minutes|certificate)_?\w*(?:\{[^}]*\})? .*$)"
)


_ANSWERED = re.compile(rb"<b>(?:at least (\d+)|fewer than 20) people</b> counted")

# The site's words if its database did not answer within a second, or if no sweep ran for half a minute.
_LATE = (b"\ndeniable_database 0.0\n", b'\ndeniable_status{status="ok"} 0.0\n', b"The worker is not running.")


def of_a_busy_machine(answer: Answer) -> bool:
    """Return whether the site says that it did not do its work in time. Such an answer belongs to no report."""
    return answer.status == 503 or any(late in answer.body for late in _LATE)


def steady(body: bytes) -> bytes:
    return _DRAWN.sub(b"", body)


def steady_headers(headers: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in headers if name.lower() not in _OF_THE_REQUEST))


def accounts(system: System, pk: int) -> dict[str, str]:
    """Return the sessions of accounts with each role on the survey with this key."""
    code = f"SURVEY, NAMES = {pk}, {ROLES[1:]!r}\n{_ACCOUNTS}"
    sessions: dict[str, str] = json.loads(system.manage("shell", "-c", code).splitlines()[-1])
    return sessions


def epochs(system: System) -> Callable[[], Epoch]:
    """Return a function that reads the releases and states so far, on its own connection."""
    if isinstance(system, ProductionSystem):
        connection: Any = psycopg.connect(system.database_url, autocommit=True)
    else:
        connection = sqlite3.connect(system.database, timeout=20, isolation_level=None)  # type: ignore[attr-defined]
    return lambda: (*connection.execute(EPOCH).fetchall(), *connection.execute(COUNTED).fetchall(), _hour())


def _hour() -> tuple[int]:
    """Return the current hour, or a unique number in an hour's first ten seconds. Figures in hundreds change on the
    hour (surveys/operation/counts.py), so an answer in these seconds belongs to neither hour."""
    now = time.time_ns()
    return (now if now % HOUR < 10 * SECOND else now // HOUR,)


# Conclusions ----------------------------------------------------------------------------------------------------------


def changed_between_releases(seen: dict[Place, list[Look]]) -> list[str]:
    """Return the places where an answer changed although no release came out and staff did nothing meanwhile."""
    found = []
    for place, looks in seen.items():
        answers: dict[Epoch, Answer] = {}
        for look in looks:
            if look.epoch is not None and answers.setdefault(look.epoch, look.answer) != look.answer:
                found.append(f"{' '.join(place)}: {difference(answers[look.epoch], look.answer)}")
                break
    return found


def difference(one: Answer, other: Answer) -> str:
    if one.status != other.status or one.headers != other.headers:
        return f"{one.status} {set(one.headers) ^ set(other.headers)} {other.status}"
    at = next((k for k, pair in enumerate(zip(one.body, other.body, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one.body[max(0, at - 60) : at + 60]!r} and then {other.body[max(0, at - 60) : at + 60]!r}"


class Document(NamedTuple):
    """Estimates as first seen: the moment after which they can have appeared, and the moment when they were there."""

    after: float
    seen: float
    document: dict[str, Any]


def documents(looks: list[Look]) -> list[Document]:
    """Return the different estimates at a URL, in the order in which they were seen."""
    found: list[Document] = []
    last, before = b"", 0.0
    for look in sorted(looks, key=lambda look: look.answered):
        body = look.answer.body
        if look.answer.status == 200 and body != last:
            found.append(Document(before, look.answered, json.loads(body)))
            last = body
        before = look.asked
    return found


def turnouts(looks: list[Look]) -> list[int]:
    """Return the different numbers of people that a page of the studio showed, in order. 0 means fewer than 20."""
    bodies = [look.answer.body for look in sorted(looks, key=lambda look: look.answered)]
    numbers = [int(found[1] or 0) for body in bodies if (found := _ANSWERED.search(body))]
    return [number for number, _ in itertools.groupby(numbers)]


def steps_by_question(found: list[Document]) -> dict[str, list[int]]:
    """Return, for each question, by how many reports about it each document differs from the one before."""
    numbers: dict[str, list[int]] = defaultdict(lambda: [0])
    for document in found:
        about = {result["key"]: result["n_about"] for result in document.document["questions"]}
        for key in {*numbers, *about}:
            numbers[key].append(about.get(key, 0))
    return {key: [b - a for a, b in itertools.pairwise(counts)] for key, counts in numbers.items()}


def steps(found: list[Document]) -> list[int]:
    """Return by how many reports each document differs from the one before; the first differs from nothing."""
    counts = [0, *(document.document["n"] for document in found)]
    return [b - a for a, b in itertools.pairwise(counts)]


Signs = tuple[bool, ...]
"""Of every option of every question, whether the report supports it: for yes-no and bitwise questions, the report."""


def signs(document: dict[str, Any], before: dict[str, Any] | None = None) -> Signs:
    """Return the signs of the reports that one document has and the document before lacks."""
    found = []
    for k, question in enumerate(document["questions"]):
        for j, category in enumerate(question["methods"][0]["categories"]):
            total = document["n"] * category["estimate"]
            if before:
                total -= before["n"] * before["questions"][k]["methods"][0]["categories"][j]["estimate"]
            found.append(total > 0)
    return tuple(found)


def alone(definition: dict[str, Any], answers: dict[str, Any]) -> Signs:
    """Return the signs of a single report, in the same form."""
    layout = Layout(definition)
    batch = ldp.tally.Batch(np.frombuffer(layout.pack(answers), dtype=np.uint8).reshape(1, -1))
    questions = []
    for question, field in zip(report.alone(definition), layout.fields, strict=True):
        own = ldp.mechanisms.of(question).tally(batch.field(field.start, field.width))
        questions += results(question, own, 1, 0.95)
    return signs({"n": 1, "questions": questions})


def isolated(found: list[Document], sent: list[tuple[float, float, Signs]]) -> int:
    """Return how many of the reports the observer read. Each report is (sent when, acknowledged when, what it says). A
    report is read if a document has one report more than the document before, appears after this report and before the
    next one, and says exactly what this report says."""
    read = 0
    for (when, _, says), until in zip(sent, [*(later[0] for later in sent[1:]), float("inf")], strict=True):
        for earlier, later in zip([None, *found], found, strict=False):
            n = earlier.document["n"] if earlier else 0
            if when <= later.seen < until and later.document["n"] == n + 1:
                read += signs(later.document, earlier.document if earlier else None) == says
                break
    return read
