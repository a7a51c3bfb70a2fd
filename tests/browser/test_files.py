"""The pages on which surveys begin, and the files in both directions, in Chromium: no page has a barrier."""

import pytest
from playwright.sync_api import expect

from tests.services.system import System
from tests.support.accessibility import violations
from tests.support.widths import beyond
from tests.support.workbooks import form, row

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SIGNED_IN = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
user = User.objects.create_user("files-designer")
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
print(session.session_key)
"""
FORM = form(
    row("select_one frequent", "often", "How often do you paint?"),
    row("integer", "age", "How old are you?", constraint=". >= 18 and . <= 99"),
    row("text", "why", "Why do you paint?"),
    form_title="Painting",
)


@pytest.fixture(scope="module")
def key(system: System) -> str:
    return system.manage("shell", "-c", SIGNED_IN).strip().splitlines()[-1]


def seen(page):
    """Check that the page has no barrier and fits its widths, even with everything unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert violations(page) == []
    for width in (320, 1600):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0, width


def test_a_designer_begins_from_a_template_a_form_and_a_file_and_takes_a_survey_away(system, key, context, tmp_path):
    context.add_cookies([{"name": "sessionid", "value": key, "url": system.url}])
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{system.url}/surveys/")
    page.get_by_role("link", name="New survey").click()
    page.get_by_role("heading", name="New survey").wait_for()
    seen(page)
    page.get_by_role("button", name="Begin with this: Campus climate").press("Enter")
    page.get_by_role("heading", name="Studying here").wait_for()

    page.goto(page.url.partition("/questions/")[0].rstrip("/") + "/files/")
    seen(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the JSON").click()
    download.value.save_as(tmp_path / "campus.json")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the spreadsheet").click()
    assert download.value.suggested_filename == "studying-here.xlsx"
    download.value.save_as(tmp_path / "campus.xlsx")

    page.goto(f"{system.url}/surveys/new/")
    page.get_by_label("A draft or a form").set_input_files(tmp_path / "campus.json")
    page.get_by_role("button", name="Begin with this file").click()
    page.get_by_role("heading", name="Studying here").wait_for()

    page.goto(f"{system.url}/surveys/new/")
    page.get_by_label("A draft or a form").set_input_files({"name": "f.xlsx", "mimeType": "", "buffer": FORM})
    page.get_by_role("button", name="Begin with this file").click()
    remark = page.get_by_role("listitem").filter(has_text="Free text.")
    assert remark.locator("div").inner_text().endswith("why")
    seen(page)
    page.get_by_label("Number, mean only").check()
    remark.get_by_role("button", name="Done").click()
    expect(page.get_by_text("1 remark that is done")).to_be_visible()
    expect(page.get_by_role("group", name="How old are you?")).to_have_count(0)
    expect(page.get_by_role("link", name="often").first).to_be_visible()
    seen(page)
    page.get_by_role("group", name="How often do you paint?").get_by_label(
        "Rating scale: the options are in their order"
    ).check()
    page.get_by_role("button", name="Go on to the questions").click()
    page.get_by_role("heading", name="Painting").wait_for()
    assert complaints == []


def test_templates_follow_the_number_of_people_while_it_is_typed(system, key, context):
    context.add_cookies([{"name": "sessionid", "value": key, "url": system.url}])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/new/")
    field = page.get_by_label("How many people can you reach?")
    field.click()
    for typed, fit in (("4", 0), ("40000", 8)):
        page.keyboard.type(typed.removeprefix("4") or typed)
        expect(page.get_by_text(f"Margins for {int(typed):,} people, about a population.")).to_be_visible()
        expect(page.locator("#templates > ul > li")).to_have_count(fit)
        expect(field).to_be_focused()
        expect(field).to_have_value(typed)
    page.get_by_label("By personal invitations").check()
    margins = page.get_by_text("Margins for 40,000 people, about exactly those who take part.")
    expect(margins).to_be_visible()
    field.fill("abc")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(margins).to_be_visible()
    field.fill("40000")
    expect(field).to_have_attribute("aria-invalid", "false")


def test_templates_follow_what_was_typed_before_the_script_came(system, key, context):
    context.add_cookies([{"name": "sessionid", "value": key, "url": system.url}])
    page = context.new_page()
    waiting = []
    page.route("**/designer/new.js", lambda route: waiting.append(route))
    page.goto(f"{system.url}/surveys/new/", wait_until="commit")
    page.get_by_label("How many people can you reach?").fill("40000")
    while not waiting:
        page.wait_for_timeout(10)
    waiting.pop().continue_()
    expect(page.get_by_text("Margins for 40,000 people, about a population.")).to_be_visible()


def test_a_file_that_is_none_is_refused_beside_its_field_and_on_top(system, key, context):
    context.add_cookies([{"name": "sessionid", "value": key, "url": system.url}])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/new/")
    wrong = {"name": "wrong.json", "mimeType": "application/json", "buffer": b'{"title": 5, "more": 1}'}
    page.get_by_label("A draft or a form").set_input_files(wrong)
    page.get_by_role("button", name="Begin with this file").click()
    assert "more: is not known here" in page.get_by_role("alert").inner_text()
    page.get_by_role("alert").get_by_role("link").press("Enter")
    expect(page.locator("#file")).to_be_focused()
    seen(page)
