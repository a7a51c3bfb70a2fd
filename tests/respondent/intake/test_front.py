"""The program that owns the port, as clients see it: its first refusals, and the pages behind it."""

import hashlib
import http.client
import json
import os
import random
import signal
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from surveys.respondent.intake.front import SIGNATURES_MAX
from tests.services.starving import LARGEST, Survey, meet
from tests.services.system import EmbeddedSystem, parts
from tests.support.factories import DRAFT
from tests.support.invitations import INVITED, Invited
from tests.support.journeys import open_survey, request

pytestmark = pytest.mark.system


STAFF = "staff.example.net"


@pytest.fixture(scope="module")
def site():
    """Yield a system whose staff use their own host name."""
    system = EmbeddedSystem(BATCH="20", STAFF_URL=f"http://{STAFF}")
    yield system
    system.stop()


@pytest.fixture(scope="module")
def reports(site, tmp_path_factory):
    return f"/api/v1/surveys/{open_survey(site, tmp_path_factory.mktemp('front'))}/reports"


def said(site, lines, body=b"", seconds=30):
    """Return the answer to raw bytes: (status, headers, body)."""
    with site.connect() as connection:
        connection.settimeout(seconds)
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.headers, answer.read()


def host(site):
    return f"Host: {urlsplit(site.url).netloc}"


JSON = "Content-Type: application/json"


@pytest.mark.parametrize("path", ["/", "/api/v1/surveys/x/reports", "/account/login/"])
@pytest.mark.parametrize("name", ["Host: evil.example.org", "Host:", "X-Host: 127.0.0.1"])
def test_an_unknown_host_is_refused_before_anything(site, path, name):
    for method in ("GET", "POST"):
        assert said(site, [f"{method} {path} HTTP/1.1", name, JSON, "Content-Length: 2"], b"{}")[0] == 400


def test_an_address_with_a_host_in_it_is_refused(site):
    assert said(site, ["GET http://evil.example.org/ HTTP/1.1", host(site)])[0] == 400


@pytest.mark.parametrize("path", ["reports", "/account/login/"])
def test_a_body_of_no_stated_length_is_refused(site, reports, path):
    path = reports if path == "reports" else path
    lines = [f"POST {path} HTTP/1.1", host(site), JSON, "Transfer-Encoding: chunked"]
    assert said(site, lines, b"2\r\n{}\r\n0\r\n\r\n")[0] == 411


def test_a_body_that_is_too_long_is_refused_by_its_stated_length(site, reports):
    lines = [f"POST {reports} HTTP/1.1", host(site), JSON, "Content-Length: 100000"]
    status, headers, body = said(site, lines)
    assert status == 413 and json.loads(body)["type"] == "/problems/too-large"
    assert headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.slow
def test_a_body_that_does_not_arrive_is_given_up(site, reports):
    started = time.monotonic()
    status, headers, _ = said(site, [f"POST {reports} HTTP/1.1", host(site), JSON, "Content-Length: 10"], b"{")
    assert status == 408 and headers["Connection"] == "close"
    assert time.monotonic() - started > 9


def test_pages_pass_unchanged(site):
    """Conditional requests, HEAD requests, bodies and all other statuses pass too."""
    status, headers, body = request(f"{site.url}/static/web/site.css")
    assert status == 200 and int(headers["Content-Length"]) == len(body) > 1000
    with site.connect() as connection:
        connection.settimeout(30)
        for more, expected in ((f"If-None-Match: {headers['ETag']}", 304), ("Accept: */*", 200)):
            method = "GET" if expected == 304 else "HEAD"
            connection.sendall(f"{method} /static/web/site.css HTTP/1.1\r\n{host(site)}\r\n{more}\r\n\r\n".encode())
            answer = http.client.HTTPResponse(connection, method=method)
            answer.begin()
            assert (answer.status, answer.read()) == (expected, b"")
            if expected == 200:
                assert int(answer.headers["Content-Length"]) == len(body)
    for path, expected in (("/nothing", 404), ("/s/%2e%2e/", 200), ("/r/%C3%A9/", 404)):
        with site.connect() as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\n{host(site)}\r\n\r\n".encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            assert answer.status == expected


def test_letters_beyond_ascii_in_a_query_are_no_failure(site):
    with site.connect() as connection:
        connection.sendall("GET /?ä=%zz HTTP/1.1\r\n".encode() + f"{host(site)}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 200


def test_no_one_else_reaches_the_pages_behind_it(site):
    assert stat.S_IMODE((site.data / "pages.sock").stat().st_mode) == 0o600


def test_a_form_is_signed_in_through_the_intake(site):
    """The body, cookies and redirect pass."""
    site.manage(
        "shell", "-c", "from django.contrib.auth.models import User; User.objects.create_superuser('a', '', 'b')"
    )
    status, headers, page = said(site, ["GET /account/login/ HTTP/1.1", f"Host: {STAFF}"])
    token = page.partition(b'csrfmiddlewaretoken" value="')[2].partition(b'"')[0].decode()
    cookie = headers["Set-Cookie"].partition(";")[0]
    body = f"csrfmiddlewaretoken={token}&login=a&password=b&next=/admin/".encode()
    lines = ["POST /account/login/ HTTP/1.1", f"Host: {STAFF}", f"Cookie: {cookie}"]
    lines += [f"Referer: http://{STAFF}/account/login/"]
    lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    lines += ["Expect: 100-continue"]
    status, headers, _ = said(site, lines, body)
    assert (status, headers["Location"]) == (302, "/admin/") and "sessionid" in str(headers)


def test_no_report_is_taken_at_staffs_host_and_no_one_is_asked_at_a_second_name(site):
    survey = Survey(site, DRAFT)
    body = survey.report(random.Random(1))
    report = [f"POST {survey.path}/reports HTTP/1.1", JSON, f"Content-Length: {len(body)}"]
    assert [said(site, [*report, name], body)[0] for name in (f"Host: {STAFF}", host(site))] == [404, 201]

    def led(name, path):
        status, headers, _ = said(site, [f"GET {path} HTTP/1.1", f"Host: {name}"])
        return status, headers["Location"]

    own = urlsplit(site.url).netloc
    assert [led(f"{name}:{site.port}", "/s/") for name in ("127.0.0.1", "localhost", "[::1]")] == [
        (200, None),
        (302, f"{site.url}/s/"),
        (302, f"{site.url}/s/"),
    ]
    assert led(own, "/admin/") == (404, None)
    assert led(STAFF, "/admin/")[0] == 302


def test_the_pages_come_back_and_reports_are_taken_meanwhile(site):
    survey = Survey(site, DRAFT)
    os.killpg(parts(site.data)["pages"], signal.SIGSTOP)
    site.kill("pages")
    status = request(f"{site.url}{survey.path}/reports", survey.report(random.Random(1)).decode())[0]
    assert status == 201
    site.eventually(lambda: request(f"{site.url}/healthz")[0] == 200, "the pages are back")


@pytest.mark.statistical
@pytest.mark.slow
def test_hostile_clients_starve_no_one(site, nightly):
    """This is the short version of benchmarks/starving.py, which measures the waits. Each number is far below what one
    machine can hold; an honest respondent gives up after a minute."""
    target = Survey(site, LARGEST)
    plan = {"half_bodies": 100, "idle": 200, "logins": 16, "flood": 16, "signatures": 8, "rate": 100 if nightly else 20}
    met = meet(site, target, plan, reports=60, every=0.05, settle=1)
    assert met.acknowledged == met.sent == 60
    assert met.results is not None, met
    assert met.hostile["half_bodies opened"] >= 100 and met.hostile["flood 201"] > 0 and met.hostile["login 200"] > 0
    assert met.hostile["signatures 200"] > 0


# Invitations ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_invitation(site, tmp_path_factory):
    """Return a survey by invitation, and a function that invites that many people."""
    slug = open_survey(site, tmp_path_factory.mktemp("invited"), draft=INVITED)
    _, _, data = request(f"{site.url}/api/v1/surveys/{slug}/definition")
    definition = json.loads(data)
    named = {"slug": slug, "digest": hashlib.sha256(data).hexdigest(), "questions": definition["questions"]}
    survey = SimpleNamespace(definition=definition, **named)

    def people(count):
        links = site.manage("survey", "invite", slug, "--count", str(count)).split()
        return [Invited(survey, link.rpartition("/")[2], f"{link}") for link in links]

    return people


def signature(site, person, **headers):
    """Return the answer to a page that shows an invitation: (status, document)."""
    body = json.dumps(person.request())
    lines = ["POST /respond/signature HTTP/1.1", host(site), JSON, f"Content-Length: {len(body)}"]
    status, _, document = said(site, [*lines, f"Survey-Link: {person.survey.slug}"], body.encode())
    return status, json.loads(document)


def signers(site):
    """Return the site's own processes that sign."""
    parts = {int(pid) for pid in os.listdir("/proc") if pid.isdigit() and own(pid, str(site.data))}
    return [pid for pid in parts if b"surveys.respondent.intake.sign" in read(f"/proc/{pid}/cmdline")]


def own(pid, data):
    return f"DATA_DIR={data}".encode() in read(f"/proc/{pid}/environ").split(b"\0")


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def test_an_invitation_is_signed_for_and_its_report_recorded(site, by_invitation):
    [ada] = by_invitation(1)
    status, document = signature(site, ada)
    assert status == 200 and signature(site, ada) == (200, document)
    body = ada.signed(document["signature"])
    reports = f"{site.url}/api/v1/surveys/{ada.survey.slug}/reports"
    assert [request(reports, body)[0] for _ in range(2)] == [201, 200]
    assert request(reports, json.dumps(ada.body))[0] == 422


def test_a_signer_that_was_killed_is_started_again_and_nothing_is_used_twice(site, by_invitation):
    ada, bob = by_invitation(2)
    status, document = signature(site, ada)
    [pid] = signers(site)
    os.kill(pid, signal.SIGKILL)
    assert (status, signature(site, ada)) == (200, (200, document)) and signature(site, bob)[0] == 200
    assert signers(site) != [pid] and len(signers(site)) == 1


def test_who_sends_half_a_request_for_a_signature_keeps_no_one_from_theirs(site, by_invitation):
    """One client sends more half requests than may wait to be signed."""
    [ada] = by_invitation(1)
    head = ["POST /respond/signature HTTP/1.1", host(site), JSON, "Content-Length: 100", "Survey-Link: x", "", "{"]
    with ExitStack() as halves:
        for _ in range(SIGNATURES_MAX + 10):
            halves.enter_context(site.connect("127.9.9.8")).sendall("\r\n".join(head).encode())
        assert signature(site, ada)[0] == 200


def test_while_many_ask_for_signatures_a_report_is_taken_as_soon_as_ever(site, reports, by_invitation):
    """60 people show their invitations at once. All get a signature, and reports are taken in between."""
    people = by_invitation(60)
    with ThreadPoolExecutor(60) as pool:
        pending = [pool.submit(signature, site, person) for person in people]
        taken = 0
        while not all(each.done() for each in pending):
            body = b"{}"
            status, _, _ = said(site, [f"POST {reports} HTTP/1.1", host(site), JSON, "Content-Length: 2"], body)
            taken += status == 422
        assert {each.result()[0] for each in pending} == {200} and taken > 0
