"""Accounts and roles in a real browser: signing in with a second factor, inviting a person, and that person's view."""

import json
import re
import time

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery"
BEGIN = """
from django.contrib.auth.models import User
from surveys.life.lifecycle import begin_draft
print(begin_draft(User.objects.get(username="olivia"), {"title": "Sleep and work"}).pk)
"""
CONTROLS = "button, .button, input:not([type=hidden], [type=radio]), select, summary, .role"
SMALL = f"""() => [...document.querySelectorAll("{CONTROLS}")]
  .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
  .map((control) => control.outerHTML)"""


@pytest.fixture(scope="module")
def password(system):
    return system.manage("owner", "olivia").strip().rpartition(" ")[2]


@pytest.fixture(scope="module")
def number(system, password):
    return int(system.manage("shell", "-c", BEGIN).splitlines()[-1])


def sound(page, state):
    """Check that the page has no barrier, fits a narrow screen, and has nothing too small for a finger."""
    assert violations(page) == [], state
    size = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 600})
    assert beyond(page) == 0, state
    assert page.evaluate(SMALL) == [], state
    page.set_viewport_size(size)


def code(secret):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def test_signing_in_with_a_second_factor_by_keyboard_alone(system, page, password, number):
    wrong = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(f"{system.url}/surveys/{number}/")
    sound(page, "signing in")
    page.keyboard.type("olivia")
    page.keyboard.press("Tab")
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("The name and the password do not match.").wait_for()
    sound(page, "wrong password")
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Sleep and work").wait_for()
    page.get_by_role("link", name="Account").click()
    sound(page, "account")
    page.get_by_role("link", name="Turn it on").click()
    sound(page, "password again")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Turn the second factor on").wait_for()
    sound(page, "turning it on")
    secret = page.locator(".secret").inner_text()
    page.get_by_label("Code").fill(code(secret))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Recovery codes").wait_for()
    sound(page, "recovery codes")
    recovery = page.locator(".codes code").first.inner_text()
    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Sign in").click()
    expect(page.locator("[name=login]")).to_be_focused()
    page.keyboard.type("olivia")
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    page.get_by_text("Your password is right.").wait_for()
    sound(page, "second factor")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("This code is wrong.").wait_for()
    page.get_by_label("Code").fill(recovery)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Surveys", exact=True).wait_for()
    page.get_by_role("link", name="Account").click()
    page.get_by_text("9 recovery codes are left").wait_for()
    assert wrong == []


def test_an_owner_invites_someone_who_joins_with_a_new_account(system, browser, page, number):
    page.goto(f"{system.url}/surveys/{number}/team/")
    page.get_by_label("Name").fill("petra")
    page.get_by_label("Password").fill(system.manage("owner", "petra").strip().rpartition(" ")[2])
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Who works on this survey").wait_for()
    sound(page, "people")
    page.get_by_label("Designer").check()
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("heading", name="An invitation as Designer").wait_for()
    sound(page, "invitation made")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_text("Copied.").wait_for(state="attached")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.get_by_label("Link").input_value()
    # The site's own URL has another host than the test.
    address = system.url + re.sub(r"^https?://[^/]+", "", copied)

    other = browser.new_context()
    guest = other.new_page()
    guest.goto(address)
    assert "token" not in guest.url
    guest.get_by_text("Sleep and work").wait_for()
    sound(guest, "invitation followed")
    guest.get_by_role("link", name="Create an account").click()
    sound(guest, "signing up")
    guest.get_by_role("button", name="Create the account and join").click()
    assert guest.get_by_role("alert").get_by_role("link").count() == 3
    sound(guest, "what is missing")
    guest.get_by_label("Name").fill("quentin")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("The same password again").fill(PASSWORD)
    guest.keyboard.press("Enter")
    guest.get_by_role("heading", name="Sleep and work").wait_for()
    assert guest.get_by_role("link", name="Team").count() == 0
    guest.goto(address)
    guest.get_by_role("heading", name="This invitation no longer exists").wait_for()
    sound(guest, "invitation gone")
    other.close()

    page.locator(".tabs summary").click()
    page.get_by_role("link", name="Team").click()
    page.get_by_label("Role of quentin").select_option("viewer")
    page.get_by_role("button", name="Save the role of quentin").click()
    page.get_by_text("The role of quentin has been saved.").wait_for()
    page.locator("summary", has_text="Remove").click()
    sound(page, "two people")
    page.get_by_role("button", name="Remove quentin").click()
    page.get_by_text("quentin has been removed from this survey.").wait_for()
    page.locator(".tabs summary").click()
    page.get_by_role("link", name="Log").click()
    actions = ["removed a person", "changed a role", "accepted an invitation", "made an invitation", "began the survey"]
    shown = json.dumps(page.locator(".log li").all_inner_texts())
    assert [shown.index(action) for action in actions] == sorted(shown.index(action) for action in actions)
    sound(page, "log")
