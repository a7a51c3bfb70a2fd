"""docs/deploy at work: the units' commands, nginx in front of them, a pooler with sessions behind them, and an upgrade
while reports come in."""

import http.client
import json
import os
import random
import re
import signal
import socket
import ssl
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from ldp.privatize import make_report
from surveys.public.demo.client import ReportRejected, Sender
from tests.deployment.versions import next_version
from tests.faults.test_canary import search
from tests.services.deployed import DeployedSystem, unit_of
from tests.services.ledger import DRAFT, Ledger, audit
from tests.services.nginx import V6
from tests.services.opened_up import OpenedUp, open_to_others
from tests.services.pgbouncer import PgBouncer
from tests.services.system import OURS, ROOT
from tests.services.turmoil import settle
from tests.support.journeys import open_survey, published, request

DEPLOY = ROOT / "docs" / "deploy"
PAUSE = 0.12  # seconds at most between two reports of a respondent
KEYS = [question["key"] for question in DRAFT["questions"]]

pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture(scope="module")
def deployed(postgres):
    """Yield a deployed system behind a pooler. tests/faults/test_thief.py deploys one without a pooler."""
    with ExitStack() as stack:
        pool = PgBouncer(postgres, "session", 60)
        stack.callback(pool.stop)
        system = DeployedSystem(pool)
        stack.callback(system.stop)
        yield system


def test_the_units_the_proxy_and_the_pooler_take_a_load_over_tls_and_count_it(deployed, tmp_path):
    slug = open_survey(deployed, tmp_path)
    printed = deployed.manage("load", slug, "--reports", "400", "--threads", "8", "--twice", "0.2")
    assert "400 reports acknowledged" in printed
    deployed.manage("survey", "close", "--", slug)
    assert published(deployed, slug, lambda document: document["final"])["n"] == 400
    assert ": 400 reports." in deployed.manage("recount", slug, "--seconds", "240")
    deployed.eventually(lambda: request(f"{deployed.url}/status")[0] == 200, "the status is ok")


def test_the_proxy_speaks_tls_only_and_shows_no_metrics(deployed):
    plain = http.client.HTTPConnection("127.0.0.1", deployed.nginx.plain_port, timeout=30)
    plain.request("POST", "/api/v1/surveys/x/reports?y", "{}", {"Host": "evil.example.org"})
    answer = plain.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://localhost/api/v1/surveys/x/reports?y")
    assert request(f"{deployed.url}/metrics")[0] == 403


@pytest.mark.parametrize("address", ["127.0.0.1", *["::1"] * V6])
def test_the_proxy_answers_anyone_who_comes_over_ipv4_and_ipv6(deployed, address):
    plain = http.client.HTTPConnection(address, deployed.nginx.plain_port, timeout=30)
    plain.request("GET", "/s/", headers={"Host": "localhost"})
    assert plain.getresponse().status == 301
    with (
        socket.create_connection((address, deployed.nginx.port), 30) as bare,
        ssl.create_default_context().wrap_socket(bare, server_hostname="localhost") as connection,
    ):
        connection.sendall(b"GET /s/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("host", ["127.0.0.1", "survey.example.org", "evil.example.org"])
def test_by_whatever_name_people_come_they_are_asked_at_the_sites_own(deployed, tmp_path, host):
    page = f"/s/{open_survey(deployed, tmp_path)}/"
    status, headers, _ = refusal(deployed, f"GET {page}?from=here HTTP/1.1", f"Host: {host}")
    assert (status, headers["Location"]) == (302, f"{deployed.url}{page}?from=here")
    assert page not in deployed.certificate.with_name("access.log").read_text()


def refusal(deployed, *lines):
    """Return the status, headers and body that answer raw lines."""
    with deployed.connect() as connection:
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["GET /metrics HTTP/1.1"], 403),
        (["POST /api/v1/surveys/x/reports HTTP/1.1", "Content-Length: 5000000"], 413),
        (["POST /api/v1/surveys/x/reports HTTP/1.1", "Transfer-Encoding: chunked"], 411),
        (["POST /account/login/ HTTP/1.1", "Transfer-Encoding: chunked"], 411),
        (["GET / HTTP/1.1", f"X-Long: {'x' * 40000}"], 400),
        (["BROKEN"], 400),
    ],
)
def test_what_the_proxy_says_itself_carries_the_strict_headers(deployed, lines, status):
    named = f"Host: localhost:{deployed.nginx.port}"
    found, headers, _ = refusal(deployed, lines[0], named, *lines[1:])
    assert found == status
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Strict-Transport-Security"):
        assert len(headers.get_all(name, [])) == 1, name


def test_what_the_site_says_carries_its_own_headers_once(deployed):
    for path in ("/", "/nothing", "/api/v1/surveys/x/reports"):
        headers = request(f"{deployed.url}{path}")[1]
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
            assert len(headers.get_all(name, [])) == 1, (path, name)
        assert "default-src 'none'; script-src 'self'" in headers["Content-Security-Policy"]


def test_files_of_pages_are_compressed_and_staffs_pages_are_not(deployed):
    for path, host, compressed in (
        ("/static/respond/privatize.js", "localhost", True),
        ("/account/login/", "staff.localhost", False),
    ):
        named = f"Host: {host}:{deployed.nginx.port}"
        status, headers, _ = refusal(deployed, f"GET {path} HTTP/1.1", named, "Accept-Encoding: gzip")
        assert status == 200 and (headers["Content-Encoding"] == "gzip") == compressed


def test_a_name_that_is_not_the_sites_is_refused_behind_the_proxy_too(deployed):
    for path in ("/", "/api/v1/surveys/x/reports"):
        assert refusal(deployed, f"GET {path} HTTP/1.1", "Host: evil.example.org")[0] == 400


@pytest.mark.parametrize(
    ("path", "expected"), [("/", 200), ("/s/", 200), ("/api/v1/surveys/unknown/reports", 405), ("/status", 200)]
)
def test_browsers_are_told_to_come_back_over_tls_only(deployed, path, expected):
    deployed.eventually(lambda: request(f"{deployed.url}{path}")[0] == expected)
    headers = request(f"{deployed.url}{path}")[1]
    assert int(re.fullmatch(r"max-age=(\d+)", headers["Strict-Transport-Security"])[1]) >= 31536000


def test_neither_site_nor_proxy_keeps_anything_of_a_respondent(deployed, tmp_path, postgres):
    logs = [postgres.directory / "postgres.log", *deployed.certificate.parent.glob("*.log")]
    search(deployed, tmp_path, logs, "log access.log")


def test_the_proxy_keeps_no_address_whose_handshake_fails_and_no_time_of_a_visit(deployed):
    """Some boxes between a phone and the site send a greeting with wrong bytes."""
    greeting, chance = hello(), random.Random(7)
    for _ in range(300):
        broken = bytearray(greeting)
        for _ in range(3):
            broken[chance.randrange(5, len(broken))] ^= 1 << chance.randrange(8)
        with socket.create_connection(("127.0.0.1", deployed.nginx.port), 30, ("127.0.0.77", 0)) as connection:
            connection.sendall(broken)
    for path in ("/r/unknown/", "/api/v1/surveys/unknown/estimates", "/api/v1/surveys/unknown/releases/1/estimates"):
        assert request(f"{deployed.url}{path}")[0] == 404
    for path in ("/static/respond/respond.js", "/favicon.ico", "/apple-touch-icon.png", "/static/web/site.css"):
        assert request(f"{deployed.url}{path}")[0] == 200
    access = deployed.certificate.with_name("access.log")
    # nginx answers first and writes the line then.
    deployed.eventually(lambda: "/static/web/site.css" in access.read_text(), "the last request is in the log")
    logs = {path.name: path.read_text() for path in access.parent.glob("*.log")}
    assert not [name for name, text in logs.items() if "127.0.0.77" in text]
    assert "/respond/" not in logs["access.log"] and "icon" not in logs["access.log"]
    assert "unknown" not in logs["access.log"], "a result's address is its key"


VISITS = [
    *("/check/head.json", "/check/release.json", "/check/manifest.json", "/check/", "/check/log/checkpoint"),
    *(
        "/s/SLUG",
        "/s/SLUG/",
        "/S/SLUG/",
        "//s/SLUG/",
        "/s//SLUG",
        "/%73/SLUG/",
        "/s%2FSLUG",
        "/%2Fs/SLUG",
        "/s/%23SLUG",
    ),
    *("/s/SLUG/;", "/s/SLUG)", "/s/SLUG%E2%80%8B", "/s/=3DSLUG", "/./s/SLUG/", "/surveys/../s/SLUG/", "/s/../s/SLUG"),
    *("/surveys/%2e%2e/s/SLUG/", "/lab/..%2fs/SLUG/", "/account//../s/SLUG/", "/s\\SLUG", "/s;/SLUG", "/x/s/SLUG"),
    *("//r/SLUG/", "/r//SLUG/", "/R/SLUG/", "/%72/SLUG/", "/./r/SLUG/", "/r/SLUG/downloads/", "/static/../r/SLUG/"),
    *(
        "/api/v1/surveys/SLUG/definition",
        "/api//v1/surveys/SLUG",
        "/API/v1/surveys/SLUG/reports",
        "/api/v1/surveys/SLUG",
    ),
    *("/api/v1//surveys/SLUG/signature", "/api/v1/%73urveys/SLUG/reports", "/api/v1/studio/../surveys/SLUG/reports"),
    *("/respond/definition?SLUG", "//respond/definition?SLUG", "/Respond/SLUG", "/static/respond/respond.js?SLUG"),
    *("/static//respond/respond.js?SLUG", "/static/./respond/SLUG", "/SLUG", "/?s/SLUG", "http://localhost/s/SLUG/"),
]


def test_the_proxy_logs_no_path_that_tells_a_visit_however_it_is_written(deployed, tmp_path):
    slug, access = open_survey(deployed, tmp_path), deployed.certificate.with_name("access.log")
    before = len(access.read_text().splitlines())
    for path in VISITS:
        refusal(deployed, f"GET {path.replace('SLUG', slug)} HTTP/1.1", f"Host: localhost:{deployed.nginx.port}")
    for name in ("/static/web/site.css", "/account/login/", "/surveys/", "/api/"):
        refusal(deployed, f"GET {name} HTTP/1.1", f"Host: localhost:{deployed.nginx.port}")
    expected = ["GET /", "GET /account/login/", "GET /api/", "GET /static/web/site.css", "GET /surveys/"]

    def logged():
        return sorted(line.split('"')[1] for line in access.read_text().splitlines()[before:])

    deployed.eventually(lambda: len(logged()) >= len(expected), "all that is logged is there")
    assert logged() == expected, "the first of the visits asked for the home page alone"
    assert slug not in "".join(path.read_text() for path in access.parent.glob("*.log"))


def hello():
    """Return a client's first message."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def test_anyone_who_serves_requires_the_check_which_stays_passed_and_starts_dead_processes_again():
    check = unit_of("check")
    assert (check["Type"], check["RemainAfterExit"]) == ("oneshot", "yes")
    assert "manage.py check --deploy --database default" in check["ExecStart"]
    for name in ("intake", "pages"):
        unit = unit_of(name)
        assert unit["Requires"] == "deniable-check.service" and "deniable-check.service" in unit["After"]
        assert not {"ExecStartPre", "ExecCondition"} & unit.keys(), "it would run before each start"
        assert "--respawn-failed-workers" in unit["ExecStart"].split()


@pytest.fixture(scope="module")
def embedded():
    system = OpenedUp()
    yield system
    system.stop()


def test_every_file_of_a_running_system_is_for_its_owner_alone(embedded, tmp_path):
    """This holds even if the system finds a directory that other users could read."""
    slug = open_survey(embedded, tmp_path)
    assert request(f"{embedded.url}/r/{slug}/")[0] == 200
    embedded.manage("load", slug, "--reports", "150")
    embedded.eventually(lambda: embedded.query("SELECT 1 FROM surveys_reportid"), "a batch is taken")
    assert open_to_others(embedded.data) == []


# A process that dies --------------------------------------------------------------------------------------------------


@contextmanager
def answering(system, slug):
    """Let four respondents send one report after the other. Yield the definition, their ledger, and a function that
    waits for more."""
    path = f"/api/v1/surveys/{slug}"
    _, headers, canonical = request(f"{system.url}{path}/definition")
    definition, digest = json.loads(canonical), headers["ETag"].strip('"')
    ledger, over = Ledger(), threading.Event()

    def respond(seed: int) -> None:
        words, sender = random.Random(f"{slug} {seed}"), Sender(f"{system.url}{path}/reports")
        while not over.is_set():
            body = make_report(definition, digest, dict.fromkeys(KEYS, 0), lambda: words.getrandbits(32))
            ledger.sent.add(body)
            try:
                sender.send(body)
                ledger.acknowledged.append(body)
            except (ReportRejected, TimeoutError) as trouble:
                ledger.refused.append(str(trouble))
            over.wait(words.uniform(0, PAUSE))

    def a_hundred_more() -> None:
        so_far = len(ledger.acknowledged)
        system.eventually(lambda: len(ledger.acknowledged) > so_far + 100, "reports come in")

    respondents = [threading.Thread(target=respond, args=(seed,)) for seed in range(4)]
    for thread in respondents:
        thread.start()
    try:
        yield definition, ledger, a_hundred_more
    finally:
        over.set()
        for thread in respondents:
            thread.join()


def test_reports_are_acknowledged_while_a_process_of_the_intake_is_dead(deployed, tmp_path):
    slug = open_survey(deployed, tmp_path, draft=DRAFT)
    with answering(deployed, slug) as (definition, ledger, a_hundred_more):
        a_hundred_more()
        dead, alive = deployed.processes("intake")
        os.kill(dead, signal.SIGKILL)
        deployed.eventually(lambda: dead not in deployed.processes("intake"), "it has ended")
        a_hundred_more()  # from the other process, and from the new one
        deployed.eventually(lambda: len(deployed.processes("intake")) == 2, "another one has started")
        assert alive in deployed.processes("intake"), "the whole intake was started again"
        a_hundred_more()
    assert settle(deployed, slug, lambda: audit(deployed, slug, definition, ledger)).wrongs == []


def test_the_units_environment_names_what_this_system_runs_with(deployed):
    lines = (DEPLOY / "deniable.env").read_text().splitlines()
    named = {line.partition("=")[0] for line in lines if line and not line.startswith("#")}
    assert named <= set(OURS)
    assert {name for name in OURS if name in deployed.env} <= named


# Upgrade --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def newer(tmp_path_factory) -> Path:
    return next_version(tmp_path_factory.mktemp("upgrade"))


# Daily tests/public/demo stops and starts the embedded pair on its own data.
@pytest.fixture(params=[pytest.param("embedded", marks=pytest.mark.long), "deployed"])
def upgradable(request):
    return request.getfixturevalue(request.param)


def test_open_surveys_keep_collecting_while_the_site_is_upgraded(upgradable, newer, tmp_path):
    system, code = upgradable, newer
    slug = open_survey(system, tmp_path, draft=DRAFT)
    with answering(system, slug) as (definition, ledger, a_hundred_more):
        a_hundred_more()
        system.upgrade(code, migrated=a_hundred_more)
        a_hundred_more()
    assert system.query("SELECT count(wave) FROM surveys_report") == [(0,)], "the column is there"
    assert settle(system, slug, lambda: audit(system, slug, definition, ledger)).wrongs == []
