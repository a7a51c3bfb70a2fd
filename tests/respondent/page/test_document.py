"""The respondents' document is the same for all: it contains nothing of a survey, a request or a site (P14)."""

import hashlib
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.test import Client

from surveys.operation.logging import Discreet
from surveys.respondent.page.document import document
from tests.support.factories import opened_survey

DIGEST = "import django; django.setup(); from surveys.respondent.page.document import document; import hashlib; " \
    "print(hashlib.sha256(document()).hexdigest())"  # fmt: skip
SITES = [
    {"SITE_URL": "https://a.example.org", "STAFF_URL": "https://staff.example.org", "SECRET_KEY": "a" * 50},
    {"SITE_URL": "https://b.example.net:8443", "STAFF_URL": "https://staff.example.net", "SECRET_KEY": "b" * 50},
]


def test_two_sites_with_other_names_and_keys_have_the_same_document(tmp_path):
    """Each site is in its own process, with nothing stored in common."""
    digests = set()
    for number, site in enumerate(SITES):
        data = tmp_path / str(number)
        env = os.environ | site | {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        done = subprocess.run([sys.executable, "-c", DIGEST], cwd=settings.BASE_DIR, env=env, capture_output=True)
        digests.add(done.stdout.strip().decode())
    assert digests == {hashlib.sha256(document()).hexdigest()}


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_anyone_who_asks_gets_it_and_is_remembered_by_nothing(settings, host):
    settings.SITE_URL, settings.ALLOWED_HOSTS = f"http://{host}", [host]
    asked = [{}, {"accept-language": "ar", "cookie": "language=de", "user-agent": "other"}]
    for headers in asked:
        response = Client(headers=headers).get("/s/", HTTP_HOST=host)
        assert response.content == document() and not response.cookies
        assert "Cookie" not in response.get("Vary", "")


@pytest.mark.django_db
def test_nothing_of_a_survey_is_in_it():
    survey = opened_survey()
    for secret in (survey.slug, survey.digest, survey.definition["title"]):
        assert secret not in document().decode()


CHANGED = ["", "%23x", "x", "x/", "x/de/y", "//x", "%2F%23x", "%2523x", "x%22", "x%20", "x.", "%E2%80%8B", "%FF", "?x"]


@pytest.mark.parametrize("address", [*(f"/s/{rest}" for rest in CHANGED), "/s", "/s%23x", "/S/x", "//s/x", "/s%2Fx"])
def test_every_address_below_s_is_the_same_document_and_leaves_no_line(address, caplog):
    caplog.set_level("INFO")
    client = Client(raise_request_exception=False)
    path = {"PATH_INFO": address} if address.startswith("//") else {}  # the test client would read a host from it
    response = client.get(address, **path)
    assert response.content == document() and response.status_code == 200
    assert response["Cache-Control"] == "no-store" and response["X-Robots-Tag"] == "noindex, nofollow"
    client.post(address, **path)
    assert not [record for record in caplog.records if Discreet().filter(record)]


@pytest.mark.django_db
def test_the_header_alone_names_the_survey_that_is_asked_for():
    survey = opened_survey(results_public=True)
    response = Client().get("/respond/definition", headers={"survey-link": survey.slug})
    assert response.content == survey.canonical.encode()
    assert (response["Survey-State"], response["Survey-Results"]) == ("open", "public")
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.parametrize("link", [None, "", "x" * 22, "x" * 33, "ü", "a b", "../..", "'"])
def test_a_link_that_no_survey_has_is_answered_with_a_problem(link):
    headers = {} if link is None else {"survey-link": link}
    for response in (
        Client().get("/respond/definition", headers=headers),
        Client().post("/respond/reports", "{}", content_type="application/json", headers=headers),
    ):
        assert response.status_code == 404 and response["Content-Type"] == "application/problem+json"
        assert json.loads(response.content)["type"] == "/problems/unknown-survey"
