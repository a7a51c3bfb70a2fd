"""The program that owns the port, as clients meet it: what it refuses before anything, and the pages behind it."""

import http.client
import json
import os
import random
import signal
import stat
import time
from urllib.parse import urlsplit

import pytest

from tests.services.starving import LARGEST, Survey, meet
from tests.services.system import EmbeddedSystem
from tests.support.factories import DRAFT
from tests.support.journeys import open_survey, request

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def site():
    system = EmbeddedSystem(BATCH="20")
    yield system
    system.stop()


@pytest.fixture(scope="module")
def reports(site, tmp_path_factory):
    return f"/api/v1/surveys/{open_survey(site, tmp_path_factory.mktemp('front'))}/reports"


def said(site, lines, body=b"", seconds=30):
    """What comes back for raw bytes until the connection ends or nothing comes any more."""
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
    """Conditional requests, heads, bodies and every other status."""
    status, headers, body = request(f"{site.url}/static/site/site.css")
    assert status == 200 and int(headers["Content-Length"]) == len(body) > 1000
    with site.connect() as connection:
        connection.settimeout(30)
        for more, expected in ((f"If-None-Match: {headers['ETag']}", 304), ("Accept: */*", 200)):
            method = "GET" if expected == 304 else "HEAD"
            connection.sendall(f"{method} /static/site/site.css HTTP/1.1\r\n{host(site)}\r\n{more}\r\n\r\n".encode())
            answer = http.client.HTTPResponse(connection, method=method)
            answer.begin()
            assert (answer.status, answer.read()) == (expected, b"")
            if expected == 200:
                assert int(answer.headers["Content-Length"]) == len(body)
    for path, expected in (("/nothing", 404), ("/s/%2e%2e/", 404), ("/admin/", 302), ("/r/%C3%A9/", 404)):
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


def test_nobody_else_reaches_the_pages_behind_it(site):
    assert stat.S_IMODE((site.data / "pages.sock").stat().st_mode) == 0o600


def test_a_form_is_signed_in_through_the_intake(site):
    """A body, cookies and a redirect go through."""
    site.manage(
        "shell", "-c", "from django.contrib.auth.models import User; User.objects.create_superuser('a', '', 'b')"
    )
    status, headers, page = request(f"{site.url}/account/login/")
    token = page.partition(b'csrfmiddlewaretoken" value="')[2].partition(b'"')[0].decode()
    cookie = headers["Set-Cookie"].partition(";")[0]
    body = f"csrfmiddlewaretoken={token}&login=a&password=b&next=/admin/".encode()
    lines = ["POST /account/login/ HTTP/1.1", host(site), f"Cookie: {cookie}", f"Referer: {site.url}/account/login/"]
    lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    lines += ["Expect: 100-continue"]
    status, headers, _ = said(site, lines, body)
    assert (status, headers["Location"]) == (302, "/admin/") and "sessionid" in str(headers)


def test_the_pages_come_back_and_reports_are_taken_meanwhile(site):
    survey = Survey(site, DRAFT)
    os.killpg(site._record()["parts"]["pages"]["pid"], signal.SIGSTOP)
    site.kill("pages")
    status = request(f"{site.url}{survey.path}/reports", survey.report(random.Random(1)).decode())[0]
    assert status == 201
    site.eventually(lambda: request(f"{site.url}/healthz")[0] == 200, "the pages are back")


@pytest.mark.slow
def test_hostile_clients_starve_nobody(site):
    """The short version of benchmarks/starving.py, which measures the waits. Each number is far below what one machine
    can hold; an honest respondent gives up after a minute."""
    target = Survey(site, LARGEST)
    plan = {"half_bodies": 100, "idle": 200, "logins": 16, "flood": 16, "rate": 100}
    met = meet(site, target, plan, reports=60, every=0.1, settle=2)
    assert met.acknowledged == met.sent == 60
    assert met.results is not None, met
    assert met.hostile["half_bodies opened"] >= 100 and met.hostile["flood 201"] > 0 and met.hostile["login 200"] > 0
