"""A browser as the tests use it by the WebDriver protocol, however the commands travel.

Elements are found by the role and the name that the browser computes for people who cannot see the page.
"""

import base64
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0  # seconds until something must be on the page
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name of an element
# Drivers refuse with these codes while a page is being replaced. WebKit also does for an element without a name and
# role yet.
PASSING = ("stale element reference", "javascript error", "no such element", "unknown error")
CANDIDATES = {  # the elements that may have each role
    "button": "button:not([role])",
    "checkbox": "[role=checkbox], input[type=checkbox]",
    "columnheader": "th[scope=col]",
    "group": "[role=group]",
    "heading": "h1, h2, h3, h4",
    "link": "a[href]",
    "password": "input[type=password]",  # no ARIA role: engines give it none, or a textbox's
    "radio": "[role=radio], input[type=radio]",
    "radiogroup": "[role=radiogroup]",
    "region": "section",
    "rowheader": "th[scope=row]",
    "searchbox": "input[type=search]",
    "status": "[role=status]",
    "table": "table",
    "textbox": "input:not([type]), input[type=text], textarea",
}
OPTION = """const [name, wish] = arguments;
const list = [...document.querySelectorAll("select")].find((each) => each.labels[0]?.textContent.startsWith(name));
return [...list?.options ?? []].find(({ value }) => value === wish)"""
VISIBLE = """return [...(arguments[1] ?? document).querySelectorAll(arguments[0])]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))"""


class Refused(Exception):
    """A command that the browser refused, with the protocol's code and the browser's message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class WebDriver:
    """A browser. `named` returns its elements. `complaints` are the errors in its console; None if the protocol does
    not report them. `read` has the roles whose elements the browser reads out without computing a name."""

    read: tuple[str, ...] = ()

    def command(self, name: str, element: Any = None, **parameters: Any) -> Any:
        """Return the value of a command of the protocol. Its name is Marionette's, without "WebDriver:"."""
        raise NotImplementedError

    @property
    def complaints(self) -> list[str] | None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def go(self, url: str) -> None:
        self.command("Navigate", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function in the page, and return its result."""
        return self.command("ExecuteScript", script=script, args=list(arguments))

    def named(self, role: str, name: str, within: Any = None) -> Any:
        """Wait for a visible element with this role and name, and return it."""

        def find() -> Any:
            for each in self.run(VISIBLE, CANDIDATES[role], within) or ():  # None in Firefox while a page is being left
                if self._name(each, role) == name and self._has(each, role):
                    return each

        return self.until(find, f"{role} “{name}”")

    def click(self, element: Any) -> None:
        """Click the element when it can be clicked."""
        self.until(lambda: self._done("ElementClick", element), "where to click")

    def type(self, element: Any, text: str) -> None:
        """Replace the element's text when it accepts text."""
        self.until(lambda: self._done("ElementClear", element), "where to type")
        self.command("ElementSendKeys", element, text=text)

    def choose(self, name: str, value: str) -> None:
        """Choose a value from the list with this label. WebKit calls a list a button, named by its label and its
        value."""

        def chosen() -> bool:  # a page may have replaced its list meanwhile
            option = self.run(OPTION, name, value)
            return bool(option) and self._done("ElementClick", option)

        self.until(chosen, f"{value} of “{name}”")

    def resize(self, width: int) -> None:
        self.command("SetWindowRect", width=width, height=900)

    def sees(self, text: str) -> None:
        """Wait until the text is on the page."""
        self.until(lambda: self.run("return document.body.innerText.includes(arguments[0])", text), f"“{text}”")

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.command("TakeScreenshot")))

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Return the condition's first true value. It has none while a page is being replaced."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if value := condition():
                    return value
            except Refused as refusal:
                if refusal.code not in PASSING:
                    raise
            if time.monotonic() > deadline:
                said = self.run("return `${location.href}\\n${document.body.innerText}`")
                raise AssertionError(f"{type(self).__name__} does not find {what} at {said[:2000]}")
            time.sleep(0.03)

    def _done(self, command: str, element: Any) -> bool:
        """Return whether the command was carried out. An element is not interactable while the page is laid out."""
        try:
            self.command(command, element)
        except Refused as refusal:
            if refusal.code != "element not interactable":
                raise
            return False
        return True

    def _name(self, element: Any, role: str) -> str:
        computed: str = self.command("GetComputedLabel", element).strip()
        return self.run("return arguments[0].textContent", element) if role in self.read and not computed else computed

    def _has(self, element: Any, role: str) -> bool:
        return role == "password" or self.command("GetComputedRole", element) == role
