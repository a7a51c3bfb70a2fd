"""The names that the site answers to, for what stands before Django as for Django's own pages."""

import http.client
import random
import re
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Report
from surveys.operation.hosts import is_staff_host, known_host
from tests.services.starving import Survey
from tests.services.system import EmbeddedSystem
from tests.support.estimated import released
from tests.support.factories import DRAFT, opened_survey, report

KNOWN = ["surveys.example.org", "SURVEYS.example.org:443", "surveys.example.org.", "[::1]:8000", "127.0.0.1", "a.b.org"]
UNKNOWN = ["", ":80", "example.org", "surveys.example.org.evil.org", "evil.org:443", "surveys.example.org/", "*", "::1"]
UNKNOWN += ["surveys.example.org:80:80", "surveys.example.org@evil.org", "a b", "\0", "127.0.0.1\0", "[::1"]


@pytest.fixture(autouse=True)
def names(settings):
    settings.ALLOWED_HOSTS = ["surveys.example.org", "127.0.0.1", "[::1]", ".b.org"]


@pytest.mark.parametrize("host", KNOWN)
def test_the_site_answers_to_its_own_names_with_any_port(host):
    assert known_host(host)


@pytest.mark.parametrize("host", UNKNOWN, ids=ascii)
def test_the_site_answers_to_no_other_name(host):
    assert not known_host(host)


@pytest.mark.django_db
@pytest.mark.parametrize("host", KNOWN + UNKNOWN[1:], ids=ascii)
def test_it_is_the_rule_of_djangos_own_pages(host):
    response = Client(raise_request_exception=False, headers={"host": host}).get("/account/login/")
    assert (response.status_code == 400) != known_host(host)


# Two hosts -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def two(settings):
    settings.ALLOWED_HOSTS = ["answers.example.org", "staff.example.net", "localhost"]
    settings.SITE_URL, settings.STAFF_URL = "http://answers.example.org", "http://staff.example.net"
    settings.STAFF_HOST = "staff.example.net"


def at(host, client=None):
    client = client or Client(raise_request_exception=False)
    client.defaults["HTTP_HOST"] = host
    return client


def signed_in():
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("somebody", is_staff=True, is_superuser=True))
    return client


STAFF_ADDRESSES = [
    "/admin/",
    "/admin",
    "/account/login/",
    "/admin/auth/user/",
    "/surveys/",
    "/account/",
]


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["answers.example.org", "answers.example.org:8000", "localhost"])
@pytest.mark.parametrize("address", STAFF_ADDRESSES)
def test_staffs_addresses_do_not_exist_at_the_respondents_host(two, host, address):
    for method in ("get", "post", "options"):
        response = getattr(at(host, signed_in() if method == "get" else None), method)(address)
        assert response.status_code == 404 and not response.cookies
        assert "default-src 'none'" in response["Content-Security-Policy"]


@pytest.mark.django_db
def test_staff_work_at_their_own_host(two):
    client = at("staff.example.net", signed_in())
    assert client.get("/surveys/").status_code == 200
    assert at("STAFF.example.net:443").get("/account/login/").status_code == 200


@pytest.mark.django_db
def test_a_session_of_the_staff_host_is_none_at_the_other(two):
    survey = released(20)
    address = f"/r/{survey.slug}/"
    client = signed_in()
    assert at("staff.example.net", client).get(address).status_code == 200
    assert at("answers.example.org", client).get(address).status_code == 404


@pytest.mark.django_db
def test_a_reader_chooses_a_language_at_either_host(two):
    address = f"/r/{released(20, results_public=True).slug}/"
    for host in ("answers.example.org", "staff.example.net"):
        client = at(host, Client(enforce_csrf_checks=True))
        page = client.get(f"/language/?next={address}").content.decode()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)[1]
        chosen = client.post("/language/", {"language": "ar", "next": address, "csrfmiddlewaretoken": token})
        assert (chosen.status_code, chosen["Location"]) == (302, address)
        assert '<html lang="ar" dir="rtl"' in client.get(address).content.decode()


@pytest.mark.django_db
def test_a_survey_is_answered_at_the_respondents_host_only(two):
    survey = opened_survey()
    page, reports = f"/s/{survey.slug}/", f"/api/v1/surveys/{survey.slug}/reports"
    assert at("answers.example.org").get(page).status_code == 200
    away = at("staff.example.net").get(f"{page}?from=here")
    assert (away.status_code, away["Location"]) == (302, f"http://answers.example.org{page}?from=here")
    sent = {"data": report(survey, 1), "content_type": "application/json"}
    assert at("staff.example.net").post(reports, **sent).status_code == 404 and not Report.objects.exists()
    assert at("answers.example.org").post(reports, **sent).status_code == 201


@pytest.mark.system
def test_the_intake_takes_no_report_at_staffs_host():
    """As browsers reach it, through the program that owns the port."""
    system = EmbeddedSystem(STAFF_URL="http://staff.example.net")
    try:
        survey = Survey(system, DRAFT)
        answers = []
        for name in ("staff.example.net", urlsplit(system.url).netloc):
            sent = {"Host": name, "Content-Type": "application/json"}
            connection = http.client.HTTPConnection("127.0.0.1", system.port, timeout=30)
            connection.request("POST", f"{survey.path}/reports", survey.report(random.Random(1)), sent)
            answers.append(connection.getresponse().status)
            connection.close()
        assert answers == [404, 201]
    finally:
        system.stop()


@pytest.mark.django_db
def test_without_a_second_host_everything_is_at_the_first():
    assert at("surveys.example.org").get("/account/login/").status_code == 200


def test_the_staff_host_is_known_by_its_name_alone(two):
    assert is_staff_host("staff.example.net:8443") and is_staff_host("STAFF.example.net.")
    assert not is_staff_host("answers.example.org") and not is_staff_host("") and known_host("staff.example.net")
