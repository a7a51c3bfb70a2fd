"""A researcher requests a cross-table, waits and reads it, with a real system's worker."""

import json

import pytest

from tests.support.accessibility import violations
from tests.support.analyses import DRAFT
from tests.support.journeys import ended_survey, request
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return ended_survey(system, tmp_path_factory.mktemp("ended"), 150, DRAFT)


def without_a_script(browser, cookies, address):
    """Do the same by a form and a page that reloads itself."""
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(cookies)
    page = plain.new_page()
    page.goto(address)
    page.get_by_role("heading", name="Not counted yet").wait_for()
    page.get_by_role("button", name="Make the table").press("Enter")
    page.get_by_text("Share with both answers of all who were asked both").wait_for(timeout=60_000)
    plain.close()


def weights(system, page, path):
    """Weight one question by known shares of the other: typed, wrong, and pasted."""
    page.get_by_text("Weight by known shares").click()
    page.get_by_role("link", name="Weight “How often do you drink?” by known shares of “Do you smoke?”").click()
    page.wait_for_url(f"{system.url}{path}weighted/?by=smokes")
    assert violations(page) == []
    page.get_by_label("Yes", exact=True).fill("30")
    page.get_by_label("No", exact=True).fill("60")
    page.get_by_role("button", name="Show weighted shares").click()
    page.get_by_text("The known shares add up to 90%: they must add up to 100%.").wait_for()
    assert page.get_by_label("No", exact=True).input_value() == "60" and violations(page) == []
    page.get_by_text("Or paste a table").click()
    page.get_by_label("A line for each answer").fill("Yes;100\nNo;0")
    page.get_by_role("button", name="Show weighted shares").click()
    page.wait_for_url(f"{system.url}{path}weighted/?by=smokes&confidence=95&share_1=100&share_2=0#shares")
    page.get_by_role("columnheader", name="Design effect").first.wait_for()
    page.get_by_text("How this was found").click()
    assert violations(page) == []
    page.get_by_role("link", name="90%").click()
    page.wait_for_url("**/weighted/?by=smokes&share_1=100&share_2=0&confidence=90#shares")
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0


def test_what_was_not_made_or_cannot_be_says_so(system, survey):
    status, _, body = request(f"{system.url}/r/{survey}/1/cross/often/smokes/")
    assert status == 200 and "Not counted yet" in body.decode()
    assert request(f"{system.url}/r/{survey}/1/cross/age/smokes/")[0] == 404
    assert request(f"{system.url}/r/{survey}/1/cross/smokes/smokes/")[0] == 404
    assert request(f"{system.url}/r/{survey}/1/cross/smokes/often/crossing.csv")[0] == 404


def test_a_researcher_crosses_two_questions(system, survey, page, browser):
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "carla", "--email", "carla@example.org")
    said, path = [], f"/r/{survey}/1/cross/"
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{system.url}/account/login/?next={path}")
    page.get_by_label("Name").fill("carla")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{system.url}{path}")
    assert violations(page) == []
    page.get_by_label("Question", exact=True).select_option(label="Tobacco")
    page.get_by_role("button", name="Choose").click()
    assert page.get_by_label("By question").get_by_role("option", name="Cannabis").count() == 0, "each report has one"
    assert violations(page) == []
    page.get_by_label("Question", exact=True).select_option(label="How often do you drink?")
    page.get_by_role("button", name="Choose").click()
    page.get_by_label("By question").select_option(label="Do you smoke?")
    page.get_by_role("button", name="Make the table").click()
    # The link has the definition's order. The page shows by itself that the worker has counted.
    page.wait_for_url(f"{system.url}{path}smokes/often/")
    page.get_by_role("link", name="Cross-tables").focus()
    page.get_by_text("Share with both answers of all who were asked both").wait_for(timeout=60_000)
    assert page.evaluate("document.activeElement.textContent") == "Cross-tables"
    assert violations(page) == []
    page.get_by_role("link", name="Within rows").click()
    page.wait_for_url("**/smokes/often/?shares=within_first&confidence=95#table")
    page.get_by_text("Settings").click()
    page.get_by_role("link", name="99%").click()
    page.wait_for_url("**/smokes/often/?shares=within_first&confidence=99#table")
    page.get_by_text("The same as a table").click()
    assert page.get_by_role("rowheader", name="Yes").is_visible() and violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
    weights(system, page, f"{path}smokes/often/")
    assert said == []
    without_a_script(browser, page.context.cookies(), f"{system.url}{path}often/many.1/")
    # The table is published with the results: anyone may read it, but not request one.
    status, headers, body = request(f"{system.url}{path}smokes/often/crossing.json")
    document = json.loads(body)
    assert status == 200 and document["n_about"] == 150 == document["counts"][0][0]
    status, headers, body = request(f"{system.url}{path}smokes/often/heat-dark.svg?shares=within_first")
    assert status == 200 and headers["Content-Type"] == "image/svg+xml" and b"Monthly" in body
    status, _, body = request(f"{system.url}{path}smokes/many.1/")
    assert status == 200 and b"Not counted yet" in body and b"Make the table" not in body
    status, _, body = request(f"{system.url}{path}")
    assert b"How often do you drink?" in body and b"Make the table" not in body
