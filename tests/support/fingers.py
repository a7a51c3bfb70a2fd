"""A person's hands at a page of Playwright's, by selectors: what tests.support.everything asks of a browser."""

from playwright.sync_api import Page


class Fingers:
    """At a page; `n` is the place among what is found."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wait(self, css: str) -> None:
        self.page.locator(css).first.wait_for()

    def click(self, css: str, n: int = 0) -> None:
        self.page.locator(css).nth(n).click()

    def type(self, css: str, text: str) -> None:
        self.page.locator(css).first.fill(text)

    def arrow_down(self, css: str, n: int = 0) -> None:
        self.page.locator(css).nth(n).press("ArrowDown")
