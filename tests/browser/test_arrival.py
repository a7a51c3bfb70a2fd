"""The page if one of its files is lost or the browser lacks a feature. It never stays empty for ever."""

import pytest

from surveys.respondent.page.notices import MINIMUM, WORDS
from tests.services.firefox import Firefox
from tests.support.languages import DRAFT
from tests.support.respondents import Visit, finds_no_network, open_page
from tests.support.site import fingerprint

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

STUCK = WORDS["en"]["stuck"]
LATER = "document.getAnimations().forEach((each) => each.finish())"  # as if the time in the style had passed


@pytest.fixture(scope="module")
def translated(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("translated"), DRAFT)


# Lost files -----------------------------------------------------------------------------------------------------------


def test_without_its_words_the_page_says_so_and_asks_for_them_until_they_come(page, survey):
    visit = Visit(page, survey)
    page.route("**/en.js", finds_no_network)
    page.goto(survey.page)
    page.get_by_role("heading", name=STUCK).wait_for()
    assert not visit.is_asking
    page.unroute("**/en.js")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator("#promise").wait_for()
    assert visit.is_asking and page.get_by_role("heading", name=STUCK).count() == 0


def test_without_its_script_the_page_says_so_in_all_its_languages(page, translated):
    page.route("**/page.js", finds_no_network)
    page.goto(translated.page)
    assert page.get_by_role("heading", name=STUCK).count() == 0, "before somebody has waited"
    page.evaluate(LATER)
    for words in WORDS.values():
        page.get_by_role("heading", name=words["stuck"]).wait_for()
    page.unroute("**/page.js")
    page.reload()
    page.locator("#promise").wait_for()


def test_questions_that_did_not_arrive_are_asked_for_once_the_network_is_back(page, survey):
    page.route("**/definition", finds_no_network)
    visit = Visit(page, survey).load()
    assert visit.heading == "The questions did not arrive"
    page.unroute("**/definition")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator("#promise").wait_for()
    visit.answer()
    page.evaluate("dispatchEvent(new Event('online'))")  # and never again once a person answers
    assert len(visit.chosen) == 5


# Missing features -----------------------------------------------------------------------------------------------------


def test_firefox_asks_with_all_cookies_blocked(survey):
    firefox = Firefox({"network.cookie.cookieBehavior": 2})
    try:
        firefox.go(survey.page)
        firefox.sees("Did you answer this survey before?")  # Firefox's storage does not work here
        firefox.click(firefox.named("button", "No, I have not answered yet"))
        firefox.sees("Have you ever had an affair?")
        assert not firefox.complaints
    finally:
        firefox.stop()


OLD = "This browser is too old for this page"
LACKING = (
    *("Object.hasOwn", "Array.prototype.at", "Array.prototype.flatMap", "Object.fromEntries"),
    *("String.prototype.matchAll", "String.prototype.padStart", "String.prototype.normalize", "Number.isSafeInteger"),
)


@pytest.mark.parametrize("name", LACKING)
def test_a_browser_without_a_newer_function_is_called_too_old_and_no_survey_less_protected(page, survey, name):
    page.add_init_script(f"delete {name if '.' in name else f'window.{name}'};")
    page.goto(survey.page)
    page.locator("#promise, #outcome, html[data-stuck] .stuck").first.wait_for()
    said = page.locator("#stage").inner_text()
    asked = page.locator(".question").count() > 0
    assert asked or STUCK in said or (OLD in said and f"It does not have {name}" in said), said
    assert "less protected" not in said
    if name == "Object.hasOwn":
        assert OLD in said and "Nothing has been sent." in said and not asked


# Features newer than the oldest browsers that the page needs, if a page can remove them.
YOUNGER = """
  for (const name of ["findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with"]) {
    delete Array.prototype[name];
  }
  for (const name of ["groupBy", "fromAsync"]) { delete Object[name]; delete Map[name]; delete Array[name]; }
  for (const name of ["withResolvers", "try"]) delete Promise[name];
  for (const name of ["any", "timeout"]) delete AbortSignal[name];
  for (const name of ["union", "intersection", "difference", "isSubsetOf"]) delete Set.prototype[name];
  for (const name of ["isWellFormed", "toWellFormed"]) delete String.prototype[name];
  for (const name of ["checkVisibility", "setHTMLUnsafe"]) delete Element.prototype[name];
  for (const name of ["structuredClone", "reportError", "scheduler", "navigation", "Iterator"]) delete window[name];
  delete Navigator.prototype.locks;
  // There a link with modulepreload fetches nothing, and no event says so.
  const { set } = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, "rel");
  Object.defineProperty(HTMLLinkElement.prototype, "rel", {
    set(rel) { set.call(this, rel === "modulepreload" ? "nothing" : rel); },
  });
"""


def test_a_browser_without_what_is_younger_than_the_stated_ones_asks_and_sends(page, survey):
    page.add_init_script(YOUNGER)
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    visit.sees("The files that run")
    visit.answer().send().is_thanked()


def test_in_a_browser_that_is_too_old_the_page_says_so(page, survey):
    """The browser does not run the page's script. The page's style tests for features that it lacks."""
    page.route("**/page.js", finds_no_network)
    style = ""

    def shell(route):
        nonlocal style
        response = route.fetch()
        whole = page.request.get(survey.page.split("/s/")[0] + "/respond/respond.css").text()
        style = whole.replace("not (accent-color: red)", "not (not-yet-known: red)")
        route.fulfill(response=response, body=response.text().replace(fingerprint(whole), fingerprint(style)))

    page.route("**/s/*", shell)
    page.route("**/respond.css", lambda route: route.fulfill(body=style, content_type="text/css"))
    page.goto(survey.page)
    page.get_by_role("heading", name=STUCK).wait_for()
    assert page.get_by_text(f"This page needs JavaScript and {MINIMUM} or newer.").is_visible()
    assert page.locator(".preparing").is_hidden()


def test_without_scripts_it_says_at_once_what_it_needs(browser, survey):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(survey.page)
        for words in WORDS.values():
            assert page.get_by_role("heading", name=words["stuck"]).is_visible()
        assert page.locator(".preparing").is_hidden()
