"""The results page in a browser: choices without a script, nothing wider than the screen, few pages on paper."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.support import vectors
from tests.support.accessibility import violations
from tests.support.journeys import ended_survey
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

KEYS = ("few", "laplace", "bit", "any", "two_rows")
DRAFT = {"title": "Results in a browser"} | {
    "questions": [question for question in vectors.EVERY_KIND["questions"] if question["key"] in KEYS]
}
EVERYWHERE = ((320, "dark"), (390, "light"), (1280, "light"), (1280, "dark"))
UNFOLD = """(id) => new Promise((done) => {
  const fold = document.getElementById(id);
  fold.addEventListener("toggle", done, { once: true });
  fold.querySelector("summary").click();
})"""
OPEN = "() => document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="module")
def address(system, tmp_path_factory):
    slug = ended_survey(system, tmp_path_factory.mktemp("results"), 300, DRAFT)
    return f"{system.url}/r/{slug}/"


@pytest.fixture(scope="module")
def clear(system, tmp_path_factory):
    """Return the results page of a survey whose first question has a clear result."""
    questions = [{"key": key, "kind": "yes_no", "text": f"Have you {key}?", "alpha": "6"} for key in ("won", "lost")]
    draft = {"title": "Luck in games and elsewhere", "questions": questions}
    return f"{system.url}/r/{ended_survey(system, tmp_path_factory.mktemp('clear'), 300, draft)}/"


@pytest.fixture
def page(warm):
    return warm


def test_the_page_is_accessible_and_never_wider_than_the_screen(address, page):
    page.goto(f"{address}?target=respondents&confidence=99&projected=1")
    page.evaluate(OPEN)
    for width, scheme in product((320, 390, 1280), ("light", "dark")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        assert beyond(page) == 0, (width, scheme)
    assert violations(page, EVERYWHERE) == []


def test_a_choice_is_made_without_a_script_and_stays_in_the_address(address, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="Settings").click()
    page.locator("#settings > summary").click()
    page.get_by_label("Only those who took part").check()
    page.get_by_label("99%").check()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("about exactly those who took part · 99% intervals")).to_be_visible()
    expect(page).to_have_url(re.compile(r"target=respondents&confidence=99"))
    page.get_by_role("link", name="Reset", exact=True).click()
    expect(page.get_by_text("about people like those who took part · 95% intervals")).to_be_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_the_first_chart_stands_on_the_first_screen_below_its_number(clear, browser, language, width, height, scheme):
    context = browser.new_context(locale=language, viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(clear)
    chart, headline = page.locator("main figure img").first, page.locator(".finding").first
    expect(chart).to_have_js_property("complete", True)
    assert chart.bounding_box()["y"] + chart.bounding_box()["height"] <= height
    assert "%" in headline.inner_text() and chart.evaluate("(image) => image.naturalWidth > 0")
    context.close()


def test_a_page_has_one_typeface(address, page):
    page.goto(address)
    texts = "[...document.querySelectorAll('main *:not(code, textarea, input)')]"
    assert len(set(page.evaluate(f"{texts}.map((each) => getComputedStyle(each).fontFamily)"))) == 1
    assert page.evaluate("document.fonts.size") == 0, "none comes late"


def test_a_plot_is_taken_as_a_file(address, page):
    page.goto(address)
    page.evaluate(OPEN)  # a question with few reports folds its numbers
    for form in ("SVG", "PNG", "PDF"):
        with page.expect_download() as taken:
            page.locator(".take-picture").first.get_by_role("link", name=form, exact=True).click()
        assert re.search(rf"-\d-few\.{form.lower()}$", taken.value.suggested_filename)


def test_five_questions_fit_on_three_sheets_of_paper(address, page):
    page.goto(address, wait_until="networkidle")
    paper = page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", paper)) <= 3


def test_what_is_not_the_answer_is_folded_and_an_address_within_opens_it(address, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollHeight") < 5200, "9,863 pixels before anything was folded"
    opened = "document.querySelectorAll('main details[open]').length"
    assert page.evaluate(opened) == 0
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_label("99%")).to_be_visible()
    place = page.evaluate("[...document.querySelectorAll('.items h3')][1].id")
    page.goto(f"{address}#{place}")
    expect(page.locator(f"#{place}")).to_be_in_viewport()


def test_what_was_opened_stays_open_when_a_reader_comes_back(address, page):
    page.goto(address)
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(UNFOLD, "q1-method")
    page.reload()
    assert page.locator("#q1-method").evaluate("fold => fold.open")
    page.goto(f"{address}questions/few/")
    page.go_back()
    assert page.locator("#q1-method").evaluate("fold => fold.open")
    assert not page.locator("#q1-share").evaluate("fold => fold.open")


def test_the_snippet_is_copied_and_shows_the_card_on_a_page_of_someone_else(address, browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address)
    page.locator("#q1-share > summary").click()
    page.locator("#q1-share").get_by_role("button", name="Copy").click()
    expect(page.locator("#said")).to_have_text("Copied.")
    snippet = page.evaluate("navigator.clipboard.readText()")
    assert snippet.startswith("<a href=") and "<script" not in snippet
    other = context.new_page()
    other.set_content(snippet)
    image = other.get_by_role("img")
    expect(image).to_have_attribute("alt", re.compile("reports"))
    other.evaluate("document.images[0].decode()")
    context.close()


def test_paper_has_the_numbers_and_no_navigation(address, page):
    page.goto(address, wait_until="networkidle")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for visible in (".numbers-of dd", "#reading li", "#release dd"):
        expect(page.locator(visible).first).to_be_visible()
    for hidden in ("header.site nav", ".choose", ".take-picture", ".analyses", ".measured"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.querySelectorAll('main details[open]').length") == 0


def test_paper_is_light_and_has_every_picture(address, page):
    """Printing from the menu leaves no time to load other pictures, so dark pictures get inverted colours."""
    page.emulate_media(color_scheme="dark")
    page.goto(address, wait_until="networkidle")
    pictures = "[...document.querySelectorAll('main picture img')].map((each) => [each.currentSrc, each.naturalWidth])"
    dark = [source for source, width in page.evaluate(pictures) if "-dark-" in source]
    assert dark
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    filters = "[...document.querySelectorAll('main picture img')].map((each) => getComputedStyle(each).filter)"
    assert len([one for one in page.evaluate(filters) if one != "none"]) == len(dark)
    assert len([source for source, _width in page.evaluate(pictures) if "-dark-" in source]) == len(dark)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.evaluate("() => { globalThis.print = () => { document.title = 'Printed'; }; }")
    page.keyboard.press("Control+p")
    expect(page).to_have_title("Printed")
    assert all("-light-" in source and width for source, width in page.evaluate(pictures))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert set(page.evaluate(filters)) == {"none"}
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("part", ["questions/few/", "1/comparisons/?question=few"])
def test_paper_of_a_question_has_its_answer_and_nothing_to_press(address, page, part):
    page.goto(f"{address}{part}")
    page.emulate_media(media="print")
    expect(page.locator("main h2").first).to_be_visible()
    for control in ("nav", "footer", "button", "select", "details:not([open])"):
        assert page.locator(control).evaluate_all("(all) => all.filter((each) => each.checkVisibility()).length") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("language", ["de", "ar"])
def test_the_header_is_one_row_on_a_phone_and_nothing_is_cut_in_other_languages(address, browser, language):
    context = browser.new_context(locale=language, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address)
    assert page.evaluate("document.querySelector('header.site').offsetHeight") < 75
    page.evaluate(OPEN)
    assert beyond(page) == 0
    if language == "ar":  # written from the right; German is like English
        assert violations(page) == []
    context.close()
