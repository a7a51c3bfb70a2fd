"""Conditional questions on the page, in Chromium at a phone's width."""

import json

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.respondents import KEYS, ROUTED, Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SEND = "Send my randomized answers"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("routing"), ROUTED)


@pytest.fixture(scope="module")
def plain(system, tmp_path_factory):
    """Return the same survey without sections."""
    draft = {name: value for name, value in ROUTED.items() if name != "sections"}
    return open_page(system, tmp_path_factory.mktemp("plain"), draft)


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(page, plain):
    page.set_viewport_size({"width": 390, "height": 844})
    return Visit(page, plain).load()


def asked(visit):
    return [key for key in KEYS if visit.question(key).is_visible()]


def buttons(visit):
    return [each.inner_text() for each in visit.page.locator(".finish button").all() if each.is_visible()]


def test_what_is_not_asked_is_not_shown_and_not_counted(visit):
    assert asked(visit) == ["affair", "age"]
    visit.sees("0 of 2 answered")
    assert visit.page.get_by_text("2 questions are ready. Some answers lead to more questions.").count() == 1
    assert visit.question("age").locator(".eyebrow").inner_text() == "Question 2 of 2"
    assert visit.page.get_by_role("progressbar").get_attribute("max") == "2"
    assert violations(visit.page) == []
    visit.answer(affair=0)
    expect(visit.question("work")).to_be_visible()
    assert asked(visit) == ["affair", "rating", "work", "age"]
    visit.sees("1 of 4 answered")
    assert visit.question("age").locator(".eyebrow").inner_text() == "Question 4 of 4"
    assert visit.page.evaluate("document.activeElement.textContent") == "Yes", "the focus stays"
    assert violations(visit.page) == []


def test_a_change_is_announced_politely(visit):
    told = visit.page.locator(".finish [role=status]")
    assert told.inner_text() == ""
    visit.answer(affair=0)
    expect(told).to_have_text("Questions to answer: 4.")
    visit.answer(work=2)
    expect(told).to_have_text("Questions to answer: 5.")
    visit.answer(affair=1)
    expect(told).to_have_text("Questions to answer: 2.")


def test_by_the_keyboard_alone_a_question_comes_and_goes(visit):
    page = visit.page
    visit.question("affair").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    expect(visit.question("rating")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Poor"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    expect(visit.question("rating")).to_be_hidden()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "INPUT"


def test_an_answer_to_what_is_hidden_is_forgotten_at_once_and_with_it_what_follows(visit):
    visit.answer(affair=0, rating=1, work=2, region=6, age="33")
    assert len(visit.chosen) == 5
    visit.answer(affair=1)
    assert visit.chosen == ["No", "33"]
    visit.sees("2 of 2 answered")
    visit.answer(affair=0)
    assert asked(visit) == ["affair", "rating", "work", "age"], "the chain begins anew"
    assert visit.chosen == ["Yes", "33"]


def test_what_is_missing_is_named_only_where_it_is_asked(visit):
    visit.answer(affair=0).send().sees("3 questions still need an answer.")
    links = visit.page.locator(".summary button")
    assert links.all_inner_texts() == [
        *("2. How do you rate your marriage?", "3. What is your occupation?", "4. How old are you?")
    ]
    visit.answer(affair=1)
    visit.sees("One question still needs an answer.")
    assert links.all_inner_texts() == ["2. How old are you?"]
    assert visit.posts == []
    visit.answer(affair=0)
    assert visit.page.locator(".question [aria-invalid=true]").count() == 1, (
        "a new question does not begin as a mistake"
    )


def test_every_question_is_in_the_report_and_in_what_is_shown_of_it(visit):
    visit.answer(affair=1, age="33").send().is_thanked()
    (body,) = visit.posts
    assert list(json.loads(body)["answers"]) == KEYS
    assert visit.page.locator("tbody tr").count() == 5
    visit.page.get_by_text("What left your browser").click()
    visit.sees("The report also covers questions that you were not asked.")
    assert violations(visit.page) == []


def test_a_section_of_which_nothing_is_asked_is_passed_over(page, survey):
    page.set_viewport_size({"width": 390, "height": 844})
    visit = Visit(page, survey).load()
    visit.sees("Section 1 of 2")
    visit.answer(affair=1).press("Next").sees("Section 2 of 2")
    assert asked(visit) == ["age"] and buttons(visit) == ["Back", SEND]
    visit.press("Back")
    assert asked(visit) == ["affair"] and buttons(visit) == ["Next"]
    visit.answer(affair=0).sees("Section 1 of 3")
    visit.press("Next").answer(rating=0, work=2).sees("Section 2 of 4")
    visit.press("Next")
    assert asked(visit) == ["region"]
    visit.press("Show all sections at once")
    titles = page.locator(".part h2")
    assert [title.inner_text() for title in titles.all() if title.is_visible()] == [
        *("One question", "More of it", "Where", "You")
    ]
    visit.answer(affair=1)
    assert [title.inner_text() for title in titles.all() if title.is_visible()] == ["One question", "You"]
    visit.press("Show one section at a time").sees("Section 2 of 2")
    assert violations(page) == []
    visit.answer(age="40").send().is_thanked()
    assert list(json.loads(visit.posts[0])["answers"]) == KEYS
