"""The respondents' page on the narrowest phones and with text twice as large, in every language of the page."""

import pytest

from tests.support.languages import MOST, spoken
from tests.support.respondents import open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SIZES = [(width, size) for width in (320, 390, 1280) for size in ("100%", "200%")]
# A view with larger text, as a person may set it in the browser, and with everything unfolded.
ENLARGED = """size => {
  document.documentElement.style.fontSize = size;
  for (const folded of document.querySelectorAll("details")) folded.open = true;
}"""
# Unfolded parts that have not loaded yet.
EMPTY = ".audit[open]:not(:has(> :nth-child(2)))"
# Words that take several lines although the line of their block has room. The block of a cell is its row. Chinese has
# no spaces and may break anywhere.
BROKEN = """() => {
  const UNREAD = "option, .visually-hidden, .bytes, .fingerprint";
  const room = (node) => {
    const { display, paddingLeft, paddingRight } = getComputedStyle(node);
    if (/^(inline|table-cell)$/.test(display)) return room(node.parentElement);
    return node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!parentElement.checkVisibility() || parentElement.closest(UNREAD)) continue;
    for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{M}\\p{N}]+/gu)) {
      if (/\\p{Script=Han}/u.test(word)) continue;
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const boxes = [...range.getClientRects()];
      const lines = new Set(boxes.map(({ top }) => Math.round(top))).size;
      const width = boxes.reduce((sum, box) => sum + box.width, 0);
      if (lines > 1 && width <= room(parentElement)) broken.push(`${word} in ${parentElement.outerHTML.slice(0, 60)}`);
    }
  }
  return broken;
}"""
# Controls that are less than 24 pixels high or wide.
SMALL = """() => [...document.querySelectorAll("a, button, summary, input, select, [role=radio], [role=checkbox]")]
  .filter((each) => each.checkVisibility())
  .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < 24)
  .map((each) => each.outerHTML.slice(0, 60))"""


def without_consent(made):
    for texts in (made, *made["translations"].values()):
        texts.pop("consent")


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("narrow"), spoken(without_consent))


def defects(page):
    """Return the faults of fit at each size of the page and its text."""
    seen = {}
    for width, size in SIZES:
        page.set_viewport_size({"width": width, "height": 844})
        for _folded in ("on the page", "in what was folded"):
            page.evaluate(ENLARGED, size)
            page.locator(EMPTY).first.wait_for(state="detached")
        seen[width, size] = (beyond(page), page.evaluate(BROKEN), page.evaluate(SMALL))
    return {sizes: found for sizes, found in seen.items() if found != (0, [], [])}


def answer_all(page):
    for box in page.get_by_role("textbox").all():
        box.fill("40")
    for group in page.locator(".radios").all():
        group.get_by_role("radio").first.click()
    page.get_by_role("checkbox").first.click()


@pytest.mark.parametrize("language", MOST)
def test_everything_fits_however_narrow_the_page_and_large_its_text(language, browser, survey):
    page = browser.new_page(locale=language)
    page.goto(survey.page)
    page.locator(".question").first.wait_for()
    assert defects(page) == {}
    page.locator(".link").first.click()
    answer_all(page)
    assert defects(page) == {}, "with all sections and answers"
    page.locator(".finish .primary").last.click()
    page.locator("#outcome").wait_for()
    assert defects(page) == {}, "with the receipt"
    page.close()


def test_a_list_of_languages_is_as_large_as_the_text_beside_it(browser, survey):
    page = browser.new_page()
    page.goto(survey.page)
    page.locator(".question").first.wait_for()
    page.evaluate(ENLARGED, "200%")
    size = "(each) => getComputedStyle(each).fontSize"
    assert page.locator(".language select").evaluate(size) == page.locator(".language label").evaluate(size)
    page.close()
