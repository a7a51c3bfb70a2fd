"""Two tabs of one browser with the same survey. The second says that the first has it, and continues when it may."""

import re

import pytest

from tests.support.respondents import Visit

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ELSEWHERE = "This survey is open in another tab"
# The second tab delivers the same report if it reads the report before the first tab has delivered it.
AFTERWARDS = re.compile("Thank you|Someone has already answered")
HELD = "navigator.locks.query().then(({ held, pending }) => [...held, ...pending].map(({ name }) => name))"
REFUSED = {
    "absent": "delete Navigator.prototype.locks",
    "forbidden": "LockManager.prototype.request = async () => { throw new DOMException('no', 'SecurityError'); }",
    "throws": "LockManager.prototype.request = () => { throw new DOMException('no', 'SecurityError'); }",
}


@pytest.fixture
def tabs(context, survey):
    """Return two tabs; in the first, every question except the last is answered."""
    first = Visit(context.new_page(), survey).load().answer(affair=0, rating=1, work=2, region=6)
    second = Visit(context.new_page(), survey).load()
    assert second.heading == ELSEWHERE and not second.is_asking
    return first, second


def test_a_second_tab_hears_no_answer_and_goes_on_once_the_first_is_closed(tabs, survey):
    first, second = tabs
    assert second.page.evaluate(HELD) == [survey.digest] * 2, "one holds it and one waits"
    assert second.stored == [] and len(first.chosen) == 4
    first.page.close()
    second.page.locator("#promise").wait_for()
    assert second.chosen == []
    second.answer().send().is_thanked()


def test_the_first_tab_stays_of_use_and_the_second_says_that_it_has_sent(tabs):
    first, second = tabs
    first.answer(age="33").send().is_thanked()
    second.page.get_by_role("heading", name=AFTERWARDS).wait_for()
    assert len(set(first.posts)) == 1 and not second.is_asking


def test_the_first_tab_keeps_its_answers_when_someone_wants_to_answer_in_the_second(tabs):
    first, second = tabs
    second.press("Answer here instead").page.locator("#promise").wait_for()
    second.answer(affair=1)
    first.page.close()  # now the second tab also gets the lock, and loses nothing
    second.page.evaluate(
        f"async () => {{ while ((await {HELD}).length > 1) await new Promise(requestAnimationFrame); }}"
    )
    assert len(second.chosen) == 1


def test_a_tab_that_goes_to_another_page_or_loads_anew_leaves_the_survey_free(tabs, survey):
    first, second = tabs
    first.page.goto("about:blank")
    second.page.locator("#promise").wait_for()
    second.page.reload()
    second.page.locator("#promise").wait_for()
    assert second.is_asking


@pytest.mark.parametrize("refusal", REFUSED)
def test_a_browser_without_locks_asks_in_every_tab(context, survey, refusal):
    context.add_init_script(REFUSED[refusal])
    for _ in range(2):
        assert Visit(context.new_page(), survey).load().is_asking
