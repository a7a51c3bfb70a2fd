"""The three engines behind one interface. tests.services.webdriver describes it; Chromium has it by Playwright."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.services import chromium
from tests.services.firefox import Firefox
from tests.services.webdriver import PATIENCE, WebDriver
from tests.services.webkit import WebKit


class Chromium:
    """A page of Playwright. Its elements are locators."""

    def __init__(self, page: Page) -> None:
        self._page, self.complaints = page, list[str]()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def go(self, url: str) -> None:
        self._page.goto(url)

    def run(self, script: str, *arguments: Any) -> Any:
        given = [each.element_handle() if isinstance(each, Locator) else each for each in arguments]
        return self._page.evaluate(f"(given) => (function () {{ {script} }}).apply(null, given)", given)

    def named(self, role: Any, name: str, within: Locator | None = None) -> Locator:
        where = within or self._page
        # ARIA has no role for passwords.
        found = where.get_by_label(name) if role == "password" else where.get_by_role(role, name=name, exact=True)
        found.wait_for()
        return found

    def click(self, element: Locator) -> None:
        element.click()

    def type(self, element: Locator, text: str) -> None:
        element.clear()
        element.press_sequentially(text)

    def choose(self, name: str, value: str) -> None:
        self.named("combobox", name).select_option(value)

    def resize(self, width: int) -> None:
        self._page.set_viewport_size({"width": width, "height": 900})

    def sees(self, text: str) -> None:
        expect(self._page.locator("body")).to_contain_text(text, use_inner_text=True, timeout=PATIENCE * 1000)

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        deadline = time.monotonic() + PATIENCE
        while not (value := condition()):
            assert time.monotonic() < deadline, f"Chromium does not find {what}"
            self._page.wait_for_timeout(30)
        return value

    def picture(self, file: Path) -> None:
        self._page.screenshot(path=file)


Engine = Chromium | WebDriver


@contextmanager
def _chromium() -> Iterator[Engine]:
    with chromium.browser(whole=True) as browser:
        yield Chromium(browser.new_page())


@contextmanager
def _driven(kind: Callable[[], WebDriver]) -> Iterator[Engine]:
    engine = kind()
    try:
        yield engine
    finally:
        engine.stop()


ENGINES = {"chromium": _chromium, "firefox": lambda: _driven(Firefox), "webkit": lambda: _driven(WebKit)}
