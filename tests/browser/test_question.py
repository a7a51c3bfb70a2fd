"""A question's own page in a real browser: no barrier, only tables scroll, and choices stay."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.journeys import open_survey, published
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFT = {
    "title": "Read one by one",
    "questions": [
        {"key": "age", "kind": "histogram", "text": "How many hours did you sleep last night?", "unit": "hours"}
        | {"edges": ["2", "4", "5", "6", "7", "8", "10"], "alpha": "4", "prefer_not_to_say": True},
        {"key": "agree", "kind": "ordered", "text": "Sleep matters to me.", "alpha": "4"}
        | {"options": ["not at all", "a little", "somewhat", "much", "very much"], "prefer_not_to_say": True},
        {"key": "tired", "kind": "grid", "text": "How often are you tired?", "alpha": "4"}
        | {"items": ["in the morning", "after lunch"], "options": ["never", "sometimes", "often"]},
        {"key": "coffee", "kind": "mean", "text": "How much coffee?", "low": "0", "high": "10", "unit": "cups"}
        | {"alpha": "2"},
        {"key": "wish", "kind": "ranking", "text": "What would help most?", "alpha": "4"}
        | {"ranked": ["more time", "less noise", "a better bed"]},
    ],
}
SMALL = """() => [...document.querySelectorAll("a.button, button, main :is(input, select):not([type=hidden]), summary")]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 44).map((node) => node.outerHTML)"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    """Return the slug of an open survey with two releases."""
    slug = open_survey(system, tmp_path_factory.mktemp("question"), draft=DRAFT)
    for number in (1, 2):
        system.manage("load", slug, "--reports", "310", "--threads", "4", "--twice", "0")
        published(system, slug, lambda document, number=number: document["release"] >= number)
    return slug


@pytest.fixture(scope="module")
def complaints(shared):
    """Return everything that the tests' shared page writes into the console."""
    found, (page, _) = [], shared
    page.on("console", lambda message: found.append(message.text))
    return found


@pytest.mark.parametrize("key", ["age", "agree", "tired", "tired.2", "coffee", "wish"])
def test_no_page_has_a_barrier_and_none_is_wider_than_a_phone(system, survey, warm, complaints, key):
    page = warm
    page.goto(f"{system.url}/r/{survey}/questions/{key}/?forged=10&value=5")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for picture in page.locator("figure img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert beyond(page) == 0
    assert page.evaluate(SMALL) == []
    assert complaints == []


def test_choices_stay_in_the_address_and_the_slider_says_its_number(system, survey, page):
    page.goto(f"{system.url}/r/{survey}/questions/agree/")
    page.locator("#settings > summary").click()
    page.get_by_label("Confidence").select_option("99%")
    page.get_by_label("About", exact=True).select_option("Only those who took part")
    page.locator("#settings").get_by_role("button", name="Show").click()
    expect(page.get_by_text("about exactly those who took part · 99% intervals")).to_be_visible()
    page.locator("#table > summary").click()
    expect(page.get_by_role("columnheader", name="99% interval, all at once").first).to_be_visible()
    page.get_by_text("Forged reports", exact=True).click()
    slider = page.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator("#forged output")).not_to_have_text("0")
    page.locator("#forged").get_by_role("button", name="Show").click()
    page.wait_for_url("**forged=*")
    assert "confidence=99" in page.url and "target=respondents" in page.url
    expect(page.locator("#forged table")).to_contain_text("forged")
