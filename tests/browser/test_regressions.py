"""A researcher explains one question by another, waits, and reads it, with a real system's worker."""

import pytest

from tests.support.accessibility import violations
from tests.support.analyses import DRAFT
from tests.support.journeys import ended_survey, request
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery staple"


def test_a_researcher_explains_a_question(system, tmp_path, page):
    survey = ended_survey(system, tmp_path, 150, DRAFT)
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "nora", "--email", "nora@example.org")
    path = f"/r/{survey}/1/models/"
    page.goto(f"{system.url}/account/login/?next={path}")
    page.get_by_label("Name").fill("nora")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{system.url}{path}")
    assert violations(page) == []
    page.get_by_label("Question to be explained").select_option(label="Do you smoke?")
    page.get_by_role("button", name="Choose").click()
    page.get_by_role("button", name="Compute the model").click()
    page.get_by_text("Choose at least one question that explains.").wait_for()
    assert violations(page) == []
    page.get_by_label("as a number: How often do you drink?").check()
    page.get_by_role("button", name="Compute the model").press("Enter")
    page.get_by_role("heading", name="Marginal effects").wait_for(timeout=60_000)
    for table in page.get_by_text("The same as a table").all():
        table.click()
    assert page.get_by_role("rowheader", name="How often do you drink? (a unit more)").is_visible()
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
    status, headers, body = request(page.url.replace("/model/", "/model/effects-dark-narrow.svg"))
    assert status == 200 and headers["Content-Type"] == "image/svg+xml" and b"Monthly" in body
