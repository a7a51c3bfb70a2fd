"""The names that the site answers to, for what stands before Django as for Django's own pages."""

import pytest
from django.test import Client

from surveys.hosts import known_host

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
    response = Client(raise_request_exception=False, headers={"host": host}).get("/admin/login/")
    assert (response.status_code == 400) != known_host(host)
