"""What a test asks of a browser by the WebDriver protocol, whichever way the commands travel.

Elements are found by the role and the name that the browser itself computes for people who cannot see the page.
"""

import base64
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0  # seconds for something to be on the page
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # names an element in the protocol
# What drivers refuse while a page is being replaced; WebKit so for an element that has no name and role yet.
PASSING = ("stale element reference", "javascript error", "no such element", "unknown error")
CANDIDATES = {  # the elements of the pages that may have a role
    "button": "button:not([role])",
    "checkbox": "[role=checkbox], input[type=checkbox]",
    "columnheader": "th[scope=col]",
    "group": "[role=group]",
    "heading": "h1, h2, h3, h4",
    "link": "a[href]",
    "password": "input[type=password]",  # not one of ARIA's: engines give it no role, or a textbox's
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
    """A command that the browser did not carry out: the protocol's code, and what the browser says."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class WebDriver:
    """A browser. An element is what `named` returns. `complaints` are the errors in its console, None where the
    protocol does not report; `read` are the roles whose elements it reads out without computing a name."""

    read: tuple[str, ...] = ()

    def command(self, name: str, element: Any = None, **parameters: Any) -> Any:
        """The value that a command of the protocol returns, named as in Marionette without its "WebDriver:"."""
        raise NotImplementedError

    @property
    def complaints(self) -> list[str] | None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def go(self, url: str) -> None:
        self.command("Navigate", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns in the page."""
        return self.command("ExecuteScript", script=script, args=list(arguments))

    def named(self, role: str, name: str, within: Any = None) -> Any:
        """The visible element of that role and name, once there is one."""

        def find() -> Any:
            for each in self.run(VISIBLE, CANDIDATES[role], within) or ():  # Firefox, of a page that is going
                if self._name(each, role) == name and self._has(each, role):
                    return each

        return self.until(find, f"{role} “{name}”")

    def click(self, element: Any) -> None:
        """Clicks the element once it can be clicked."""
        self.until(lambda: self._done("ElementClick", element), "where to click")

    def type(self, element: Any, text: str) -> None:
        """Types the text, in place of the present text, once the element takes it."""
        self.until(lambda: self._done("ElementClear", element), "where to type")
        self.command("ElementSendKeys", element, text=text)

    def choose(self, name: str, value: str) -> None:
        """Chooses from the list with that label; WebKit calls a list a button, by its label and what is chosen."""

        def chosen() -> bool:  # a page that shows itself anew meanwhile has another list
            option = self.run(OPTION, name, value)
            return bool(option) and self._done("ElementClick", option)

        self.until(chosen, f"{value} of “{name}”")

    def resize(self, width: int) -> None:
        self.command("SetWindowRect", width=width, height=900)

    def sees(self, text: str) -> None:
        """Waits until the text is on the page."""
        self.until(lambda: self.run("return document.body.innerText.includes(arguments[0])", text), f"“{text}”")

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.command("TakeScreenshot")))

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """The condition's first true value; a page that is just being replaced has none."""
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
        """Whether the command was carried out: while the page is laid out, an element is not interactable yet."""
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
