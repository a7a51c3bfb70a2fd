"""Sections one at a time or all at once, the consent before them, and the thanks, in Chromium."""

import json

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import DRAFT, SECTIONED, Visit, Wire, answers, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

IN_FOCUS = "document.activeElement.textContent"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("sections"), SECTIONED)


@pytest.fixture
def page(warm):
    return warm


def shown(visit):
    """Return the number of visible questions, and the texts of the buttons that lead on."""
    questions = [text for text in visit.page.locator(".question h3").all() if text.is_visible()]
    return len(questions), [b.inner_text() for b in visit.page.locator(".finish button").all() if b.is_visible()]


def test_nothing_is_asked_before_it_was_agreed(visit, survey):
    page = visit.page
    assert page.get_by_text("You may stop at any time.").is_visible() and page.locator(".question").count() == 0
    visit.press("Go to the questions").sees("Please tick this box if you agree.")
    assert page.evaluate("document.activeElement.id") == "agreed" and page.locator(".question").count() == 0
    assert violations(page) == []
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    visit.sees("Section 1 of 3")
    assert page.evaluate(IN_FOCUS) == "The questions"
    assert page.get_by_role("checkbox", name="I have read").count() == 0
    page.reload()
    visit.sees("I have read this and agree")
    assert not page.get_by_role("checkbox").is_checked()


def test_sections_come_one_after_the_other_and_are_sent_as_one_report(visit, survey):
    page, send = visit.page, "Send my randomized answers"
    visit.agree()
    assert shown(visit) == (2, ["Next"])
    visit.answer(affair=0).press("Next").sees("One question still needs an answer.")
    assert page.evaluate(IN_FOCUS) == "Poor" and shown(visit)[0] == 2
    assert violations(page) == []
    before, depth = len(visit.requests), page.evaluate("history.length")
    visit.answer(rating=1).press("Next")
    assert page.evaluate(IN_FOCUS) == "Your work" and shown(visit) == (1, ["Back", "Next"])
    visit.sees("Section 2 of 3")
    visit.answer(work=2)
    page.get_by_role("button", name="Next").press("Enter")
    assert page.evaluate(IN_FOCUS) == "You" and shown(visit) == (2, ["Back", send])
    assert violations(page) == []
    visit.press("Back")
    visit.press("Back")
    assert page.evaluate(IN_FOCUS) == "Your marriage"
    assert len(visit.chosen) == 3, "going back keeps the answers on the page"
    visit.press("Next")
    visit.press("Next").answer(region=6, age="33,5")
    assert len(visit.requests) == before and page.url == survey.page and visit.stored == []
    assert page.evaluate("history.length") == depth
    visit.send().is_thanked()
    visit.sees("The results come in May.")
    (body,) = visit.posts
    assert json.loads(body).keys() == {"report_id", "digest", "answers"}
    assert list(json.loads(body)["answers"]) == [question["key"] for question in DRAFT["questions"]]
    page.reload()
    visit.sees("Someone has already answered this survey in this browser")
    visit.sees("That was kind of you.")
    assert page.get_by_role("link", name="See the results of this survey").is_visible()
    assert violations(page) == []


def test_the_browsers_back_leads_to_the_section_before_and_loses_nothing(context, system, survey):
    visit, dialogs = Visit(context.new_page(), survey), []
    page = visit.page
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    page.goto(f"{system.url}/lab/")
    visit.load().agree().answer(affair=0, rating=1).press("Next").answer(work=2)
    for _ in range(2):
        page.go_back()
        visit.sees("Section 1 of 3")
        assert len(visit.chosen) == 3 and page.evaluate(IN_FOCUS) == "Your marriage" and page.url == survey.page
        visit.press("Next").sees("Section 2 of 3")
    assert dialogs == []
    visit.press("Back")
    page.evaluate("history.back()")
    page.wait_for_url("**/lab/")
    assert dialogs == ["beforeunload"], "before the first section comes what was there before"


def test_all_sections_may_be_shown_at_once(visit):
    page = visit.page
    visit.agree()
    visit.press("Show all sections at once")
    assert shown(visit) == (5, ["Send my randomized answers"])
    assert page.locator(".part h2").all_inner_texts() == ["Your marriage", "Your work", "You"]
    assert violations(page) == []
    visit.answer(affair=0, rating=1)
    visit.press("Show one section at a time").sees("Section 2 of 3")
    assert len(visit.chosen) == 2
    visit.press("Show all sections at once").send().sees("3 questions still need an answer.")
    visit.press("Show one section at a time")
    page.get_by_role("button", name="4. Where do you live?").click()
    visit.sees("Section 3 of 3")
    assert "Where do you live?" in page.evaluate("document.activeElement.closest('.question').textContent")


def test_a_page_kept_for_the_back_button_begins_with_the_first_section(visit):
    visit.agree().answer(affair=0, rating=1)
    visit.press("Next")
    visit.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    visit.sees("Section 1 of 3")
    assert visit.chosen == []


def test_leaving_what_was_not_sent_is_asked_about(context, survey):
    visit, asked = Visit(context.new_page(), survey).load(), []
    page = visit.page
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    visit.agree().answer(affair=0)
    page.reload()
    assert asked == ["beforeunload"]
    visit.sees("I have read this and agree")
    visit.agree().press("Show all sections at once").answer()
    Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    page.reload()
    visit.is_thanked()
    assert asked == ["beforeunload"] * 2, "a report that waits is kept, but not sent"
