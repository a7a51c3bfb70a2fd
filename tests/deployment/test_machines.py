"""Two machines with intake and pages and two with workers, on one PostgreSQL and one Redis. The site does everything
from either machine. docs/operators/runbook.md says under Grow what else the machines must share."""

import json
import random
import re
import threading
import time
import urllib.request
from types import SimpleNamespace

import pytest

from ldp.privatize import make_report
from surveys.public.demo.client import Sender
from tests.services.ledger import DRAFT, Ledger, audit
from tests.services.machines import Site
from tests.services.turmoil import settle
from tests.support.factories import DRAFT as PLAIN
from tests.support.invitations import INVITED, Invited
from tests.support.journeys import open_survey, published, request
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.system, pytest.mark.slow]

REPORTS = 240
KEYS = [question["key"] for question in DRAFT["questions"]]
INVITE = """
from surveys.respondent.invitations import book
from surveys.models import Survey
print(*book.invite(Survey.objects.get(slug={slug!r}).digest, 1))
"""
# The program ends when no survey's key signs any more, for which `manage` waits some minutes.
DESTROYED = """
import time
from surveys.respondent.invitations import book
while book.signing():
    time.sleep(0.2)
"""


@pytest.fixture(scope="module")
def site(postgres, tmp_path_factory):
    site = Site(postgres, tmp_path_factory.mktemp("book"), BATCH="20", METRICS_TOKEN="watcher")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def password(site):
    return site.operator.manage("owner", "ada").split()[-1]


def opened(site, tmp_path, draft=PLAIN, *options):
    """Return slug, definition and digest from one machine."""
    slug = open_survey(site.operator, tmp_path, *options, draft=draft)
    _, headers, canonical = request(f"{site.web[0].url}/api/v1/surveys/{slug}/definition")
    return slug, json.loads(canonical), headers["ETag"].strip('"')


# Reports --------------------------------------------------------------------------------------------------------------


def send_to_all(site, slug, definition, digest, ledger, reports):
    """Let each machine's respondents send at the same time. Every fifth report also goes to the other machine."""

    def respond(k):
        words, senders = (
            random.Random(f"{slug} {k}"),
            [Sender(f"{m.url}/api/v1/surveys/{slug}/reports") for m in site.web],
        )
        for i in range(reports // 4):
            body = make_report(definition, digest, dict.fromkeys(KEYS, 0), lambda: words.getrandbits(32))
            ledger.sent.add(body)
            for sender in (senders[k % 2], senders[1 - k % 2])[: 2 if i % 5 == 0 else 1]:
                sender.send(body)
                ledger.acknowledged.append(body)

    threads = [threading.Thread(target=respond, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    return threads


def test_reports_acknowledged_by_both_are_counted_once_while_a_worker_machine_dies(site, tmp_path):
    slug, definition, digest = opened(site, tmp_path, DRAFT)
    ledger, most = Ledger(), 0
    threads = send_to_all(site, slug, definition, digest, ledger, REPORTS)
    first, second = site.workers
    for part in ("worker", "estimates", "beat"):
        first.kill(part)
    second.spawn("beat")  # as if an operator starts the only schedule there instead
    while any(thread.is_alive() for thread in threads):
        most = max(most, connections(site))
        time.sleep(0.1)
    released = [published(machine, slug, lambda document: document["n"] >= 20) for machine in site.web]
    assert {document["n"] for document in released} != {0}
    second.kill("beat")
    for part in ("worker", "estimates", "beat"):
        first.start(part)
    books = settle(site.operator, slug, lambda: audit(site.operator, slug, definition, ledger))
    assert books.wrongs == [] and books.acknowledged == REPORTS
    assert most <= BUDGET


# The rules of runbook.md under Grow: four for a process of the intake (two on each machine); one for a thread of the
# pages (16) and one for /status; two for a worker's process (two and one on each machine here); and one for the command
# that a test runs meanwhile.
BUDGET = 2 * (2 * 4 + 16 + 1) + 2 * (2 * 2 + 2) + 2


def connections(site):
    return site.operator.query("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")[0][0] - 1


def test_both_machines_show_the_same_release_and_either_worker_counts_again(site, tmp_path):
    slug, definition, digest = opened(site, tmp_path, DRAFT)
    ledger = Ledger()
    for thread in send_to_all(site, slug, definition, digest, ledger, 80):
        thread.join()
    site.operator.manage("survey", "close", "--", slug)
    shown = [published(machine, slug, lambda document: document["final"]) for machine in site.web]
    assert shown[0] == shown[1] and shown[0]["n"] == 80
    for resting, counting in (site.workers, site.workers[::-1]):
        resting.kill("worker")
        if resting is site.workers[0]:
            counting.eventually(lambda: "80 reports" in site.operator.manage("recount", slug, "--seconds", "240"))
        else:
            assert ": 80 reports." in site.operator.manage("recount", slug, "--seconds", "240")
        resting.start("worker")


# Signed-in users ------------------------------------------------------------------------------------------------------


def test_who_signs_in_at_one_machine_is_signed_in_at_the_other_until_they_sign_out(site, password):
    ada, (here, there) = Visitor(), site.web
    assert ada.get(there, "/surveys/").status == 302
    assert ada.sign_in(here, "ada", password).location == "/surveys/"
    assert [ada.get(machine, "/surveys/").status for machine in site.web] == [200, 200]
    ada.post(there, "/account/logout/")
    assert ada.get(here, "/surveys/").status == 302


def test_wrong_passwords_are_counted_for_all_machines_together(site):
    """If each machine counted alone, five tries would pass on each before anyone waits."""
    guesses = [Visitor(f"203.0.113.{k}").sign_in(site.web[k % 2], "eve", "wrong") for k in range(12)]
    admitted = ["Too many wrong attempts" not in guess.text for guess in guesses]
    assert admitted[:5] == [True] * 5 and sum(admitted) < 10


def test_files_and_cross_tables_asked_for_at_one_machine_are_made_by_any_worker_and_had_at_the_other(
    site, tmp_path, password
):
    slug, definition, digest = opened(site, tmp_path, DRAFT)
    for thread in send_to_all(site, slug, definition, digest, Ledger(), 80):
        thread.join()
    site.operator.manage("survey", "close", "--", slug)
    published(site.web[0], slug, lambda document: document["final"])
    number = request(f"{site.web[0].url}/api/v1/surveys/{slug}/releases/latest")[2]
    page, (here, there) = f"/r/{slug}/{json.loads(number)['number']}/downloads/", site.web
    ada = Visitor()
    ada.sign_in(here, "ada", password)
    site.workers[0].kill("estimates")  # then the machine without the book makes them
    assert ada.post(here, f"{page}prepare", page).status == 302
    there.eventually(lambda: "microdata.csv" in ada.get(there, page).text, "the files are made")
    site.workers[0].start("estimates")
    assert ada.post(there, f"{page}keep", page, to="yes").status == 302
    files = [ada.get(machine, f"{page}microdata.csv") for machine in site.web]
    assert files[0] == files[1] and files[0].status == 200 and files[0].text.count("\n") == 81
    crosses = page.replace("downloads", "cross")
    assert ada.post(here, f"{crosses}ask", crosses, first="yes", second="which").status == 302
    crossing = f"/api/v1/surveys/{slug}/releases/latest/crossings/yes/which"
    there.eventually(lambda: request(f"{there.url}{crossing}")[0] == 200, "it is counted")
    assert request(f"{here.url}{crossing}")[2] == request(f"{there.url}{crossing}")[2]


# Data on one machine --------------------------------------------------------------------------------------------------


def test_the_machine_with_the_book_signs_and_the_other_one_says_to_come_again(site, tmp_path):
    slug, definition, digest = opened(site, tmp_path, INVITED)
    token = site.operator.manage("shell", "-c", INVITE.format(slug=slug)).split()[-1]
    survey = SimpleNamespace(slug=slug, definition=definition, digest=digest, questions=definition["questions"])
    ada = Invited(survey, token, 1)
    address, wish = f"/api/v1/surveys/{slug}/signature", json.dumps(ada.request())
    status, headers, _ = request(f"{site.web[1].url}{address}", wish)
    assert (status, headers["Retry-After"]) == (503, "30")
    assert not list(site.web[1].data.glob("invitations*")), "a second book would be refused at the next start"
    status, _, signature = request(f"{site.web[0].url}{address}", wish)
    assert status == 200
    report = ada.signed(json.loads(signature)["signature"])
    sent = [request(f"{machine.url}/api/v1/surveys/{slug}/reports", report)[0] for machine in site.web[::-1]]
    assert sent == [201, 200], "the report itself may come to either"
    assert "W010" in warned(site.web[1]) and "W010" not in warned(site.operator), "it has the first one's settings"
    site.operator.manage("survey", "close", "--", slug)
    site.operator.manage("shell", "-c", DESTROYED)


def warned(machine):
    """Return the warnings of the check before a start. Check that it passes."""
    done = machine.run("check", "--database", "default")
    assert done.status == 0, done.errors
    return done.errors


def test_both_machines_sign_the_same_log(site):
    site.operator.eventually(lambda: len({checkpoint(machine) for machine in site.web}) == 1, "the same checkpoint")
    (text,) = {checkpoint(machine) for machine in site.web}
    assert text.startswith(b"127.0.0.1/check/log\n") and re.search(rb"\xe2\x80\x94 127.0.0.1/check/log ", text)


def checkpoint(machine):
    status, _, text = request(f"{machine.url}/check/log/checkpoint")
    assert status == 200
    return text


def test_either_machine_tells_the_figures_of_all(site):
    def told(name):
        looks = [figures(machine) for machine in site.web]
        return {tuple(line for line in look if line.startswith(name)) for look in looks}

    for name in ("deniable_surveys", "deniable_starts_total"):
        site.operator.eventually(lambda name=name: len(told(name)) == 1, f"both tell the same of {name}")


def figures(machine):
    wished = urllib.request.Request(f"{machine.url}/metrics", headers={"Authorization": "Bearer watcher"})
    with urllib.request.urlopen(wished) as answer:
        return answer.read().decode().splitlines()
