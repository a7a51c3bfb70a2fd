"""The builder in a browser on a running system: two designers, their drafts, and the pages on which they work."""

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.services.system import System

BEGIN = """
import json, sys
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from surveys.life.lifecycle import begin_draft
from surveys.models import Membership
people = [User.objects.get_or_create(username=name)[0] for name in ("ada", "bob")]
keys = []
for person in people:
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(person.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    keys.append(session.session_key)
numbers = [begin_draft(people[0], draft).pk for draft in json.load(sys.stdin)]
for number in numbers:
    Membership.objects.create(survey_id=number, user=people[1], role="designer")
print(json.dumps([keys, numbers]))
"""
PASTE = """(input, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  return input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
FOUR: dict[str, Any] = {
    "title": "Work",
    "questions": [
        {"key": "home", "kind": "yes_no", "text": "Do you work from home?", "alpha": "1"},
        {"key": "mood", "kind": "ordered", "text": "How was it?", "options": ["Bad", "Fair", "Good"], "alpha": "1"},
        {"key": "hours", "kind": "histogram", "text": "How long?", "edges": ["0", "20", "40"], "alpha": "1"},
        {"key": "way", "kind": "mean", "text": "How far?", "low": "0", "high": "50", "alpha": "1"},
    ],
}


def two_designers(system: System, drafts: list[dict[str, Any]]) -> tuple[list[str], list[int]]:
    """Return the sessions of two designers and the numbers of the drafts. Both designers may edit each draft."""
    said = system.manage("shell", "-v", "0", "-c", BEGIN, stdin=json.dumps(drafts))
    sessions, numbers = json.loads(said.strip().splitlines()[-1])
    return sessions, numbers


def signed_in(context: BrowserContext, system: System, session: str) -> Page:
    """Return a page of the designer with this session; `failures` collects the errors of its scripts."""
    context.add_cookies([{"name": "sessionid", "value": session, "url": system.url}])
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    return page


def stored(system: System, number: int) -> Any:
    """Return the draft from the database."""
    ((draft,),) = system.query(f"SELECT draft FROM surveys_survey WHERE id = {number}")
    return json.loads(draft)


def expect_saved(page: Page) -> None:
    expect(page.locator("#state.saved")).to_have_text("Saved")
