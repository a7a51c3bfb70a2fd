"""A researcher weights a question by two others at once, with a real system's worker."""

import pytest

from tests.support.accessibility import violations
from tests.support.journeys import ended_survey
from tests.support.widths import beyond
from tests.worker.test_raking import SEPARATE

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The part of a table's caption that is wider than the visible table.
CUT = (
    "[...document.querySelectorAll('.scroll caption')]"
    ".map(each => each.offsetWidth - each.closest('.scroll').clientWidth)"
)
HIDDEN = "[...document.querySelectorAll('.scroll')].map(each => each.scrollWidth - each.clientWidth)"
PASSWORD = "correct horse battery staple"


def test_a_researcher_chooses_types_and_reads(system, tmp_path, page):
    survey = ended_survey(system, tmp_path, 150, SEPARATE)
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "wanda", "--email", "wanda@example.org")
    path = f"/r/{survey}/1/weights/"
    page.goto(f"{system.url}/account/login/?next={path}")
    page.get_by_label("Name").fill("wanda")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{system.url}{path}")
    page.get_by_label("Question whose shares, or mean, are weighted").select_option(label="Do you smoke?")
    page.get_by_role("checkbox", name="Where do you live?").check()
    page.get_by_role("button", name="Type their shares").press("Enter")
    assert "at least two" in page.get_by_role("alert").inner_text()
    page.get_by_role("checkbox", name="How old are you?").check()
    fits(page)
    page.get_by_role("button", name="Type their shares").press("Enter")
    groups = page.locator("form").get_by_role("group")
    for place, shares in enumerate((("50", "30", "21"), ("40", "40", "20"))):
        for box, share in zip(groups.nth(2 * place).get_by_role("textbox").all(), shares, strict=True):
            box.fill(share)
    page.get_by_role("button", name="Show weighted shares").press("Enter")
    assert page.get_by_role("alert").inner_text() == "The known shares add up to 101%: they must add up to 100%."
    fits(page)
    page.get_by_label("Farm").fill("20")
    page.get_by_role("button", name="Show weighted shares").press("Enter")
    page.get_by_role("heading", name="Known shares").wait_for(timeout=60_000)
    fits(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(HIDDEN)[-2:] == [0, 0], "known shares are seen without a move sideways"
    assert len(page.evaluate(CUT)) >= 2 and max(page.evaluate(CUT)) <= 0


def fits(page):
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
