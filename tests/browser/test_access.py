"""Everyone can use the respondents' page: axe-core finds no barrier in any state, and the page fits a narrow screen."""

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import Visit, Wire, answers, open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def closed(system, tmp_path_factory):
    survey = open_page(system, tmp_path_factory.mktemp("closed"))
    system.manage("survey", "close", survey.slug)
    return survey


def test_every_state_of_the_page_is_accessible(page, survey, closed):
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    assert violations(page) == [], "asking"
    visit.answer(affair=0, age="abc").send().sees("4 questions still need an answer.")
    assert violations(page) == [], "something is missing"
    visit.answer()
    assert violations(page) == [], "answered"
    Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    assert violations(page) == [], "waiting"
    page.reload()
    visit.is_thanked()
    page.get_by_text("What left your browser").click()
    page.get_by_text("bytes that were sent").click()
    assert violations(page) == [], "thanks"
    page.reload()
    page.get_by_role("button", name="Another person").click()
    assert violations(page) == [], "answered before"
    Visit(page, closed).load()
    assert violations(page) == [], "closed"


def test_refusals_are_accessible(page, survey):
    Wire(page, lambda route: route.continue_(post_data="{}"))
    visit = Visit(page, survey).load().answer().send()
    visit.sees("Your report was not recorded")
    assert violations(page) == [], "refused"
    page.route("**/definition", lambda route: route.abort())
    page.reload()
    visit.sees("The questions did not arrive")
    assert violations(page) == [], "not arrived"


def test_a_narrow_screen_needs_no_sideways_scrolling_and_fingers_find_every_control(page, survey):
    page.set_viewport_size({"width": 320, "height": 500})
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    small = """() => [...document.querySelectorAll("button, input, select, summary")]
      .filter((control) => control.getBoundingClientRect().height < 44).map((control) => control.outerHTML)"""
    assert beyond(page) == 0 and page.evaluate(small) == []
    visit.answer().send().is_thanked()
    page.get_by_text("What left your browser").click()
    page.get_by_text("bytes that were sent").click()
    assert beyond(page) == 0 and page.evaluate(small) == []
