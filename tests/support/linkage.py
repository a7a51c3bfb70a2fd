"""Invited people on a running system, with accidents and cheats. A thief wants to know which report belongs to which
person."""

import hashlib
import json
import random
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from scipy import stats

from surveys.respondent.invitations.file import UNUSED
from surveys.respondent.page.links import token_of
from surveys.survey.definition.invitations import text_of
from tests.services.mail import MailServer
from tests.services.system import PATIENCE, System
from tests.support.invitations import INVITED, Invited
from tests.support.journeys import open_survey, request
from tests.support.thief import Piece, rank_correlation

DOMAIN = "invited.example.org"
WRITE = """
from surveys.respondent.invitations import letters
from surveys.respondent.invitations.texts import invitation
words = invitation("A survey", "en", None)._replace(keeps=True)
letters.invite({digest!r}, {people!r}, words, {group!r})
"""
WAIT = "from surveys.respondent.invitations import letters; print(len(letters.waiting(9)), 'wait')"
AT_ONCE = 8  # people
FALSE_ALARM = 1e-7  # for all tests of one `joined` together
AGAIN = {0, 429, 500, 502, 503}  # no answer, or a refusal for now


@dataclass
class Story:
    """The course of events: the uses of invitations and the reports, in the order of their answers, and all unexpected
    answers."""

    uses: list[bytes] = field(default_factory=list)  # as the book stores them
    reports: list[str] = field(default_factory=list)  # ids
    tokens: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)  # of the people who were invited by mail
    wrong: list[str] = field(default_factory=list)
    cheats: int = 0
    kills: int = 0
    copies: list[set[bytes]] = field(default_factory=list)  # the uses in each copy of the book


class Site(NamedTuple):
    system: System
    survey: Any

    @classmethod
    def open(cls, system: System, directory: Path, draft: dict[str, Any] = INVITED) -> "Site":
        slug = open_survey(system, directory, draft=draft)
        data = request(f"{system.url}/api/v1/surveys/{slug}/definition")[2]
        definition, digest = json.loads(data), hashlib.sha256(data).hexdigest()
        named = {"slug": slug, "digest": digest, "definition": definition, "questions": definition["questions"]}
        return cls(system, SimpleNamespace(**named))

    def invite(self, count: int, group: str = "") -> list[str]:
        wish = ["--count", str(count), "--group", group]
        links = self.system.manage("survey", "invite", self.survey.slug, *wish).split()
        return [token_of(link) or "" for link in links]

    def write(self, server: MailServer, count: int, kills: int = 0, group: str = "") -> list[str]:
        """Invite `count` people by mail and keep their addresses. Kill the process that sends the letters `kills`
        times. Return the tokens in the order of the letters."""
        people, come = [f"{group}person{k}@{DOMAIN}" for k in range(count)], len(server.letters)
        self.system.manage("shell", "-c", WRITE.format(digest=self.survey.digest, people=people, group=group))
        for k in range(kills):
            some = come + count * (k + 1) // (kills + 2)
            self.system.eventually(lambda some=some: len(server.letters) > some, "some letters")
            self.system.kill("estimates")
            self.system.start("estimates")
        tokens: dict[str, list[str]] = {address: [] for address in people}
        self.system.eventually(lambda: {*people} == {each for each, _ in server.letters[come:]}, "all letters")
        self.system.eventually(lambda: b"0 wait" in self.system.manage("shell", "-c", WAIT).encode(), "no letter waits")
        for address, letter in server.letters[come:]:
            tokens[address] += re.findall(r"/s/#\w+/(?:en/)?(\w{27,28})\s", letter.get_content())
        assert all(len({*each}) == 1 for each in tokens.values()), "a person with two letters got two links"
        order = dict.fromkeys(address for address, _ in server.letters[come:])
        return [tokens[address][0] for address in order]

    def post(self, what: str, body: str) -> tuple[int, bytes]:
        """Post until there is a final answer, as the page does. Return its status and body."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                status, _, answer = request(f"{self.system.url}/api/v1/surveys/{self.survey.slug}/{what}", body)
            except OSError:
                status, answer = 0, b""
            if status not in AGAIN:
                return status, answer
            assert time.monotonic() < until, f"{what}: {status} {answer!r}"
            time.sleep(0.1)


def live(site: Site, tokens: Sequence[str], kills: int = 0, seed: int = 1, copies: int = 0) -> Story:
    """Let all people use their invitations and send a report, several at once. Kill the intake and copy the book for a
    backup now and then."""
    story, lock = Story(tokens=list(tokens)), threading.Lock()
    done = threading.Event()
    beside = [
        threading.Thread(target=_kill, args=(site, story, kills, len(tokens), done)),
        threading.Thread(target=_copy, args=(site, story, copies, len(tokens), done)),
    ]
    for each in beside:
        each.start()
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda each: _answer(site, each[1], f"{seed}/{each[0]}", story, lock), enumerate(tokens)))
    finally:
        done.set()
        for each in beside:
            each.join()
    return story


def _answer(site: Site, token: str, seed: str, story: Story, lock: threading.Lock) -> None:
    chance, person = random.Random(seed), Invited(site.survey, token, seed)
    person = _first_device(site, person, chance, story)
    status, answer = site.post("signature", json.dumps(person.request()))
    if status != 200:
        story.wrong.append(f"signature: {status} {answer!r}")
        return
    with lock:
        story.uses.append(hashlib.sha256(person.blinded.message).digest())
    body = person.signed(json.loads(answer)["signature"])
    _cheat(site, person, body, chance, story)
    status, answer = site.post("reports", body)
    if status not in (200, 201):
        story.wrong.append(f"report: {status} {answer!r}")
    with lock:
        story.reports.append(person.body["report_id"])
    if chance.random() < 0.2 and site.post("reports", body)[0] != 200:
        story.wrong.append("a report that was sent again was not known")


def _first_device(site: Site, person: Invited, chance: random.Random, story: Story) -> Invited:
    """Let some people open their link on two devices at once. The second device is refused, and its report is never
    sent."""
    if chance.random() > 0.1:
        return person
    other = Invited(site.survey, person.token, f"{chance.random()}")
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda one: site.post("signature", json.dumps(one.request()))[0], (person, other)))
    if sorted(both) != [200, 403]:
        story.wrong.append(f"two devices: {both}")
    return person if both[0] == 200 else other


def _cheat(site: Site, person: Invited, body: str, chance: random.Random, story: Story) -> None:
    """Let some people try to send another report: with the same signature, with a forged one, without one."""
    if chance.random() > 0.2:
        return
    signature = json.loads(body)["signature"]
    other = Invited(site.survey, person.token, f"{chance.random()}")
    forged = text_of(chance.getrandbits(2047))
    for wrong in ({"signature": signature}, {"signature": forged}, {}):
        status, _ = site.post("reports", json.dumps(other.body | wrong))
        story.cheats += 1
        if status != 422:
            story.wrong.append(f"a cheat was answered {status}")
    if site.post("signature", json.dumps(other.request()))[0] != 403:
        story.wrong.append("an invitation was used twice")


def _kill(site: Site, story: Story, kills: int, people: int, done: threading.Event) -> None:
    """Kill the intake each time another part of the people has answered. Its signing process dies with it."""
    for _ in _parts(story, kills, people, done):
        site.system.kill("intake")
        site.system.start("intake")
        story.kills += 1


def _copy(site: Site, story: Story, copies: int, people: int, done: threading.Event) -> None:
    """Copy the book over the earlier copy, as an operator does."""
    target = Path(site.system.data).with_name(f"{Path(site.system.data).name}-copy.sqlite3")
    try:
        for _ in _parts(story, copies, people, done):
            site.system.manage("copy_invitations", str(target))
            with closing(sqlite3.connect(target)) as copied:
                uses = copied.execute("SELECT used FROM place WHERE used != ?", [UNUSED])
                story.copies.append({use for (use,) in uses})
    except RuntimeError as failed:
        story.wrong.append(str(failed))
    finally:
        target.unlink(missing_ok=True)


def _parts(story: Story, count: int, people: int, done: threading.Event) -> Iterator[int]:
    """Yield each time another part of the people has answered."""
    for k in range(count):
        enough = people * (k + 1) // (count + 1)
        while len(story.reports) < enough:
            if done.wait(0.02) and len(story.reports) < enough:
                return
        yield k


def thin(copies: Sequence[set[bytes]], batch: int) -> list[str]:
    """Return the copies of the book that differ from the copy before by too few uses: some, but fewer than a batch. A
    report between two backups of the database would be one of these few."""
    differences = [len(after ^ before) for before, after in pairwise([set[bytes](), *copies])]
    return [f"two copies of the book differ by {count} uses" for count in differences if 0 < count < batch]


def stored(system: System) -> list[str]:
    """Return the ids of all reports that wait or were taken."""
    rows = [row for table in ("report", "reportid") for row in system.query(f"SELECT id FROM surveys_{table}")]
    return [str(each).replace("-", "") for (each,) in rows]


# The thief ------------------------------------------------------------------------------------------------------------


def book_of(system: System) -> bytes:
    return Path(system.data, "invitations.sqlite3").read_bytes()


def rankings(book: bytes) -> dict[str, Callable[[bytes], Any]]:
    """Return everything in the file that could order the uses: the place of each use, and the values beside it."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(book)
    rows = connection.execute("SELECT * FROM place").fetchall()
    uses = {row[2]: row for row in rows}
    tokens = dict(connection.execute("SELECT place, token FROM token"))
    number = {row[2]: k for k, row in enumerate(rows)}
    connection.close()
    return {
        "where it stands in the file": book.find,
        "its row": number.__getitem__,
        "its place": lambda use: uses[use][1],
        "its token": lambda use: tokens[uses[use][1]],
    }


def by_group(uses: Sequence[bytes], book: bytes) -> list[list[bytes]]:
    """Return the uses by group. A report reveals its group, so the thief must only tell apart the people of one
    group."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(book)
    units = dict(connection.execute("SELECT used, unit FROM place"))
    connection.close()
    return [[use for use in uses if units[use] == unit] for unit in sorted({units[use] for use in uses})]


def letter_rankings(book: bytes) -> dict[bytes, dict[str, Any]]:
    """Return, for each use by a person with an email address in the file, the values that could order the letters."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(book)
    rows = connection.execute(
        "SELECT used, address, token FROM addressee JOIN place USING (digest, place) JOIN token USING (digest, place)"
    ).fetchall()
    connection.close()
    return {
        use: {
            "where its address stands in the file": book.find(address),
            "its sealed address": address,
            "its letter's row": k,
            "where its token stands in the file": book.find(token),
        }
        for k, (use, address, token) in enumerate(rows)
    }


def joined_by_letters(uses: Sequence[bytes], book: bytes) -> list[str]:
    """Return the findings of `joined` about people who were invited by mail."""
    orders = letter_rankings(book)
    names = next(iter(orders.values())) if orders else {}
    keys = {name: (lambda use, name=name: orders[use][name]) for name in names}
    return joined([use for use in uses if use in orders], keys)


def joined(uses: Sequence[bytes], orders: dict[str, Callable[[bytes], Any]]) -> list[str]:
    """Return how the book reveals the order of the reports' arrival, which the thief knows. An order in the book agrees
    with the arrival more than by chance, or it puts more reports beside their invitations. If the book has no order,
    the result is empty with a probability of at least 1 - FALSE_ALARM."""
    n, tests = len(uses), 2 * len(orders)
    t = stats.t.isf(FALSE_ALARM / tests / 2, n - 2)
    limit = t / (n - 2 + t * t) ** 0.5
    most = stats.poisson.isf(FALSE_ALARM / tests, 2)
    reasons = []
    for name, key in orders.items():
        values = [key(use) for use in uses]
        order = sorted(values)
        correlation = rank_correlation([order.index(value) for value in values])
        hits = sum(value in (order[k], order[n - 1 - k]) for k, value in enumerate(values))
        if abs(correlation) > limit:
            reasons.append(f"{name} follows the order of arrival: correlation {correlation:.2f}, chance {limit:.2f}")
        if hits > most:
            reasons.append(f"{name} puts {hits} of {n} reports beside their invitations, chance at most {most:.0f}")
    return reasons


def told(pieces: Iterable[Piece], story: Story) -> list[str]:
    """Return the places with a token or an email address, or with the use of an invitation outside the book."""
    needles = [token.encode() for token in story.tokens]
    open_ones = [*needles, *(address.encode() for address in story.addresses)]
    hashes = [hashlib.sha256(token).digest() for token in needles]
    found = []
    for piece in pieces:
        inside = "invitations.sqlite3" in piece.place
        looked = open_ones if inside else [*open_ones, *hashes, *story.uses]
        found += [f"{piece.place} has {needle!r}" for needle in looked if needle in piece.content][:3]
    return found
