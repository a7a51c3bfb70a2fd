"""The builder in a real browser: drafting with the keyboard alone, two designers at once, touch, visible fields."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import FOUR, expect_saved, signed_in, stored, two_designers
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ROWS = """() => [...document.querySelectorAll(".line .clip")].map((each) => each.textContent)"""
SMALL = """() => [...document.querySelectorAll("main button, main input, main select, main textarea, main summary")]
  .filter((each) => each.checkVisibility() && each.type !== "checkbox" && each.getBoundingClientRect().height < 44)
  .map((each) => each.outerHTML)"""


@pytest.fixture(scope="module")
def designers(system):
    """Return the sessions of two designers, and the numbers of two drafts: one blank, one with four questions."""
    return two_designers(system, [{"title": "", "questions": []}, FOUR])


def tab_to(page, selector):
    """Press Tab until the selector's element has the focus."""
    for _ in range(150):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def press(page, selector):
    tab_to(page, selector)
    page.keyboard.press("Enter")


def add(page, kind, text):
    """Add a question: press its kind, then type its text into the focused first field."""
    if not page.evaluate("document.getElementById('add').open"):
        press(page, "#add summary")
    with page.expect_navigation():
        press(page, f"button[value={kind}]")
    expect(page.locator("#f-text")).to_be_focused()
    page.keyboard.type(text)


def test_a_survey_is_drafted_with_the_keyboard_alone(context, system, designers):
    (session, _), (number, _) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/")
    assert violations(page) == [], "a blank draft"
    with page.expect_navigation():
        press(page, ".tabs a[href$='/texts/']")
    tab_to(page, "#f-title")
    page.keyboard.type("A week")
    with page.expect_navigation():
        press(page, ".tasks a[href$='/questions/#add']")
    add(page, "yes_no", "Did you sleep well?")
    assert stored(system, number)["title"] == "A week", "what was typed is stored before the page is left"
    add(page, "ordered", "How did you feel?")
    tab_to(page, "#f-options-1")
    page.keyboard.type("Bad")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("Fair")
    expect_saved(page)
    expect(page.locator("#said")).to_have_text("Nothing is missing here.")
    tab_to(page, "#f-alpha")
    page.keyboard.press("Control+a")
    page.keyboard.type("one")
    expect(page.locator("#e-alpha .error")).to_be_visible()
    assert page.locator("#f-alpha").get_attribute("aria-invalid") == "true"
    assert violations(page) == [], "a mistake"
    page.keyboard.press("Control+a")
    page.keyboard.type("0.5")
    expect(page.locator("#e-alpha")).to_be_empty()
    assert page.locator("#f-alpha").get_attribute("aria-invalid") is None
    add(page, "mean", "How many hours?")
    for name, text in (("low", "0"), ("high", "24")):
        tab_to(page, f"#f-{name}")
        page.keyboard.type(text)
    expect_saved(page)

    page.reload()
    press(page, "#up")
    expect(page.locator("#announcer")).to_have_text("“How many hours?” is now question 2 of 3.")
    expect(page.locator("#up")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#editor-title")).to_contain_text("Question 1 of 3")
    expect(page.locator("#up")).to_be_focused()
    tab_to(page, "#handle-q1")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#announcer")).to_have_text("“Did you sleep well?” is now question 1 of 3.")
    expect(page.locator("#handle-q1")).to_be_focused()
    assert page.evaluate(ROWS) == ["Did you sleep well?", "How many hours?", "How did you feel?"]

    with page.expect_navigation():
        press(page, "button[name=remove]")
    assert [question["key"] for question in stored(system, number)["questions"]] == ["q1", "q2"]
    with page.expect_navigation():
        press(page, "#undo")
    assert [question["key"] for question in stored(system, number)["questions"]] == ["q1", "q3", "q2"]
    expect(page.locator("#editor-title")).to_contain_text("Question 2 of 3")
    with page.expect_navigation():
        press(page, "button[name=add_section][value=q3]")
    tab_to(page, "#f-title")
    page.keyboard.type("Numbers")
    expect_saved(page)
    assert violations(page) == [], "a section"
    assert stored(system, number) == {
        "title": "A week",
        "questions": [
            {"key": "q1", "kind": "yes_no", "text": "Did you sleep well?"},
            {"key": "q3", "kind": "mean", "text": "How many hours?", "limits": "whole", "low": "0", "high": "24"},
            {"key": "q2", "kind": "ordered", "text": "How did you feel?", "options": ["Bad", "Fair"], "alpha": "0.5"},
        ],
        "sections": [
            {"title": "", "text": "", "questions": ["q1"]},
            {"title": "Numbers", "text": "", "questions": ["q3", "q2"]},
        ],
    }
    assert page.failures == []


def test_two_who_type_in_one_question_choose_and_others_are_moved_by_finger(browser, context, system, designers):
    (hers, his), (_, number) = designers
    ada = signed_in(context, system, hers)
    elsewhere = browser.new_context()
    bob = signed_in(elsewhere, system, his)
    for page in (ada, bob):
        page.goto(f"{system.url}/surveys/{number}/questions/mood/")
    ada.fill("#f-text", "How was the day?")
    ada.get_by_text("Note and picture").click()
    ada.fill("#f-note", "All in all.")
    expect_saved(ada)
    bob.get_by_role("button", name="Remove line 2").click()
    expect(bob.locator("#others")).to_contain_text("Editing now, too: ada.")
    expect(bob.locator("#others")).to_contain_text("Someone else has changed: Question, Note. Yours is saved.")
    expect_saved(bob)
    both = FOUR["questions"][1] | {"text": "How was the day?", "note": "All in all.", "options": ["Bad", "Good"]}
    assert stored(system, number)["questions"][1] == both
    assert violations(bob) == [], "somebody else has changed other fields"
    bob.fill("#f-text", "How was the night?")
    expect(bob.get_by_text("Someone else changed this in the meantime")).to_be_visible()
    assert violations(bob) == [], "a clash"
    expect(bob.locator(".versions pre")).to_have_text(["How was the night?", "How was the day?"])
    bob.click("text=Keep mine")
    expect_saved(bob)
    assert stored(system, number)["questions"][1] == both | {"text": "How was the night?"}
    ada.fill("#f-text", "How was the week?")
    with ada.expect_navigation():
        ada.click("text=Take theirs")
    expect(ada.locator("#f-text")).to_have_value("How was the night?")
    expect(ada.locator(".undo")).to_contain_text("Your version of “How was the week?” was put aside.")

    expect(ada.locator("#handle-way")).to_be_visible()
    start = ada.locator("#handle-way").bounding_box()
    end = ada.locator("#row-home").bounding_box()
    ada.mouse.move(start["x"] + 10, start["y"] + 10)
    ada.mouse.down()
    ada.mouse.move(end["x"] + 10, end["y"] + 60, steps=5)
    ada.mouse.move(end["x"] + 10, end["y"] + 5, steps=5)
    ada.mouse.up()
    expect(ada.locator("#announcer")).to_have_text("“How far?” is now question 1 of 4.")
    assert [question["key"] for question in stored(system, number)["questions"]] == ["way", "home", "mood", "hours"]
    for path in ("questions/", "questions/hours/", "texts/"):
        for width in (320, 800, 1600):
            ada.set_viewport_size({"width": width, "height": 800})
            ada.goto(f"{system.url}/surveys/{number}/{path}")
            assert beyond(ada) == 0, (path, width)
            assert ada.evaluate(SMALL) == [], (path, width)
    assert violations(ada) == [], "texts"
    assert ada.failures == bob.failures == []
    elsewhere.close()


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterungsschraube"
AS_SEEN = """() => [...document.querySelectorAll(".bins input")]
  .map((each) => [each.getBoundingClientRect().top, each.getBoundingClientRect().left, each.name])
  .map((each, i, all) => i === 0 || all[i - 1][0] < each[0] || all[i - 1][1] < each[1])"""


def test_nothing_is_lost_from_sight_neither_a_long_word_nor_the_focus_nor_the_order_of_tab(context, system, designers):
    (session, _), (_, number) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/texts/")
    page.fill("#f-title", LONG)
    expect_saved(page)
    for path in ("", "questions/", "questions/hours/", "alpha/", "languages/", "open/"):
        page.goto(f"{system.url}/surveys/{number}/{path}")
        if path not in ("", "open/"):  # these pages have no typed text to undo
            expect(page.locator("#undo-bar")).to_contain_text("Changed the texts of the survey.")
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert beyond(page) == 0, (path, width)
    page.goto(f"{system.url}/surveys/{number}/questions/hours/")
    assert page.evaluate(AS_SEEN) == [True] * 4, "Tab goes through the fields as they are seen"
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{system.url}/surveys/{number}/questions/hours/")
        with page.expect_navigation():
            press(page, "button[name=remove]")
        expect(page.locator("#editor-title")).to_be_focused()
        expect(page.locator("#undo")).to_be_in_viewport()
        expect(page.locator("#undo-bar")).to_contain_text("Removed “How long?”.")
        with page.expect_navigation():
            press(page, "#undo")
        expect(page.locator("#editor-title")).to_be_focused()
        assert page.url.endswith("/questions/hours/#editor-title")
    assert violations(page) == [], "an undone removal"
    assert page.failures == []


def test_conditions_are_joined_and_removed_with_the_keyboard_alone(context, system):
    drinks = {"key": "drinks", "kind": "multiple_choice", "text": "Drinks?", "options": ["beer", "wine"], "alpha": "1"}
    smokes = {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"}
    brand = {"key": "brand", "kind": "yes_no", "text": "The same brand?", "alpha": "1"}
    (session, _), (number,) = two_designers(system, [{"title": "Habits", "questions": [drinks, smokes, brand]}])
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/brand/")
    press(page, ".routing summary")
    press(page, "button[name=route]")
    expect(page.locator(".conditions")).to_be_visible()
    press(page, "button[name=route]")
    expect(page.locator("#joined")).to_be_visible()
    tab_to(page, "#joined")
    page.keyboard.press("ArrowDown")
    tab_to(page, "[name=asked_if][value='1']")
    page.keyboard.press("Space")
    expect_saved(page)
    rules = [{"question": "smokes", "options": [0, 1]}, {"question": "drinks", "options": [0]}]
    assert stored(system, number)["questions"][2]["asked_if"] == {"any": rules}
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == [] and page.evaluate(SMALL) == []
        assert beyond(page) == 0
    press(page, "button[name=unroute][value=smokes]")
    expect(page.locator("#joined")).to_have_count(0)
    assert stored(system, number)["questions"][2]["asked_if"] == rules[1]
    assert page.failures == []
