"""The pages about alpha in a browser: the slider by keyboard, every state without a barrier, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.accessibility import violations
from tests.support.studio import begun_draft

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

QUESTIONS = [
    {"key": "slept", "kind": "yes_no", "text": "Have you slept at work?", "alpha": "1"},
    {"key": "often", "kind": "ordered", "text": "How often?", "options": [*"abcde"], "alpha": "1.5"},
    {"key": "weight", "kind": "mean", "text": "How heavy are you?", "low": "40", "high": "140", "unit": "kg"},
    {"key": "gap", "kind": "single_choice", "text": "Which?", "alpha": "1"},
]


@pytest.fixture(scope="module")
def drafted(system):
    return begun_draft(system, {"title": "Night", "questions": QUESTIONS})


@pytest.fixture
def address(system, drafted, context):
    number, cookie = drafted
    context.add_cookies([cookie])
    return f"{system.url}/surveys/{number}/alpha/"


def wide_enough(page):
    """Nothing but tables, which scroll inside themselves, is wider than the narrowest screen; targets fit a finger."""
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    small = "[...document.querySelectorAll('main button, main input:not([type=hidden]), main summary, main select')]"
    small += ".filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 43.9"
    small += " && !(node.closest('label')?.getBoundingClientRect().height >= 43.9)).map((node) => node.outerHTML)"
    assert page.evaluate(small) == []
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_slider_moves_every_figure_by_keyboard_and_a_save_can_be_undone(page, address):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}?question=often")
    slider, verdict = page.get_by_role("slider"), page.locator(".verdict")
    expect(verdict).to_contain_text(re.compile(r"Alpha 1\.5\s+moderate\s+±8\.\d percentage points"))
    expect(slider).to_have_attribute("aria-valuetext", "1.5")
    expect(page.get_by_role("button", name="Show the figures")).to_be_hidden()
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text("Save alpha 2")
    assert page.get_by_label("Alpha", exact=True).input_value() == "2"
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text(re.compile(r"Alpha 3\.25\s+weak"))
    expect(page).to_have_url(re.compile("alpha=3.25"))
    assert page.evaluate("document.activeElement.type") == "range"

    page.get_by_label("Alpha", exact=True).fill("0.75")
    expect(verdict).to_contain_text(re.compile(r"Alpha 0\.75\s+strong"))
    assert slider.get_attribute("aria-valuetext") == "0.75"
    page.reload()
    expect(verdict).to_contain_text("saved now: 1.5")
    page.get_by_role("button", name="Save alpha 0.75").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Saved: alpha 0.75.")
    expect(verdict).to_contain_text("This is what is saved.")
    page.get_by_role("button", name="Undo", exact=True).press("Enter")
    expect(verdict).to_contain_text("Alpha 1.5")

    page.get_by_text("For experts: the mechanism").press("Enter")
    page.get_by_label("Mechanism", exact=True).select_option("bitwise")
    expect(page.locator("tr.chosen")).to_contain_text("Bitwise randomized response used here")
    page.get_by_label("People", exact=True).fill("0")
    expect(page.get_by_role("alert")).to_contain_text("People")
    assert violations(page) == []
    wide_enough(page)
    assert complaints == []


def test_old_figures_are_dim_and_can_be_asked_for_again_where_no_new_ones_come(page, address):
    page.goto(f"{address}?question=often")
    figures, button = page.locator("#figures"), page.get_by_role("button", name="Show the figures")
    page.route("**/alpha/?question=often&alpha=2*", lambda route: route.abort())
    page.get_by_label("Alpha", exact=True).fill("2")
    expect(button).to_be_visible()
    expect(figures).to_have_attribute("aria-busy", "true")
    expect(page.locator(".verdict")).to_contain_text("Alpha 1.5")
    page.get_by_label("Alpha", exact=True).fill("3")
    expect(page.locator(".verdict")).to_contain_text("Alpha 3")
    expect(button).to_be_hidden()
    expect(figures).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("document.activeElement.id") == "alpha"


def test_the_figures_of_what_was_typed_last_are_shown_however_slow_the_site_is(page, address):
    page.goto(f"{address}?question=often")
    waiting, pattern = [], "**/alpha/?question=often&alpha=2*"
    page.route(pattern, lambda route: waiting.append(route))
    with page.expect_request(pattern):
        page.get_by_label("Alpha", exact=True).fill("2")
    page.get_by_label("Alpha", exact=True).fill("3")
    waiting[0].continue_()
    expect(page.locator(".verdict")).to_contain_text("Alpha 3")
    expect(page).to_have_url(re.compile("alpha=3"))


def test_who_was_signed_out_signs_in_and_returns_to_the_figures(page, address, context):
    page.goto(f"{address}?question=often")
    context.clear_cookies()
    page.get_by_label("Alpha", exact=True).fill("3")
    expect(page).to_have_url(re.compile(r"/account/login/\?next=.*alpha%3D3"))


def test_every_state_of_the_pages_has_no_barrier(page, address):
    states = ["", "?question=gap", "?how=weight&total=3", "?how=width&total=3&width.slept=x"]
    states += ["?question=often&trial=1&alpha=9"]
    for state in states:
        page.goto(address + state)
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        page.wait_for_load_state("networkidle")
        assert violations(page) == [], state
        wide_enough(page)


def test_without_javascript_the_same_is_reached_by_forms(browser, drafted, address):
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies([drafted[1]])
    page = plain.new_page()
    page.goto(f"{address}?question=slept")
    assert not page.get_by_role("slider").is_visible()
    page.get_by_label("Alpha", exact=True).fill("2")
    page.get_by_role("button", name="Show the figures").click()
    expect(page.locator(".verdict")).to_contain_text("Save alpha 2")
    page.get_by_text("What people answer", exact=True).click()
    page.get_by_label("Yes").fill("20")
    page.get_by_label("No", exact=False).last.fill("80")
    page.get_by_role("button", name="Run a trial").click()
    expect(page.locator(".ribbon")).to_contain_text("1,000 invented people at alpha 2")
    page.get_by_role("navigation", name="Questions").get_by_role("link", name="All questions").click()
    page.get_by_label("Total alpha", exact=True).fill("3")
    page.get_by_label("By weight").check()
    page.get_by_role("button", name="Show this split").click()
    page.get_by_label("Weight of “How often?”").fill("2")
    page.get_by_role("button", name="Show this split").click()
    page.get_by_role("button", name="Apply this split").click()
    expect(page.get_by_role("status")).to_contain_text("Saved: the alphas of all questions.")
    expect(page.locator(".headline")).to_contain_text("4 total alpha")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".headline")).to_contain_text("3.5 total alpha")
    plain.close()


# From right to left ---------------------------------------------------------------------------------------------------

OUTSIDE = """svg => [...svg.querySelectorAll("text")].filter((each) => {
  const [text, whole] = [each, svg].map((node) => node.getBoundingClientRect());
  return text.left < whole.left - 1 || text.right > whole.right + 1;
}).map((each) => each.textContent)"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_plot_is_whole_and_the_colours_stand_above_their_words(language, browser, system, drafted):
    number, cookie = drafted
    page = browser.new_page(locale=language)
    page.context.add_cookies([cookie])
    page.goto(f"{system.url}/surveys/{number}/alpha/?question=often")
    page.locator(".slide").wait_for()
    assert page.locator(".widths:visible").evaluate(OUTSIDE) == []
    places = [*page.locator(".slide .ends span").all(), page.locator(".track .hardly-any")]
    more, narrower, least = [box["x"] + box["width"] / 2 for box in map(Locator.bounding_box, places)]
    assert abs(least - narrower) < abs(least - more)
    page.close()
