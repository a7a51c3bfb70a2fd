"""The builder in a real browser stores all typed text and performs all pressed actions: offline, before its scripts
arrive, during a request, and if a script is missing or fails."""

import pytest
from playwright.sync_api import expect

from tests.support.builder_pages import FOUR, expect_saved, signed_in, stored, two_designers

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

TESTS = 9


@pytest.fixture(scope="module")
def designers(system):
    """Return the sessions of two designers, and the numbers of their drafts, one for each test."""
    return two_designers(system, [FOUR] * TESTS)


@pytest.fixture
def page(context, system, designers):
    (session, _), _ = designers
    return signed_in(context, system, session)


@pytest.fixture
def number(designers):
    """Return the number of a draft that no other test has changed."""
    _, numbers = designers
    return numbers.pop()


def test_what_is_typed_without_a_connection_is_kept_sent_later_and_seen_in_the_preview(context, page, system, number):
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    preview = page.frame_locator("iframe:not(.coming)")
    expect(preview.locator("#question-1-title")).to_have_text("Do you work from home?")
    context.set_offline(True)
    page.fill("#f-text", "Do you work at home?")
    expect(page.locator("#state.failed")).to_contain_text("Not saved: no connection")
    expect(page.locator("#alarm")).to_contain_text("no connection")
    page.get_by_text("Note and picture").click()
    page.fill("#f-note", "Even now and then.")
    context.set_offline(False)
    expect_saved(page)
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
    expect_saved(page)
    assert page.failures == []


def test_what_is_typed_before_the_scripts_have_come_is_stored(page, system, number):
    waiting = []
    page.route("**/designer/saving*.js", lambda route: waiting.append(route))
    page.goto(f"{system.url}/surveys/{number}/questions/home/", wait_until="commit")
    page.locator("#f-text").fill("Is your home your office?")
    page.locator("#f-alpha").fill("0.5")
    assert page.locator("#state.saved").count() == 0, "nothing says that it was saved"
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    expect_saved(page)
    question = stored(system, number)["questions"][0]
    assert (question["text"], question["alpha"]) == ("Is your home your office?", "0.5")
    page.unroute_all()
    page.reload()
    expect_saved(page)
    assert page.failures == []


def test_what_is_pressed_before_the_scripts_have_come_loses_nothing(page, system, number):
    waiting = []
    page.route("**/designer/saving*.js", lambda route: route.continue_() if waiting else waiting.append(route))
    page.goto(f"{system.url}/surveys/{number}/questions/home/", wait_until="commit")
    page.locator("#f-text").fill("Is your home a boat?")
    before = len(stored(system, number)["questions"])
    page.locator("#add summary").click()
    page.locator("#add [value=yes_no]").click()
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    expect(page.locator("#f-text")).to_have_value("")
    expect_saved(page)
    draft = stored(system, number)
    assert draft["questions"][0]["text"] == "Is your home a boat?"
    assert len(draft["questions"]) == before + 1


def test_nor_does_what_is_pressed_while_it_is_on_its_way(page, system, number):
    """The page is left only after the site has answered. Until then the browser may cancel the request."""
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    expect_saved(page)
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


def test_where_the_script_cannot_come_what_is_pressed_works_without_it(page, system, number):
    page.route("**/designer/saving*.js", lambda route: route.abort())
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    works_without_the_script(page, system, number)


def test_what_was_pressed_before_it_is_known_that_the_script_cannot_come_is_then_done(page, system, number):
    waiting = []
    page.route("**/designer/saving*.js", lambda route: route.abort() if waiting else waiting.append(route))
    page.goto(f"{system.url}/surveys/{number}/questions/home/", wait_until="commit")
    page.locator("#add summary").click()
    page.locator("#add [value=yes_no]").click()
    while not waiting:
        page.wait_for_timeout(20)
    assert len(stored(system, number)["questions"]) == 4, "till then it is held"
    with page.expect_navigation():
        waiting[0].abort()
    assert len(stored(system, number)["questions"]) == 5


@pytest.mark.parametrize("when", ["before", "after"])
def test_where_the_script_fails_what_is_pressed_works_without_it(page, system, number, when):
    """The script fails at its start, or after it has marked the page as scripted."""
    fails = "throw Error('broken');"
    script = {
        "before": f"export class Saver {{}} {fails}",
        "after": f"export class Saver {{ constructor() {{ {fails} }} }}",
    }
    page.route("**/designer/saving*.js", lambda route: route.fulfill(content_type="text/javascript", body=script[when]))
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    works_without_the_script(page, system, number)
    assert set(page.failures) == {"broken"}


def works_without_the_script(page, system, number):
    """Check that the button stores typed text, and that a press acts at once."""
    page.locator("#f-text").fill("Is your home a cave?")
    with page.expect_navigation():
        page.locator("#save").click()
    assert stored(system, number)["questions"][0]["text"] == "Is your home a cave?"
    page.locator("#add summary").click()
    with page.expect_navigation():
        page.locator("#add [value=yes_no]").click()
    assert len(stored(system, number)["questions"]) == 5
    with page.expect_navigation():
        page.locator("a[href$='/questions/way/']").click()
    expect(page.locator("#f-low")).to_be_visible()


def test_a_browser_that_does_not_know_modules_waits_for_none(page, system, number):
    """The page does not report a missing script, because the browser skips the script."""
    page.add_init_script("delete HTMLScriptElement.prototype.noModule")
    page.route("**/designer/builder*.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    page.goto(f"{system.url}/surveys/{number}/questions/home/")
    with page.expect_navigation():
        page.locator("a[href$='/questions/way/']").click()
    assert page.url.endswith("/questions/way/")
