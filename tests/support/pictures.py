"""Pictures on a page, as a browser has loaded them."""

from playwright.sync_api import Locator

# The one for the screen as it is comes in its own time; its address has this part.
_SHOWN = """async (image, part) => {
  for (const end = Date.now() + 60_000; !image.complete || !image.currentSrc.includes(part);) {
    if (Date.now() > end) throw new Error(`${image.currentSrc} has no ${part}`);
    await new Promise(requestAnimationFrame);
  }
  await image.decode();
}"""


def is_shown(picture: Locator, part: str) -> None:
    """Waits until the picture with this part in its address is there; an error where it cannot be shown."""
    picture.scroll_into_view_if_needed()
    picture.evaluate(_SHOWN, part)
