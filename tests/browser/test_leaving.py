"""Leaving a page of the studio loses no typed text: it is saved, or the page asks first."""

import json
import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

TEMPLATES = Path(__file__).parents[2] / "surveys" / "templates"
BEGIN = """
import json
from django.contrib.auth.models import User
from django.test import Client
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Membership
user, _ = User.objects.get_or_create(username="leaving")
client = Client()
client.force_login(user)
(name, cookie), = client.cookies.items()
question = {"key": "q", "kind": "yes_no", "text": "Yes?", "alpha": 1}
draft = {"title": "Left", "questions": [question], "language": "en", "translations": {"de": {}}}
invited = begin_draft(user, {"title": "Invited", "questions": [question], "invitations": True})
open_survey(invited)
complete = begin_draft(user, {"title": "Complete", "questions": [question]})
print("begun", json.dumps([begin_draft(user, draft).pk, complete.pk, invited.pk, name, cookie.value]))
"""
# Pages with forms for typing or choosing. The second survey is open and by invitation.
OF_A_DRAFT = ["languages/?to=de", "evidence/", "alerts/", "alpha/", "comments/"]
OF_A_COMPLETE_ONE = ["open/"]
OF_AN_OPEN_ONE = ["invitations/", "evidence/", "alerts/"]
FIELD = (
    "main form[method=post]:not([data-leavable]) "
    ":is(input:not([type=hidden], [type=radio], [type=checkbox], [type=file], [type=datetime-local]), textarea)"
)


@pytest.fixture(scope="module")
def begun(system):
    draft, complete, opened, name, value = json.loads(system.manage("shell", "-c", BEGIN).partition("begun ")[2])
    return draft, complete, opened, {"name": name, "value": value, "url": system.url, "httpOnly": True}


@pytest.fixture
def page(begun, context):
    context.add_cookies([begun[3]])
    page = context.new_page()
    page.asked = []
    page.on("dialog", lambda dialog: (page.asked.append(dialog.type), dialog.accept()))
    return page


def type_something(page):
    """Type into the first field that takes text."""
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => (fold.open = true))")
    field = page.locator(FIELD).locator("visible=true").first
    field.click()
    page.keyboard.type("7")


def test_every_page_with_something_typed_asks_before_it_is_left(system, begun, page):
    pages = zip(begun, (OF_A_DRAFT, OF_A_COMPLETE_ONE, OF_AN_OPEN_ONE), strict=False)
    addresses = [f"/surveys/{number}/{name}" for number, names in pages for name in names]
    for address in addresses:
        page.goto(system.url + address)
        type_something(page)
        page.goto(f"{system.url}/surveys/")
        assert page.asked == ["beforeunload"], address
        page.asked.clear()
        page.goto(system.url + address)
        page.goto(f"{system.url}/surveys/")
        assert page.asked == [], f"{address} asks though nothing was typed"


def test_sending_a_form_does_not_ask_about_itself_and_asks_about_what_another_one_holds(system, begun, page):
    draft, _, opened, _ = begun
    page.goto(f"{system.url}/surveys/{draft}/evidence/")
    type_something(page)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").wait_for()
    assert page.asked == []
    page.goto(f"{system.url}/surveys/{opened}/invitations/")
    type_something(page)
    with page.expect_event("dialog"):
        page.locator("main form:not(#invite) button").first.click()
    assert page.asked == ["beforeunload"]


def test_every_form_of_the_studio_is_on_a_page_that_asks(system):
    """Templates with a form extend the survey's page, whose script asks, or are parts of these pages."""
    alone = [
        path.name
        for path in (TEMPLATES / "designer").glob("*.html")
        if re.search(r'<form[^>]*method="post"', text := path.read_text("utf-8"))
        and "{% extends" in text
        and '{% extends "designer/survey.html" %}' not in text
    ]
    assert alone == ["new.html"], "which begins a survey and keeps what is typed where it is refused"
