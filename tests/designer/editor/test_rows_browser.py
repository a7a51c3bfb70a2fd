"""Options as rows in a real browser: typed, pasted, moved by key and by touch, removed, and edited as text."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import PASTE, expect_saved, signed_in, stored, two_designers
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFTS = [
    {"title": "Rows", "questions": [{"key": "mood", "kind": "ordered", "text": "How?", "options": ["Bad", "Fair"]}]},
    {"title": "Many", "questions": [{"key": "many", "kind": "single_choice", "text": "Which?", "options": []}]},
]


@pytest.fixture(scope="module")
def designers(system):
    return two_designers(system, DRAFTS)


def options(system, number):
    return stored(system, number)["questions"][0]["options"]


def test_options_are_typed_pasted_moved_and_removed_as_rows(context, system, designers):
    (session, _), (number, _) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/mood/")
    second = page.get_by_role("textbox", name="Line 2")
    expect(second).to_have_value("Fair")
    second.press("Enter")
    expect(page.get_by_role("textbox", name="Line 3")).to_be_focused()
    page.evaluate(f"document.activeElement && ({PASTE})(document.activeElement, 'Good\\r\\n\\n Best ')")
    expect_saved(page)
    assert options(system, number) == ["Bad", "Fair", "Good", "Best"]
    page.get_by_role("button", name="Move line 4", exact=True).press("ArrowUp")
    expect(page.locator("#announcer")).to_have_text("Now line 3.")
    expect(page.get_by_role("button", name="Move line 3", exact=True)).to_be_focused()
    expect_saved(page)
    assert options(system, number) == ["Bad", "Fair", "Best", "Good"]
    assert violations(page) == []
    start = page.get_by_role("button", name="Move line 1", exact=True).bounding_box()
    end = page.get_by_role("button", name="Move line 4", exact=True).bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + end["height"] - 2, steps=4)
    page.mouse.up()
    expect(page.get_by_role("textbox", name="Line 4")).to_have_value("Bad")
    page.get_by_role("button", name="Remove line 1", exact=True).click()
    expect_saved(page)
    assert options(system, number) == ["Best", "Good", "Bad"]
    page.get_by_role("button", name="Edit as text").click()
    page.fill("#f-options", "Best\nWorst")
    page.get_by_role("button", name="Edit as rows").click()
    expect(page.get_by_role("textbox", name="Line 2")).to_have_value("Worst")
    with page.expect_navigation():
        page.locator("#f-preset").select_option("quality")
        page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_role("textbox", name="Line 5")).to_have_value("Very good")
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
    assert page.failures == []


def test_a_pasted_table_keeps_its_columns_and_only_a_wrong_row_is_marked(context, system, designers):
    (session, _), (number, _) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/mood/")
    page.get_by_role("button", name="Edit as text").click()
    page.fill("#f-options", "")
    page.get_by_role("button", name="Edit as rows").click()
    table = "en\\tde\\r\\nNever\\tNie\\r\\nOften\\tOft\\tSouvent\\r\\nAlways\\tImmer"
    page.evaluate(f"({PASTE})(document.querySelector('#f-options-1'), '{table}')")
    expect(page.locator(".rows input[aria-invalid]")).to_have_value("Often\tOft\tSouvent")
    expect(page.locator("#e-options .error")).to_have_text("Line 2 has columns that fit no language of the survey.")
    page.get_by_role("textbox", name="Line 2").fill("Often")
    expect(page.locator(".rows input[aria-invalid]")).to_have_count(0)
    expect_saved(page)
    assert options(system, number) == ["Never", "Often", "Always"]
    [german] = stored(system, number)["translations"]["de"]["questions"]
    assert german["options"] == ["Nie", "", "Immer"]
    assert violations(page) == [] and page.failures == []


def test_an_empty_list_begins_with_two_rows_and_a_long_one_as_text(context, system, designers):
    (session, _), (_, number) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/many/")
    expect(page.locator(".rows input")).to_have_count(2)
    page.get_by_role("button", name="Add a line").click()
    expect(page.get_by_role("textbox", name="Line 3")).to_be_focused()
    page.get_by_role("textbox", name="Line 3").press("Backspace")
    expect(page.locator(".rows input")).to_have_count(2)
    page.get_by_role("button", name="Edit as text").click()
    page.fill("#f-options", "\n".join(f"Town {each}" for each in range(61)))
    expect_saved(page)
    page.reload()
    expect(page.locator("#f-options")).to_be_visible()
    assert page.failures == []
