"""What runs out of a page's window."""

from playwright.sync_api import Page

BEYOND = "Math.max(document.body.scrollWidth, document.documentElement.scrollWidth) - innerWidth"


def beyond(page: Page) -> int:
    """Pixels that the window's width cannot hold, 0 where all fits.

    A page may be there before its styles are, and then has other widths: it is waited for.
    """
    page.wait_for_load_state()
    pixels: int = page.evaluate(BEYOND)
    return pixels
