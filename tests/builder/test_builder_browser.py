"""The builder in a real browser: a survey drafted with the keyboard alone, lost connections, two people, a finger."""

import json

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

BEGIN = """
import json, sys
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from surveys.lifecycle import begin_draft
from surveys.models import Membership
people = [User.objects.get_or_create(username=name)[0] for name in ("ada", "bob")]
keys = []
for person in people:
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(person.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    keys.append(session.session_key)
numbers = [begin_draft(people[0], draft).pk for draft in json.load(sys.stdin)]
for number in numbers:
    Membership.objects.create(survey_id=number, user=people[1], role="designer")
print(json.dumps([keys, numbers]))
"""
FOUR = {
    "title": "Work",
    "questions": [
        {"key": "home", "kind": "yes_no", "text": "Do you work from home?", "alpha": "1"},
        {"key": "mood", "kind": "ordered", "text": "How was it?", "options": ["Bad", "Fair", "Good"], "alpha": "1"},
        {"key": "hours", "kind": "histogram", "text": "How long?", "edges": ["0", "20", "40"], "alpha": "1"},
        {"key": "way", "kind": "mean", "text": "How far?", "low": "0", "high": "50", "alpha": "1"},
    ],
}
ROWS = """() => [...document.querySelectorAll(".line .clip")].map((each) => each.textContent)"""
SMALL = """() => [...document.querySelectorAll("main button, main input, main select, main textarea, main summary")]
  .filter((each) => each.checkVisibility() && each.type !== "checkbox" && each.getBoundingClientRect().height < 44)
  .map((each) => each.outerHTML)"""


@pytest.fixture(scope="module")
def desk(system):
    """Sessions of two designers, and the numbers of their drafts: a blank one and three of four questions."""
    drafts = [{"title": "", "questions": []}, FOUR, FOUR, FOUR]
    said = system.manage("shell", "-v", "0", "-c", BEGIN, stdin=json.dumps(drafts))
    return json.loads(said.strip().splitlines()[-1])


def sit(context, system, session):
    context.set_default_timeout(60_000)
    context.add_cookies([{"name": "sessionid", "value": session, "url": system.url}])
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    return page


def stored(system, number):
    ((draft,),) = system.query(f"SELECT draft FROM surveys_survey WHERE id = {number}")
    return json.loads(draft)


def tab_to(page, selector):
    """Press Tab, as somebody without a pointer does, until that has the focus."""
    for _ in range(150):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def press(page, selector):
    tab_to(page, selector)
    page.keyboard.press("Enter")


def add(page, kind, text):
    """A question, from its kind to its text; the new question's first field has the focus."""
    if not page.evaluate("document.getElementById('add').open"):
        press(page, "#add summary")
    with page.expect_navigation():
        press(page, f"button[value={kind}]")
    expect(page.locator("#f-text")).to_be_focused()
    page.keyboard.type(text)


def saved(page):
    expect(page.locator("#state.saved")).to_have_text("Saved")


def test_a_survey_is_drafted_with_the_keyboard_alone(context, system, desk):
    (session, _), (number, *_) = desk
    page = sit(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/")
    assert violations(page) == [], "a blank draft"
    tab_to(page, "#f-title")
    page.keyboard.type("A week")
    add(page, "yes_no", "Did you sleep well?")
    assert stored(system, number)["title"] == "A week", "what was typed is stored before the page is left"
    add(page, "ordered", "How did you feel?")
    tab_to(page, "#f-options")
    page.keyboard.type("Bad\nFair")
    saved(page)
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
    saved(page)

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
    saved(page)
    assert violations(page) == [], "a section"
    assert stored(system, number) == {
        "title": "A week",
        "questions": [
            {"key": "q1", "kind": "yes_no", "text": "Did you sleep well?", "alpha": "1"},
            {"key": "q3", "kind": "mean", "text": "How many hours?", "low": "0", "high": "24", "alpha": "1"},
            {"key": "q2", "kind": "ordered", "text": "How did you feel?", "options": ["Bad", "Fair"], "alpha": "0.5"},
        ],
        "sections": [
            {"title": "", "text": "", "questions": ["q1"]},
            {"title": "Numbers", "text": "", "questions": ["q3", "q2"]},
        ],
    }
    assert page.failures == []


def test_what_is_typed_without_a_connection_is_kept_sent_later_and_seen_in_the_preview(context, system, desk):
    (session, _), (_, number, *_) = desk
    page = sit(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    preview = page.frame_locator("iframe:not(.coming)")
    expect(preview.locator("#question-1-title")).to_have_text("Do you work from home?")
    context.set_offline(True)
    page.fill("#f-text", "Do you work at home?")
    expect(page.locator("#state.failed")).to_contain_text("Not saved: no connection")
    expect(page.locator("#alarm")).to_contain_text("no connection")
    page.fill("#f-note", "Even now and then.")
    context.set_offline(False)
    saved(page)
    assert stored(system, number)["questions"][0] == FOUR["questions"][0] | {
        "text": "Do you work at home?",
        "note": "Even now and then.",
    }
    expect(preview.locator("#question-1-note")).to_have_text("Even now and then.")
    page.fill("#f-note", "Now and then.")
    page.click("a[href$='/questions/way/']")
    expect(page.locator("#f-low")).to_be_visible()
    assert stored(system, number)["questions"][0]["note"] == "Now and then."
    page.go_back()
    expect(page.locator("#f-note")).to_have_value("Now and then.")
    page.get_by_text("For experts").click()
    page.fill("#f-key", "at home")
    page.locator("#f-key").blur()
    expect(page.locator("#e-key .error")).to_contain_text("It is still “home”.")
    page.fill("#f-key", "at_home")
    with page.expect_navigation():
        page.locator("#f-key").blur()
    assert page.url.endswith("/questions/at_home/")
    page.goto(f"{system.url}/surveys/{number}/questions/hours/")
    page.fill("#f-expected_n", "2000")
    expect(page.locator("#advice b")).to_be_visible()
    for name, text in (("low_end", "0"), ("high_end", "60"), ("bin_count", "3")):
        page.fill(f"#f-{name}", text)
    page.click("text=Fill in the edges")
    expect(page.locator("#f-edges")).to_have_value("0\n20\n40\n60")
    saved(page)
    assert page.failures == []


def test_what_is_typed_before_the_scripts_have_come_is_stored(context, system, desk):
    (session, _), (*_, number) = desk
    page = sit(context, system, session)
    waiting = []
    page.route("**/design/saving*.js", lambda route: waiting.append(route))
    page.goto(f"{system.url}/surveys/{number}/questions/home/", wait_until="commit")
    page.locator("#f-text").fill("Is your home your office?")
    page.locator("#f-alpha").fill("0.5")
    assert page.locator("#state.saved").count() == 0, "nothing says that it was saved"
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    saved(page)
    question = stored(system, number)["questions"][0]
    assert (question["text"], question["alpha"]) == ("Is your home your office?", "0.5")
    page.unroute_all()
    page.reload()
    saved(page)
    assert page.failures == []


def test_what_is_pressed_before_the_scripts_have_come_loses_nothing(context, system, desk):
    (session, _), (*_, number) = desk
    page = sit(context, system, session)
    waiting = []
    page.route("**/design/saving*.js", lambda route: route.continue_() if waiting else waiting.append(route))
    page.goto(f"{system.url}/surveys/{number}/questions/home/", wait_until="commit")
    page.locator("#f-text").fill("Is your home a boat?")
    before = len(stored(system, number)["questions"])
    page.locator("#add summary").click()
    page.locator("#add [value=yes_no]").click()
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    expect(page.locator("#f-text")).to_have_value("")
    saved(page)
    draft = stored(system, number)
    assert draft["questions"][0]["text"] == "Is your home a boat?"
    assert len(draft["questions"]) == before + 1


def test_nor_does_what_is_pressed_while_it_is_on_its_way(context, system, desk):
    """The page is left only when the site has answered: till then the browser may still break the sending off."""
    (session, _), (*_, number) = desk
    page = sit(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    saved(page)
    sendings = []
    page.route("**/questions/home/", lambda route: route.continue_() if sendings else sendings.append(route))
    actions = []
    page.on("request", lambda request: actions.append(request.url) if request.url.endswith("/questions/") else None)
    page.locator("#f-text").fill("Is your home a tent?")
    page.locator("#add summary").click()
    page.locator("#add [value=yes_no]").click()
    while not sendings:
        page.wait_for_timeout(20)
    assert actions == [], "the question is added after what was typed"
    sendings[0].continue_()
    expect(page.locator("#f-text")).to_have_value("")
    assert stored(system, number)["questions"][0]["text"] == "Is your home a tent?"


def test_two_who_type_in_one_question_choose_and_others_are_moved_by_finger(browser, context, system, desk):
    (hers, his), (_, _, number, _) = desk
    ada = sit(context, system, hers)
    elsewhere = browser.new_context()
    bob = sit(elsewhere, system, his)
    for page in (ada, bob):
        page.goto(f"{system.url}/surveys/{number}/questions/mood/")
    ada.fill("#f-text", "How was the day?")
    saved(ada)
    bob.fill("#f-text", "How was the night?")
    expect(bob.get_by_text("Someone else changed this in the meantime")).to_be_visible()
    assert violations(bob) == [], "a clash"
    bob.fill("#f-options", "Bad\nGood")
    expect(bob.locator(".versions pre")).to_have_text(
        ["How was the night?", "How was the day?", "Bad\nGood", "Bad\nFair\nGood"]
    )
    bob.click("text=Keep mine")
    saved(bob)
    assert stored(system, number)["questions"][1] == FOUR["questions"][1] | {
        "text": "How was the night?",
        "options": ["Bad", "Good"],
    }
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
            assert ada.evaluate("document.documentElement.scrollWidth") == width, (path, width)
            assert ada.evaluate(SMALL) == [], (path, width)
    assert violations(ada) == [], "texts"
    assert ada.failures == bob.failures == []
    elsewhere.close()


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterungsschraube"
AS_SEEN = """() => [...document.querySelectorAll(".bins input")]
  .map((each) => [each.getBoundingClientRect().top, each.getBoundingClientRect().left, each.name])
  .map((each, i, all) => i === 0 || all[i - 1][0] < each[0] || all[i - 1][1] < each[1])"""


def test_nothing_is_lost_from_sight_neither_a_long_word_nor_the_focus_nor_the_order_of_tab(context, system, desk):
    (session, _), (_, _, number, _) = desk
    page = sit(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/texts/")
    page.fill("#f-title", LONG)
    saved(page)
    for path in ("", "questions/", "questions/hours/", "alpha/", "languages/", "open/"):
        page.goto(f"{system.url}/surveys/{number}/{path}")
        expect(page.locator("#undo-bar")).to_contain_text("Changed the texts of the survey.")
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") == width, (path, width)
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
