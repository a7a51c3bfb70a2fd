"""The keyboard alone: a survey is written, opened with an end, and answered. Each stop shows the focus."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]
MOST = 60  # stops on the way to anything
# Faults of a stop: no outline, a place outside the window, or another element on top. A frame outlines its own
# contents, and a field for a time its calendar.
WRONG = """() => {
  const stop = document.activeElement;
  if (stop === document.body || stop.matches("iframe, [type=datetime-local]:not(:focus-visible)")) return "";
  const outlined = [stop, stop.closest("label"), stop.parentElement].some((each) =>
    each && getComputedStyle(each).outlineStyle !== "none" && parseFloat(getComputedStyle(each).outlineWidth) >= 2);
  const { x, y, width, height } = stop.getBoundingClientRect();
  const [top, bottom] = [Math.max(y, 0), Math.min(y + height, innerHeight)];
  const above = document.elementFromPoint(x + width / 2, (top + bottom) / 2);
  const seen = bottom > top && above && (stop.contains(above) || above.contains(stop));
  return outlined && seen ? "" : `${stop.outerHTML.slice(0, 200)}: outlined ${outlined}, seen ${Boolean(seen)}`;
}"""
HERE = "(each) => each === document.activeElement"


class Keyboard:
    def __init__(self, page):
        self.page, self.press, self.type = page, page.keyboard.press, page.keyboard.type

    def to(self, wanted):
        """Press Tab until the wanted element has the focus."""
        for _ in range(MOST):
            self.press("Tab")
            assert self.page.evaluate(WRONG) == ""
            if wanted.count() and wanted.first.evaluate(HERE):
                return
        raise AssertionError(f"Tab does not lead to {wanted}")

    def fill(self, label, text):
        self.to(self.page.get_by_role("textbox", name=label))
        self.type(text)

    def go(self, role, name):
        self.to(self.page.get_by_role(role, name=name))
        with self.page.expect_navigation():
            self.press("Enter")

    def ask(self, kind, text, *options):
        if self.page.locator("#add:not([open])").count():
            self.to(self.page.locator("#add > summary"))
            self.press("Enter")
        self.go("button", kind)
        expect(self.page.locator("#f-text")).to_be_focused()
        self.type(text)
        for option in options[:1]:
            self.fill("Line 1", option)
        for option in options[1:]:
            self.press("Enter")
            self.type(option)
        self.page.locator("#state.saved").wait_for()

    def answer(self):
        """Press Space at every stop within a question, then send."""
        send = self.page.get_by_role("button", name="Send my randomized answers")
        for _ in range(MOST):
            self.press("Tab")
            assert self.page.evaluate(WRONG) == ""
            if send.evaluate(HERE):
                break
            if self.page.evaluate("document.activeElement.matches('.question *')"):
                self.press("Space")
        self.press("Enter")


def test_a_survey_is_written_opened_and_answered_with_the_keyboard_alone(system, page):
    page.set_viewport_size({"width": 1280, "height": 900})
    keys, password = Keyboard(page), system.manage("owner", "keys").split()[-1]
    page.goto(f"{system.url}/surveys/")
    keys.fill("Name", "keys")
    keys.fill("Password", password)
    keys.go("button", "Sign in")
    keys.go("link", "New survey")
    keys.fill("How many people can you reach?", "900")
    keys.go("button", "Begin a blank survey")
    keys.ask("Yes/no", "Did you sleep well last week?")
    keys.ask("Single choice", "How do you get to work?", "Bus", "Car", "On foot")
    keys.ask("Multiple choice", "What do you do in the evening?", "Read", "Sport")
    keys.go("link", "Texts and languages")
    keys.fill("Title", "A week")
    page.locator("#state.saved").wait_for()
    page.keyboard.press("Shift+Tab")
    keys.go("link", "Open")
    keys.to(page.get_by_role("radio", name="By hand"))
    keys.press("ArrowDown")
    keys.fill("Ends at a number of reports", "900")
    keys.go("button", "Open the survey")
    page.get_by_text("The survey is open.").wait_for()
    page.goto(page.locator("#the-link").inner_text())
    page.get_by_role("button", name="Send my randomized answers").wait_for()
    keys.answer()
    page.get_by_role("heading", name="Thank you").wait_for()
