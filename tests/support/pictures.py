"""Pictures on a page, as a browser has loaded them."""

from playwright.sync_api import Locator

# The picture for the current screen may load later. Its URL contains `part`.
_SHOWN = """async (image, part) => {
  for (const end = Date.now() + 60_000; !image.complete || !image.currentSrc.includes(part);) {
    if (Date.now() > end) throw new Error(`${image.currentSrc} has no ${part}`);
    await new Promise(requestAnimationFrame);
  }
  await image.decode();
}"""


def is_shown(picture: Locator, part: str) -> None:
    """Wait until the picture with this part in its URL is loaded. Raise an error if it cannot be shown."""
    picture.scroll_into_view_if_needed()
    picture.evaluate(_SHOWN, part)
