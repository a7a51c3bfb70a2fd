"""The list of this browser's reports to this site. It stays on the device, its sum is exact, and one touch clears it or
switches it off."""

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import DRAFT, Visit, Wire, answers, open_page
from tests.support.site import mapped, open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

TITLE = "What this browser has sent to this site"
OTHER = DRAFT | {"title": "Another", "questions": [DRAFT["questions"][0] | {"alpha": "0.25"}]}


@pytest.fixture(scope="module")
def other(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("other"), OTHER)


@pytest.fixture
def page(warm):
    return warm


def unfolded(page):
    page.locator("summary", has_text=TITLE).click()
    page.locator(".budget").wait_for()
    return page.locator(".budget")


def sent_both(page, survey, other):
    Visit(page, survey).load().answer().send().is_thanked()
    visit = Visit(page, other).load()
    visit.question("affair").get_by_role("radio").first.click()
    visit.send().is_thanked()
    return visit


def test_what_was_sent_is_listed_with_its_sum_and_nothing_is_sent_for_it(page, survey, other):
    visit = sent_both(page, survey, other)
    before = len(visit.requests)
    rows = unfolded(page).get_by_role("row")
    assert [row.split("\t")[::2] for row in rows.all_inner_texts()[1:]] == [
        ["Work & <i>marriage</i>", "alpha 4.5"],
        ["Another", "alpha 0.25"],
    ]
    assert " ".join(page.locator(".together").inner_text().split()) == "Together: alpha 4.75. Weak protection"
    files = {made.url.partition("/respond/")[2] for made in visit.requests[before:]}
    assert files == {"pins.js", "budget.js"} and len(visit.requests) == before + 2
    assert violations(page) == []
    page.reload()
    visit.sees("already answered")
    assert unfolded(page).get_by_role("row").count() == 3
    page.get_by_role("button", name="Clear the list").click()
    visit.sees("The list is empty.")
    assert visit.listed == [] and len(visit.stored) == 2, "what was answered is still known"


def test_on_a_shared_device_one_touch_stops_and_clears_it(page, survey, other):
    visit = sent_both(page, survey, other)
    unfolded(page).get_by_role("button", name="This is a shared device").click()
    visit.sees("This device keeps no list.")
    assert visit.listed == [{"slug": "/shared"}] and violations(page) == []
    page.get_by_role("button", name="Another person").count()
    page.reload()
    page.get_by_role("button", name="Another person").click()
    page.get_by_role("button", name="Yes, another").click()
    visit.question("affair").get_by_role("radio").first.click()
    visit.send().is_thanked()
    assert visit.listed == [{"slug": "/shared"}]
    unfolded(page).get_by_role("button", name="Keep a list from now on").click()
    visit.sees("The list is empty.")
    assert visit.listed == []


def test_a_report_that_is_sent_again_is_listed_once(page, survey):
    Wire(page, answers(503, retry_after="1"))
    visit = Visit(page, survey).load().answer().send()
    visit.sees("Not sent yet.")
    assert visit.listed == []
    page.reload()
    visit.is_thanked()
    assert [(each["slug"], each["alpha"], each["step"]) for each in visit.listed] == [("/sent/1", "4.5", 2)]


def test_sums_are_exact(page, system):
    blank = open_blank(page, system.url)
    cases = [["0.1", "0.2"], ["16", "1599.999999"], ["0.000000000001", "0.000001"], ["1"] * 30]
    expected = ["0.3", "1615.999999", "0.000001000001", "30"]
    assert mapped(blank, "budget.js", "sum", "(numbers) => sum(numbers)", cases) == expected
