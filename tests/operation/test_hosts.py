"""The host names that the site answers to, in the server in front of Django and in Django's own pages."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Report
from surveys.operation.hosts import is_staff_host, known_host
from tests.support.estimates import released
from tests.support.factories import opened_survey, report

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
    page, named = "/s/", {"survey-link": survey.slug}
    assert at("answers.example.org").get(page).status_code == 200
    away = at("staff.example.net").get(f"{page}?from=here")
    assert (away.status_code, away["Location"]) == (302, f"http://answers.example.org{page}?from=here")
    for number, path in enumerate(("/respond/reports", f"/api/v1/surveys/{survey.slug}/reports"), start=1):
        sent = {"data": report(survey, number), "content_type": "application/json", "headers": named}
        assert at("staff.example.net").post(path, **sent).status_code == 404 and Report.objects.count() == number - 1
        assert at("answers.example.org").post(path, **sent).status_code == 201


ELSEWHERE = ["localhost", "localhost:8000", "[::1]:8000", "answers.example.org.", "evil.org", "a b", "127.0.0.1.nip.io"]


@pytest.fixture
def one(settings):
    settings.SITE_URL = settings.STAFF_URL = "https://answers.example.org:8443"
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "answers.example.org"]


@pytest.mark.django_db
@pytest.mark.parametrize("host", ELSEWHERE)
def test_at_any_other_name_a_survey_leads_to_the_sites_own_before_it_asks(one, host):
    page = f"/s/{opened_survey().slug}/"
    for client in (at(host), at(host, Client(headers={"x-forwarded-host": "evil.org"}))):
        led = client.get(f"{page}?next=//evil.org&from=here")
        assert led.status_code == 302
        assert led["Location"] == f"https://answers.example.org:8443{page}?next=//evil.org&from=here"
        assert client.get("/s//evil.org/")["Location"].startswith("https://answers.example.org:8443/s/")
        assert client.post(page).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["answers.example.org", "ANSWERS.example.org", "answers.example.org:8443"])
def test_at_the_sites_own_name_a_survey_is_asked_whatever_port_the_proxy_names(one, settings, host):
    """A proxy that leaves the port out causes no redirect loop."""
    settings.SECURE_SSL_REDIRECT = False
    assert at(host).get("/s/").status_code == 200


@pytest.mark.django_db
def test_the_machine_itself_asks_for_its_health_by_any_of_its_names(one):
    assert {at(host).get("/healthz").status_code for host in ("127.0.0.1:8001", "localhost", "[::1]")} == {200}


@pytest.mark.django_db
def test_who_is_led_elsewhere_leaves_no_line_in_a_log(one, caplog):
    slug = opened_survey().slug
    for host in ELSEWHERE:
        at(host).get(f"/s/{slug}/")
    assert slug not in caplog.text


@pytest.mark.django_db
def test_without_a_second_host_everything_is_at_the_first():
    assert at("surveys.example.org").get("/account/login/").status_code == 200


def test_the_staff_host_is_known_by_its_name_alone(two):
    assert is_staff_host("staff.example.net:8443") and is_staff_host("STAFF.example.net.")
    assert not is_staff_host("answers.example.org") and not is_staff_host("") and known_host("staff.example.net")
