"""Content that is wider than a page's window."""

from playwright.sync_api import Page

BEYOND = "Math.max(document.body.scrollWidth, document.documentElement.scrollWidth) - innerWidth"


def beyond(page: Page) -> int:
    """Return how many pixels the page is wider than the window; 0 if everything fits.

    A page without its styles has other widths, so the function waits for them.
    """
    page.wait_for_load_state()
    pixels: int = page.evaluate(BEYOND)
    return pixels
