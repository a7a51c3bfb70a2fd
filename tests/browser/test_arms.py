"""Versions of a question in a real browser, from the studio to the results. Each respondent is asked one, drawn by lot
(M42b)."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_forms import LOT
from tests.browser.test_question import SMALL
from tests.designer.studio.test_arms import DRAFT
from tests.support.accessibility import violations
from tests.support.builder_pages import FOUR, signed_in, stored, two_designers
from tests.support.journeys import ended_survey, published
from tests.support.respondents import Visit, open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("arms"), DRAFT)


@pytest.mark.parametrize(("number", "version"), [(0, 0), (1, 0), (2, 1)])
def test_a_version_is_drawn_with_its_weight_and_answered(page, survey, system, number, version):
    """The lot has three equal places; the first version has two of them."""
    page.add_init_script(LOT % number)
    visit = Visit(page, survey).load()
    assert page.locator(".question h3").all_inner_texts() == ["Here?", ["Well?", "Well, please?"][version]]
    visit.sees("Your questions were drawn by lot from a longer list")
    for question in page.locator(".question").all():
        question.get_by_role("radio").nth(0).click()
    visit.send().is_thanked()
    report = json.loads(visit.posts[0])
    assert report["form"] == version and set(report["answers"]) == {"here", ["well", "well_2"][version]}


def test_results_have_the_versions_side_by_side(page, system, tmp_path_factory):
    slug = ended_survey(system, tmp_path_factory.mktemp("ended"), 300, DRAFT)
    # The first release may come before there is a batch of the second form.
    number = published(system, slug, lambda document: document["final"])["release"]
    page.goto(f"{system.url}/r/{slug}/{number}/comparisons/?question=well_2")
    page.get_by_role("link", name="Its versions compared").click()
    both = page.locator("#versions-well")
    expect(both.get_by_role("heading")).to_contain_text("Asked in 2 versions:")
    expect(both.get_by_role("table", name="Shares in each version")).to_be_visible()
    expect(both.get_by_role("table", name="Differences between versions")).to_be_visible()
    page.get_by_role("link", name="Another version of question 2").click()
    expect(page).to_have_url(re.compile("#versions-well$"))
    assert violations(page) == [] and page.evaluate(SMALL) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0


@pytest.fixture(scope="module")
def studio(system):
    return two_designers(system, [FOUR, DRAFT])


def test_another_wording_is_added_by_keyboard_typed_and_undone(page, context, system, studio):
    sessions, (number, _other) = studio
    page = signed_in(context, system, sessions[0])
    page.goto(f"{system.url}/surveys/{number}/questions/mood/")
    folded = page.locator("details.arms")
    folded.locator("summary").press("Enter")
    assert violations(page) == []
    folded.get_by_role("button", name="Try another wording").press("Enter")
    expect(page).to_have_url(re.compile("/questions/mood_2/"))
    expect(page.get_by_text("Added another version of “How was it?”.")).to_be_visible()
    expect(page.locator("details.arms").get_by_role("link", name="How was it?")).to_be_visible()
    assert violations(page) == []
    assert [form["draws"][0]["questions"] for form in stored(system, number)["forms"]] == [["mood"], ["mood_2"]]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: Added another version")).to_be_visible()
    assert stored(system, number) == FOUR and page.failures == []


def test_pages_that_say_what_versions_will_show_have_no_barrier(context, system, studio):
    sessions, (_other, number) = studio
    page = signed_in(context, system, sessions[0])
    for address in ("alpha/", "open/", "alpha/?question=well"):
        page.goto(f"{system.url}/surveys/{number}/{address}")
        assert violations(page) == [], address
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert beyond(page) == 0, (address, width)
