"""The results page in a browser: choices without a script, nothing wider than the screen, few pages of paper."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import vectors
from tests.support.accessibility import violations
from tests.support.journeys import ended_survey

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

KEYS = ("few", "laplace", "bit", "any", "two_rows")
DRAFT = {"title": "Results in a browser"} | {
    "questions": [question for question in vectors.EVERY_KIND["questions"] if question["key"] in KEYS]
}
WAIT = 30_000
LONG = """() => document.querySelectorAll(".leading .quiet").forEach((each) => {
  each.textContent = "(-118.3 to 1,204.7 hours a week)";
})"""
OPEN = "() => document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="module")
def address(system, tmp_path_factory):
    slug = ended_survey(system, tmp_path_factory.mktemp("results"), 300, DRAFT)
    return f"{system.url}/r/{slug}/"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_page_is_accessible_and_never_wider_than_the_screen(address, page, width, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}?target=respondents&confidence=99&projected=1")
    page.evaluate(OPEN)
    assert page.evaluate(f"({LONG})(), document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_a_choice_is_made_without_a_script_and_stays_in_the_address(address, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_text("Shown: The population · 95% confidence").click()
    page.get_by_label("Only those who took part").check()
    page.get_by_label("99%").check()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("Everything below is about exactly the 300 people")).to_be_visible(timeout=WAIT)
    expect(page).to_have_url(re.compile(r"target=respondents&confidence=99"), timeout=WAIT)
    page.get_by_role("link", name="As usual").click()
    expect(page.get_by_text("Shown: The population · 95% confidence")).to_be_visible(timeout=WAIT)
    context.close()


def test_a_plot_is_taken_as_a_file(address, page):
    page.goto(address)
    page.evaluate(OPEN)  # a question with few reports folds its numbers
    for form in ("SVG", "PNG", "PDF"):
        with page.expect_download(timeout=WAIT) as taken:
            page.get_by_role("link", name=form, exact=True).first.click()
        assert re.search(rf"-\d-few\.{form.lower()}$", taken.value.suggested_filename)


def test_five_questions_fit_on_three_sheets_of_paper(address, page):
    page.goto(address, wait_until="networkidle")
    paper = page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", paper)) <= 3
