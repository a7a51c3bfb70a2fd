"""A release's comparisons in a real browser: no barrier, nothing wider than a phone, and choices stay."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_question import SMALL
from tests.support.accessibility import violations
from tests.support.journeys import ended_survey
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFT = {
    "title": "How people sleep, compared",
    "questions": [
        {"key": "agree", "kind": "ordered", "text": "Sleep matters to me.", "alpha": "4"}
        | {"options": ["not at all", "a little", "somewhat", "much", "very much"], "prefer_not_to_say": True},
        {"key": "tired", "kind": "grid", "text": "How often are you tired?", "alpha": "4"}
        | {"items": ["in the morning", "after lunch"], "options": ["never", "sometimes", "often"]},
    ],
}


@pytest.fixture(scope="module")
def surveys(system, tmp_path_factory):
    """Return the slugs of two ended surveys with the same questions."""
    return [ended_survey(system, tmp_path_factory.mktemp(f"comparisons{number}"), 310, DRAFT) for number in (1, 2)]


def test_comparisons_are_chosen_step_by_step_and_all_stay(system, surveys, page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    slug, other = surveys
    page.goto(f"{system.url}/r/{slug}/questions/agree/")
    page.get_by_role("link", name="Comparisons").click()
    expect(page.get_by_role("table", name="Differences of shares")).to_be_visible()
    page.locator("#value > summary").click()
    page.get_by_label("Value, in percent").fill("30")
    page.locator("#value").get_by_role("button", name="Compare").click()
    expect(page.get_by_role("table", name="Difference of the share from 30%")).to_be_visible()
    page.locator("#between > summary").click()
    page.get_by_label("URL of another survey's results").fill(f"{system.url}/r/{other}/")
    page.locator("#between").get_by_role("button", name="Compare").click()
    expect(page.get_by_role("table", name="Shares of both populations")).to_be_visible()
    page.locator("#power > summary").click()
    page.get_by_label("What is compared").select_option("other")
    page.get_by_label("Difference, in percentage points").fill("10")
    page.locator("#power").get_by_role("button", name="Show").click()
    expect(page.get_by_text("This many reports in each of the two surveys")).to_be_visible()
    expect(page.get_by_role("table", name="Difference of the share from 30%")).to_be_visible()
    assert "difference=10" in page.url and "value=30" in page.url
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert beyond(page) == 0
    assert page.evaluate(SMALL) == []
    assert complaints == []


@pytest.mark.parametrize("query", ["question=tired.2", "question=agree&value=x&address=nothing&about=value"])
def test_items_and_wrong_choices_have_no_barrier(system, surveys, page, query):
    page.goto(f"{system.url}/r/{surveys[0]}/1/comparisons/?{query}")
    expect(page.get_by_role("table", name="Differences of shares")).to_be_visible()
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
