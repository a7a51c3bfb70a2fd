"""The accent colour field in a real browser: a colour is typed, picked, refused, and shown in the preview."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import expect_saved, signed_in, stored, two_designers

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFTS = [
    {"title": title, "questions": [{"key": "ill", "kind": "yes_no", "text": "Were you ill?", "alpha": "1"}]}
    for title in ("Colours", "Others")
]
PICK = """(picker, colour) => {
  picker.value = colour;
  for (const type of ["input", "change"]) picker.dispatchEvent(new Event(type, { bubbles: true }));
}"""
SHOWN = "() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()"


@pytest.fixture(scope="module")
def designers(system):
    return two_designers(system, DRAFTS)


def test_a_colour_is_picked_or_typed_and_the_preview_shows_it(context, system, designers):
    (session, _), (number, _) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/texts/")
    page.get_by_text("Consent, thanks, logo").click()
    field, picker = page.get_by_label("Accent colour"), page.get_by_label("Choose a colour")
    expect(field).to_have_value("")
    own = page.evaluate(SHOWN)
    expect(picker).to_have_value(own)
    assert "accent" not in stored(system, number)
    picker.evaluate(PICK, "#7a1fa2")
    expect_saved(page)
    assert stored(system, number)["accent"] == "#7a1fa2" and field.input_value() == "#7a1fa2"
    frame = page.frame_locator("iframe:not(.coming)")
    expect(frame.locator(".own > .by").first).to_have_css("color", "rgb(122, 31, 162)")
    field.fill("#ff6600")
    expect_saved(page)
    expect(page.locator("#e-accent")).to_contain_text("2.49:1")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(picker).to_have_value("#ff6600")
    assert violations(page) == []
    field.fill("")
    expect_saved(page)
    assert "accent" not in stored(system, number) and picker.input_value() == own
    expect(page.locator("#e-accent")).to_be_empty()
