"""Every URL of the site has strict headers for every visitor, and wrong URLs have helpful pages."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from surveys.models import Survey
from surveys.web import policies
from tests.support.addresses import addresses
from tests.support.estimates import released

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "respondent", "staff")
STATIC = ("respond/respond.js", "respond/respond.css", "web/site.css", "admin/css/base.css", "no/such/file.js")
DENIED = ", ".join(f"{feature}=()" for feature in policies.DENIED)


def client_of(visitor):
    client = Client(raise_request_exception=False)
    if visitor != "anonymous":
        rights = dict.fromkeys(("is_staff", "is_superuser"), visitor == "staff")
        client.force_login(User.objects.get_or_create(username=visitor, defaults=rights)[0])
    return client


def held_to(response, resource="same-origin"):
    """Check the headers that every response must have. `resource`: the sites whose pages may show it."""
    policy = dict(part.strip().partition(" ")[::2] for part in response["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == "'self'", "no inline script, no eval, no other host"
    assert not any(value in response["Content-Security-Policy"] for value in ("http:", "https:", "*", "unsafe-eval"))
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.get("X-Frame-Options") == "DENY" or "text/html" not in response.get("Content-Type", "")
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == resource
    assert response["Referrer-Policy"] in ("no-referrer", "same-origin")
    assert response.get("Permissions-Policy") == (DENIED if is_document(response) else None)
    assert "Access-Control-Allow-Origin" not in response


def is_document(response):
    return response.get("Content-Type", "").partition(";")[0] in ("text/html", "image/svg+xml")


@pytest.mark.slow
@pytest.mark.parametrize("visitor", VISITORS)
def test_every_address_carries_the_strict_headers_for_every_visitor(visitor):
    survey = released(20, results_public=True)
    values = {"slug": survey.slug, "object_id": survey.pk}
    routes = {address.filled(values) for address in addresses()}
    assert len(routes) > 25
    for address in [*sorted(routes), *(f"/static/{name}" for name in STATIC), "/nothing", "/admin/nothing/"]:
        for method in ("get", "post", "options") if visitor == "anonymous" else ("get",):
            # Each request has its own client, because one of the URLs signs out.
            response = getattr(client_of(visitor), method)(address)
            plot = response.status_code == 200 and "/plots/" in address
            held_to(response, "cross-origin" if plot else "same-origin")  # other sites may show plots of public results
            # No worker runs here, and /status says so.
            assert response.status_code < 500 or (address, response.status_code) == ("/status", 503), (method, address)


def test_the_api_documentation_answers_options():
    assert Client(raise_request_exception=False).options("/api/").status_code < 500


@pytest.mark.parametrize("name", ["home", "api", "schema", "health"])
def test_public_pages_set_no_cookie(name):
    response = Client().get(reverse(name))
    assert response.status_code == 200 and not response.cookies


def test_survey_pages_set_no_cookie():
    survey = released(20, results_public=True)
    api = f"/api/v1/surveys/{survey.slug}"
    for address in ("/s/", f"/r/{survey.slug}/", f"{api}/definition", f"{api}/estimates"):
        response = Client().get(address)
        assert response.status_code == 200 and not response.cookies, address
        assert response["Referrer-Policy"] == "no-referrer", address
    assert not Client().post(f"{api}/reports", "{}", content_type="application/json").cookies


def test_only_pages_with_a_form_tell_the_site_itself_where_the_form_came_from():
    assert Client().get("/account/login/")["Referrer-Policy"] == "same-origin"
    assert Client().get("/")["Referrer-Policy"] == "no-referrer"


# Pages ----------------------------------------------------------------------------------------------------------------


def test_the_home_page_tells_each_of_three_people_what_to_do():
    page = Client().get("/").content.decode()
    for sentence in ("I was invited", "I run a survey", "I want to see results", "What it cannot protect against"):
        assert sentence in page
    assert 'href="/account/login/"' in page and 'href="/api/"' in page


def test_an_unknown_address_is_a_page_of_the_site():
    for address in ("/nothing", "/r/unknown/"):
        response = Client().get(address)
        assert response.status_code == 404 and b"This page does not exist" in response.content, address


def test_a_refusal_is_a_page_of_the_site(monkeypatch):
    def refuse(*_):
        raise PermissionDenied("a reason for the log")

    monkeypatch.setattr(Survey.objects, "published", refuse)
    response = Client().get("/r/any/")
    assert response.status_code == 403 and b"This page is not open to you" in response.content
    assert b"reason for the log" not in response.content


def test_a_form_from_elsewhere_is_refused_by_a_page_of_the_site():
    response = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "a", "password": "b"})
    assert response.status_code == 403 and b"The form was not sent from this site" in response.content


def test_a_fault_is_a_page_of_the_site_and_tells_nothing_about_itself(monkeypatch):
    def fail(*_):
        raise RuntimeError("the inner state of the site")

    for found_by in ("published", "linked"):
        monkeypatch.setattr(Survey.objects, found_by, fail)
    survey_page = Client(raise_request_exception=False).get("/respond/definition")
    report = Client(raise_request_exception=False).post(
        "/api/v1/surveys/any/reports", "{}", content_type="application/json"
    )
    for response in (survey_page, report):
        assert response.status_code == 500 and b"inner state" not in response.content
        held_to(response)
    assert b"Something went wrong on our side" in survey_page.content


def test_documents_forbid_themselves_every_feature_and_nothing_else_speaks_of_them():
    survey = released(20, results_public=True)
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(DENIED.split(", "))
    for document in ("/", "/s/", f"/r/{survey.slug}/", "/nothing"):
        assert Client().get(document)["Permissions-Policy"] == DENIED, document
    api = f"/api/v1/surveys/{survey.slug}"
    for other in (reverse("health"), f"{api}/definition", f"{api}/estimates.csv", "/static/respond/respond.js"):
        assert "Permissions-Policy" not in Client().get(other), other


def test_a_view_may_be_stricter_than_the_defaults():
    assert "trusted-types 'none'" in Client().get("/s/")["Content-Security-Policy"]
    assert Client().get("/")["Content-Security-Policy"] == policies.CONTENT


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_are_read_only(method):
    survey = released(20, results_public=True)
    results = f"/r/{survey.slug}/"
    for address in ("/", "/s/", f"/s/{survey.slug}/", results, f"{results}plots/yes-light-wide.svg"):
        assert getattr(Client(), method)(address).status_code == 405, address
