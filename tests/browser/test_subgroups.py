"""A researcher requests subgroups, waits and reads them, with a real system's worker."""

import pytest

from tests.support.accessibility import violations
from tests.support.analyses import DRAFT
from tests.support.journeys import ended_survey
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery staple"


def test_a_researcher_reads_every_question_by_one(system, tmp_path, page):
    survey = ended_survey(system, tmp_path, 150, DRAFT)
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "sue", "--email", "sue@example.org")
    path = f"/r/{survey}/1/subgroups/"
    page.goto(f"{system.url}/account/login/?next={path}")
    page.get_by_label("Name").fill("sue")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{system.url}{path}")
    assert violations(page) == []
    page.get_by_label("Question", exact=True).select_option(label="Do you smoke?")
    page.get_by_role("button", name="Show its groups").press("Enter")
    page.get_by_role("heading", name="How often do you drink?").wait_for(timeout=60_000)
    assert (
        page.get_by_role("table", name="How often do you drink?")
        .get_by_role("rowheader", name="Yes", exact=True)
        .count()
        == 4
    )
    assert page.locator("svg .span").first.bounding_box()["width"] > 0
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
