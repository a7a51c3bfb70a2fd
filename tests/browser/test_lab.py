"""The lab in a real browser: no barrier, no script needed, usable by keyboard alone, a figure for every screen."""

import pytest

from tests.services.system import System
from tests.support.accessibility import violations
from tests.support.pictures import is_shown
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PAGES = ("", "mean/", "tests/", "quantiles/", "noise/", "together/", "limits/", "mathematics/")
BAD = "?n=0&alpha=x"
# Of several pages with the same structure, one is checked more closely.
DIFFERENT = ("", "together/", "mathematics/", BAD)


def test_no_page_of_the_lab_has_a_barrier_or_needs_sideways_scrolling(system: System, page):
    """This includes phones and desks, light and dark, and refused numbers."""
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    for address in (*PAGES, BAD):
        page.goto(f"{system.url}/lab/{address}")
        assert address not in DIFFERENT or violations(page) == [], address
        for width in (320, 390, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 844})
            assert beyond(page) == 0, (address, width)
        small = "[...document.querySelectorAll('main button, main input:not([type=hidden]), .steps a, .tabs a')]"
        heights = page.evaluate(f"{small}.map(target => target.getBoundingClientRect().height)")
        assert min(heights, default=44) >= 44, address
    refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    assert set(complaints) == {refused}


def test_the_lab_works_without_a_script_and_by_keyboard_alone(system: System, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{system.url}/lab/?alpha=0.5")
    page.get_by_label("People, n").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("250")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab/?*n=250*")
    assert "alpha=0.5" in page.url and page.get_by_label("People, n").input_value() == "250"
    page.get_by_role("navigation", name="The lab").get_by_role("link", name="Tests").click()
    page.wait_for_url("**/lab/tests/?*")
    assert page.get_by_label("People, n").input_value() == "250"
    page.get_by_label("Privacy, alpha").fill("99")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("heading", name="Some numbers do not fit").wait_for()
    page.get_by_role("alert").get_by_role("link", name="Privacy, alpha").click()
    assert page.get_by_label("Privacy, alpha").input_value() == "99"
    page.get_by_label("Privacy, alpha").fill("2")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Formula: M25").first.click()
    page.wait_for_url("**/lab/mathematics/?*#m25-one-share")
    assert page.locator("#m25-one-share").is_visible()
    context.close()


def test_the_figures_are_those_for_the_screen_and_the_numbers(system: System, warm):
    warm.goto(f"{system.url}/lab/noise/?alpha=0.5&n=50")
    pictures = warm.locator("figure img").all()
    assert len(pictures) == 5
    for width, scheme in ((390, "dark"), (1280, "light")):
        warm.set_viewport_size({"width": width, "height": 900})
        warm.emulate_media(color_scheme=scheme)
        own = f"-{scheme}-{'narrow' if width == 390 else 'wide'}.svg"
        for picture in pictures:
            is_shown(picture, own)
            assert "alpha=0.5" in picture.evaluate("image => image.currentSrc")
            box = picture.bounding_box()
            natural = picture.evaluate("image => image.naturalWidth / image.naturalHeight")
            assert box["width"] / box["height"] == pytest.approx(natural, rel=0.02)
