"""The site as served, in Chromium: strict headers, no complaint of the browser, no barrier."""

import json
import re
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

import pytest

from ldp.privatize import make_report
from ldp.words import system_words
from tests.operation.test_site import held_to
from tests.services.system import System
from tests.support.accessibility import violations
from tests.support.journeys import open_survey, published, request
from tests.support.pictures import is_shown
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

REPORTS = 320
PASSWORD = "correct horse battery"
DESIGNER = f"""
from django.contrib.auth.models import User
User.objects.create_superuser("administrator", "", {PASSWORD!r})
"""


class Site(NamedTuple):
    system: System
    slug: str

    def __call__(self, path: str) -> str:
        return self.system.url + path.format(slug=self.slug)


@pytest.fixture(scope="module")
def site(system, tmp_path_factory) -> Site:
    """Return a running site with a designer and one survey that has results."""
    slug = open_survey(system, tmp_path_factory.mktemp("site"))
    api = f"{system.url}/api/v1/surveys/{slug}"
    _, headers, canonical = request(f"{api}/definition")
    definition, digest = json.loads(canonical), headers["ETag"].strip('"')
    for _ in range(REPORTS):
        body = make_report(definition, digest, {"yes": 0, "which": 1, "many": 2}, system_words)
        assert request(f"{api}/reports", body)[0] == 201
    published(system, slug, lambda document: document["n"] >= 100)
    system.manage("shell", "-c", DESIGNER)
    return Site(system, slug)


PUBLIC = {"home": "/", "results": "/r/{slug}/", "not found": "/nothing"}
OPEN = "document.querySelectorAll('details').forEach(details => { details.open = true })"
SCREENS = [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")]


@pytest.fixture
def complaints(context):
    """Return everything that Chromium writes into the console or reports as an error, on any page of the profile."""
    found: list[str] = []

    def note(message):
        if message.type in ("error", "warning"):
            found.append(f"{message.page.url}: {message.text}")

    context.on("console", note)
    context.on("weberror", lambda error: found.append(str(error.error)))
    return found


# Headers --------------------------------------------------------------------------------------------------------------


def test_every_address_that_a_page_names_answers_with_the_strict_headers(site):
    pages = ["/", "/r/{slug}/", "/s/", "/api/", "/account/login/", "/nothing", "/api/v1/schema", "/healthz"]
    addresses = {site(page) for page in pages}
    for page in sorted(addresses):
        _, headers, body = request(page)
        if headers["Content-Type"].startswith("text/html"):
            found = re.findall(r'(?:href|src|srcset)="([^"#]+)"', body.decode())
            addresses |= {urljoin(page, unescape(address)) for address in found}
    assert all(address.startswith(site.system.url) for address in addresses), "nothing comes from another site"
    assert len(addresses) > 40
    for address in addresses:
        status, headers, _ = request(address)
        assert status == 200 or address.endswith("/nothing"), address
        if "/plots/" in address or "/cards/" in address:  # other sites may show these
            assert headers["Cross-Origin-Resource-Policy"] == "cross-origin", address
            headers.replace_header("Cross-Origin-Resource-Policy", "same-origin")
        held_to(headers)


def test_replies_to_reports_carry_the_strict_headers(site):
    address = site("/api/v1/surveys/{slug}/reports")
    for body in ("{}", "[", "", None):
        _, headers, _ = request(address, body)
        held_to(headers)
        assert headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in headers


# Chromium's complaints ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLIC)
def test_chromium_shows_the_pages_without_a_complaint(site, page, complaints, name):
    status = page.goto(site(PUBLIC[name])).status
    page.wait_for_load_state("networkidle")
    expected = {f"{page.url}: Failed to load resource: the server responded with a status of 404 (Not Found)"}
    assert set(complaints) == (expected if status == 404 else set())


def test_the_plots_are_those_for_the_screen(site, warm):
    warm.goto(site("/r/{slug}/"))
    warm.evaluate(OPEN)  # with few reports it is too early, and the page folds the numbers
    for width, scheme in SCREENS:
        warm.set_viewport_size({"width": width, "height": 900})
        warm.emulate_media(color_scheme=scheme)
        wide = "narrow" if width == 390 else "wide"
        for picture in warm.locator("picture img").all():
            is_shown(picture, f"-{scheme}-{wide}.svg")


def test_the_page_on_the_api_names_its_addresses_and_leads_home(site, page, complaints):
    page.goto(site("/api/"))
    page.evaluate(OPEN)
    for path in ("definition", "reports", "estimates", "estimates.csv", "releases/{number}/microdata"):
        page.get_by_text(f"/api/v1/surveys/{{slug}}/{path}", exact=True).first.wait_for()
    page.get_by_role("link", name="Deniable").first.click()
    page.wait_for_url(site("/"))
    assert complaints == []


def test_the_administration_works_under_the_policy(site, page, complaints):
    page.goto(site("/admin/"))
    page.get_by_label("Name").fill("administrator")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Accounts").wait_for()
    for path in ("/admin/auth/user/", "/admin/mfa/authenticator/"):
        page.goto(site(path))
    page.goto(site("/admin/auth/user/add/"))  # changes need the password again
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(site("/admin/auth/user/add/"))
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    assert complaints == []


# No barrier -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PUBLIC.values())
def test_axe_finds_no_barrier_and_no_page_needs_sideways_scrolling(site, warm, path):
    warm.goto(site(path))
    warm.evaluate(OPEN)
    for width in (320, 390, 700, 1000, 1280):
        warm.set_viewport_size({"width": width, "height": 800})
        assert beyond(warm) == 0, width
    assert violations(warm, ((390, "dark"), (1280, "light"))) == []


def test_the_keyboard_reaches_everything_and_shows_where_it_is(site, page):
    page.goto(site("/r/{slug}/"))
    page.evaluate(OPEN)
    # The arrow keys move on from the selected radio button.
    stops = "a, summary, .scroll, button, textarea, input[type=checkbox], input[type=radio]:checked"
    # On a wide screen the numbers are unfolded beside their picture, without a summary.
    shown = f"[...document.querySelectorAll('{stops}')].filter((each) => each.checkVisibility())"
    for place in range(page.evaluate(f"{shown}.length")):
        page.keyboard.press("Tab")
        reached = f"{shown}.indexOf(document.activeElement)"
        assert page.evaluate(reached) == place
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
