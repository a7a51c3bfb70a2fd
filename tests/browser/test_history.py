"""The history of a draft and moments in the reader's own time, in a browser far from Greenwich."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import FOUR, signed_in, two_designers
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


def test_a_designer_goes_back_and_reads_times_of_their_own(system, browser):
    (ada, _), [number] = two_designers(system, [FOUR])
    # Other tests' browsers may have reported their time zone.
    system.manage("shell", "-v", "0", "-c", "from surveys.models import Profile; Profile.objects.all().delete()")
    context = browser.new_context(timezone_id="Asia/Kolkata")
    page = signed_in(context, system, ada)
    page.goto(f"{system.url}/surveys/")
    system.eventually(
        lambda: system.query("SELECT zone FROM surveys_profile WHERE zone LIKE 'Asia/%'"), "the zone is stored"
    )
    page.goto(f"{system.url}/surveys/{number}/questions/way/")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.locator(".tabs summary").click()
    page.get_by_role("link", name="History").click()
    assert violations(page) == []
    moment = page.locator("time").first
    expect(moment).to_contain_text(re.compile("Asia/(Kolkata|Calcutta)"))
    page.get_by_role("link", name="Look at it").click()
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert beyond(page) == 0
    page.get_by_role("button", name="Go back to this version").click()
    expect(page.get_by_role("status").get_by_text("The draft is again as it was")).to_be_visible()
    expect(page.get_by_role("link", name="How far?")).to_be_visible()
    page.goto(f"{system.url}/surveys/{number}/open/")
    page.get_by_text("Begin later, end at a precision").click()
    page.get_by_label("Begins").fill("2030-01-05T20:00")
    expect(page.locator(".zone").first).to_have_text(re.compile("Asia/(Kolkata|Calcutta)"))
    page.get_by_role("button", name="Open the survey").click()
    page.get_by_text("Until 5 January 2030, 20:00 Asia/").wait_for()
    [[opens_at]] = system.query(f"SELECT opens_at FROM surveys_survey WHERE id = {number}")
    assert "2030-01-05 14:30" in str(opens_at)
    assert page.failures == []
    context.close()
