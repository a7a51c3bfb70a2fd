"""Pages with folded parts. A link opens the part that it leads to, and everything is there by keyboard and on paper."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.studio import begun_draft
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PIXELS_MOST = 6_000  # of the API page on a phone; unfolded it has more than 100,000
QUESTIONS = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in "ab"]


def closed(page):
    return page.locator("main details.fold:not([open])").count()


def test_the_api_is_folded_by_what_it_is_about_and_links_open_their_operation(system, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{system.url}/api/")
    operations, example = page.locator(".operation > details.fold"), page.locator("#example-curl-fold")
    assert operations.count() > 50 and operations.and_(page.locator("[open]")).count() == 0
    expect(example).to_have_attribute("open", "")
    folded = closed(page)
    assert page.evaluate("document.documentElement.scrollHeight") < PIXELS_MOST
    assert beyond(page) == 0
    name = operations.nth(30).locator("h3").get_attribute("id")
    page.goto(f"{system.url}/api/#{name}")
    expect(page.locator(f"#{name}-fold")).to_have_attribute("open", "")
    expect(page.locator(f"#{name}")).to_be_in_viewport()
    assert closed(page) == folded - 2, "the operation and its group"
    page.locator("#group-surveys-fold > summary").focus()
    page.keyboard.press("Enter")
    operations.first.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(operations.first.locator("pre").first).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert closed(page) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert closed(page) == folded - 4


def test_check_folds_all_but_its_answer(system, page):
    page.goto(f"{system.url}/check/")
    assert closed(page) == 3
    page.goto("about:blank")
    page.goto(f"{system.url}/check/#how")
    expect(page.get_by_text("manifest_file.py")).to_be_visible()
    assert closed(page) == 2 and violations(page) == []


def test_privacy_folds_what_would_show_until_someone_asks(system, page):
    number, cookie = begun_draft(system, {"title": "Two", "questions": QUESTIONS})
    page.context.add_cookies([cookie])
    page.goto(f"{system.url}/surveys/{number}/alpha/")
    assert closed(page) == page.locator("details.fold").count() >= 4
    page.get_by_role("heading", name="What a cross-table would show").click()
    page.locator("#pair").get_by_role("button", name="Show").click()
    page.wait_for_url("**#pair")
    expect(page.locator("#cross")).to_be_visible()
    assert page.locator("#pair-fold").get_attribute("open") is not None


def test_the_mathematics_is_folded_by_its_headings_and_the_number_of_a_statement_opens_its_part(system, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{system.url}/lab/mathematics/")
    folds = page.locator(".mathematics > details.fold")
    assert closed(page) == folds.count() > 8 and beyond(page) == 0
    assert page.evaluate("document.documentElement.scrollHeight") < PIXELS_MOST
    page.goto(f"{system.url}/lab/mathematics/#m12")
    expect(page.locator("#m12")).to_be_in_viewport()
    assert closed(page) == folds.count() - 1
    page.get_by_role("link", name="Unknown answers").click()
    expect(page.locator("#unknown-answers")).to_be_in_viewport()
    assert closed(page) == folds.count() - 2 and violations(page) == []
