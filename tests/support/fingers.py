"""A person's actions on a page of Playwright, by selectors, as tests.support.everything needs them."""

from playwright.sync_api import Page


class Fingers:
    """Actions on a page; `n` selects the n-th match."""

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
