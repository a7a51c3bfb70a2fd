"""The preview beside the builder, in a real browser, shows the question being edited and keeps showing it."""

import pytest
from playwright.sync_api import expect

from tests.support.builder_pages import expect_saved, signed_in, two_designers

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

AROUND = {
    "title": "Work",
    "introduction": "A cover of many words.",
    "consent": "I agree.",
    "sections": [
        {"title": "First", "text": "", "questions": ["home", "way"]},
        {"title": "Second", "text": "Now this.", "questions": ["open", "mood"]},
    ],
    "questions": [
        {"key": "home", "kind": "yes_no", "text": "Do you work from home?"},
        {
            **{"key": "way", "kind": "yes_no", "text": "Is it far?"},
            **{"asked_if": {"question": "home", "options": [1]}},
        },
        {"key": "open", "kind": "single_choice", "text": "Which?", "options": ["This"]},
        {"key": "mood", "kind": "ordered", "text": "How was it?", "options": ["Bad", "Fair", "Good"]},
    ],
}


@pytest.fixture(scope="module")
def designers(system):
    return two_designers(system, [AROUND])


@pytest.fixture
def page(context, system, designers):
    (session, _), (number,) = designers
    page = signed_in(context, system, session)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.address = f"{system.url}/surveys/{number}"
    return page


def frame(page):
    return page.frame_locator("iframe:not(.coming)")


def expect_only(page, text):
    """Check that the preview shows this question alone, without the cover."""
    expect(frame(page).locator("h3:visible")).to_have_text([text])
    for covering in ("h1", "#introduction", ".finish", ".consent"):
        expect(frame(page).locator(covering).locator("visible=true")).to_have_count(0)


@pytest.mark.parametrize(
    ("key", "text"), [("home", "Do you work from home?"), ("way", "Is it far?"), ("mood", "How was it?")]
)
def test_it_shows_the_question_that_is_edited_wherever_it_is_asked_and_still_after_a_save(page, key, text):
    page.goto(f"{page.address}/questions/{key}/")
    expect_only(page, text)
    page.get_by_text("Note and picture").click()
    page.fill("#f-note", f"Think of last week, {key}.")
    expect_saved(page)
    expect(frame(page).locator(".note:visible")).to_have_text(f"Think of last week, {key}.")
    expect_only(page, text)


def test_a_question_that_is_not_complete_comes_as_soon_as_it_is(page):
    page.goto(f"{page.address}/questions/open/")
    expect(frame(page).locator("h2:visible")).to_have_text(["Not complete yet"])
    page.fill("#f-options-2", "That")
    expect_only(page, "Which?")
    page.fill("#f-options-2", "")
    expect(frame(page).locator("h2:visible")).to_have_text(["Not complete yet"])


def test_of_a_section_it_shows_the_heading_with_its_questions_and_of_the_texts_the_cover(page):
    page.goto(f"{page.address}/sections/1/")
    expect(frame(page).locator("h2:visible")).to_have_text(["Second"])
    expect(frame(page).locator("h3:visible")).to_have_text(["How was it?"])
    page.goto(f"{page.address}/texts/")
    expect(frame(page).locator("#introduction:visible")).to_have_text("A cover of many words.")
