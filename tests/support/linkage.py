"""People who are invited to a running system, among accidents and cheats; and a thief who wants to know whose report is
whose."""

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
FALSE_ALARM = 1e-7  # of all that `joined` looks at together
AGAIN = {0, 429, 500, 502, 503}  # no answer, or not now


@dataclass
class Story:
    """What happened: the uses of invitations and the reports in the order in which they were answered, and whatever
    was answered otherwise than it should have been."""

    uses: list[bytes] = field(default_factory=list)  # as the book keeps them
    reports: list[str] = field(default_factory=list)  # ids
    tokens: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)  # of those who were invited by mail
    wrong: list[str] = field(default_factory=list)
    cheats: int = 0
    kills: int = 0
    copies: list[set[bytes]] = field(default_factory=list)  # the uses that each copy of the book has


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
        """Letters to so many people, whose addresses are kept, while the process that sends them is killed: their
        tokens, in the order in which the letters came."""
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
        """The answer that counts: it is asked again until there is one, as the page does."""
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
    """All people use their invitations and send a report, several at once; now and then the intake is killed, and the
    book copied for a backup."""
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
    """Some open their link on two devices at once: the one that comes second is refused and its report never sent."""
    if chance.random() > 0.1:
        return person
    other = Invited(site.survey, person.token, f"{chance.random()}")
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda one: site.post("signature", json.dumps(one.request()))[0], (person, other)))
    if sorted(both) != [200, 403]:
        story.wrong.append(f"two devices: {both}")
    return person if both[0] == 200 else other


def _cheat(site: Site, person: Invited, body: str, chance: random.Random, story: Story) -> None:
    """Some try to send another report: with the same signature, with one of their own making, with none."""
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
    """The intake, and with it the process that signs, each time that another part of the people has answered."""
    for _ in _parts(story, kills, people, done):
        site.system.kill("intake")
        site.system.start("intake")
        story.kills += 1


def _copy(site: Site, story: Story, copies: int, people: int, done: threading.Event) -> None:
    """Copies of the book onto each other, as an operator takes them."""
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
    """Comes each time that another part of the people has answered."""
    for k in range(count):
        enough = people * (k + 1) // (count + 1)
        while len(story.reports) < enough:
            if done.wait(0.02) and len(story.reports) < enough:
                return
        yield k


def thin(copies: Sequence[set[bytes]], batch: int) -> list[str]:
    """The copies of the book that differ from the one before by some uses, but by fewer than a batch of them: a report
    that came between two backups of the database would be one of so few."""
    differences = [len(after ^ before) for before, after in pairwise([set[bytes](), *copies])]
    return [f"two copies of the book differ by {count} uses" for count in differences if 0 < count < batch]


def stored(system: System) -> list[str]:
    """The ids of all reports that wait or were taken."""
    rows = [row for table in ("report", "reportid") for row in system.query(f"SELECT id FROM surveys_{table}")]
    return [str(each).replace("-", "") for (each,) in rows]


# The thief ------------------------------------------------------------------------------------------------------------


def book_of(system: System) -> bytes:
    return Path(system.data, "invitations.sqlite3").read_bytes()


def rankings(book: bytes) -> dict[str, Callable[[bytes], Any]]:
    """Whatever the file has that could be an order of its uses: the place of each, and what is beside it."""
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
    """The uses of each group, which their reports reveal, too: of them the thief knows whose they are but for the
    others of the group."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(book)
    units = dict(connection.execute("SELECT used, unit FROM place"))
    connection.close()
    return [[use for use in uses if units[use] == unit] for unit in sorted({units[use] for use in uses})]


def letter_rankings(book: bytes) -> dict[bytes, dict[str, Any]]:
    """For each use by a person whose email address is in the file, what could be an order of the letters."""
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
    """As `joined`, of those who were invited by mail."""
    orders = letter_rankings(book)
    names = next(iter(orders.values())) if orders else {}
    keys = {name: (lambda use, name=name: orders[use][name]) for name in names}
    return joined([use for use in uses if use in orders], keys)


def joined(uses: Sequence[bytes], orders: dict[str, Callable[[bytes], Any]]) -> list[str]:
    """How the order in which reports came, which the thief is given, is found in the book: an order there that agrees
    with it more than chance lets it, or puts more reports beside their invitations; nothing with a probability of at
    least 1 - FALSE_ALARM where the book has none."""
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
    """Return where a token or an email address is found, or the use of an invitation outside of the book."""
    needles = [token.encode() for token in story.tokens]
    open_ones = [*needles, *(address.encode() for address in story.addresses)]
    hashes = [hashlib.sha256(token).digest() for token in needles]
    found = []
    for piece in pieces:
        inside = "invitations.sqlite3" in piece.place
        looked = open_ones if inside else [*open_ones, *hashes, *story.uses]
        found += [f"{piece.place} has {needle!r}" for needle in looked if needle in piece.content][:3]
    return found
