"""A survey's life in the studio in a real browser: drafted, opened, shared, watched, ended and deleted. No page has a
barrier."""

import json
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from ldp.privatize import make_report
from ldp.words import system_words
from surveys.public.demo import client
from tests.support.accessibility import violations
from tests.support.journeys import request
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFT = {
    "title": "A life of its own",
    "introduction": "From the draft to the end.",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Have you ever?", "note": "Even once.", "alpha": "4"},
        {"key": "long", "kind": "single_choice", "text": "Which of these?", "alpha": "5"}
        | {"options": [f"Option {i} with a name that is rather long" for i in range(14)]},
    ],
}
BEGIN = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from surveys.life.lifecycle import Terms, begin_draft, open_survey
user, _ = User.objects.get_or_create(username="living")
client = Client()
client.force_login(user)
(name, cookie), = client.cookies.items()
draft, early, bad = (begin_draft(user, each) for each in json.loads({drafts!r}))
open_survey(early, user, terms=Terms(opens_at=timezone.now() + timedelta(hours=30)))
print("begun", json.dumps([draft.pk, early.slug, bad.pk, name, cookie.value]))
"""
DELIVER = """
from django.utils import timezone
from surveys.designer.alerts import receivers
from surveys.models import Alert, Delivery, Survey
survey = Survey.objects.get(pk={number})
webhook, _secret = receivers.add_webhook(survey, survey.memberships.get().user, "https://hooks.example.org/in")
today = timezone.now().date()
alert = Alert.objects.create(survey=survey, kind="survey.precision_reached", about="", day=today, data={{}})
Delivery.objects.create(alert=alert, webhook=webhook, name="one", state="sent", attempts=1, day=today, status=200)
"""
SMALL = """() => [...document.querySelectorAll("a.button, button, main input:not([type=hidden]), summary")]
  .filter((node) => node.checkVisibility() && (node.closest("label") ?? node).getBoundingClientRect().height < 44)
  .map((node) => node.outerHTML)"""


@pytest.fixture(scope="module")
def begun(system):
    drafts = json.dumps([DRAFT, DRAFT | {"title": "Not yet"}, {"title": "Bad", "questions": []}])
    said = system.manage("shell", "-c", BEGIN.format(drafts=drafts))
    number, early, bad, name, value = json.loads(said.partition("begun ")[2])
    return number, early, bad, {"name": name, "value": value, "url": system.url, "httpOnly": True}


@pytest.fixture
def studio(system, begun, context):
    """Return a page of the designer and a function that goes to a URL of the survey."""
    context.add_cookies([begun[3]])
    page = context.new_page()
    page.complaints = []

    def heard(said):
        if said.type in ("error", "warning") and "status of 422" not in said.text:  # a form that was not right yet
            page.complaints.append(said.text)

    page.on("console", heard)
    return page


def look(page, what):
    """Check the page: no barrier and no error. On a narrow screen nothing is cut off or too small for a finger."""
    assert violations(page) == [], what
    page.set_viewport_size({"width": 320, "height": 700})
    assert beyond(page) == 0, what
    assert page.evaluate(SMALL) == [], what
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.complaints == [], what


def send(system, slug, count):
    _, headers, canonical = request(f"{system.url}/api/v1/surveys/{slug}/definition")
    definition, digest = json.loads(canonical), headers["ETag"].strip('"')
    bodies = (make_report(definition, digest, {"yes": k % 2, "long": k % 14}, system_words) for k in range(count))
    client.send_all(f"{system.url}/api/v1/surveys/{slug}/reports", bodies, 8, lambda sent: None)


def test_deliveries_of_alerts_scroll_within_their_table(studio, system, begun):
    """A text for screen readers alone, at the end of a row, must not widen the page."""
    system.manage("shell", "-c", DELIVER.format(number=begun[0]))
    studio.goto(f"{system.url}/surveys/{begun[0]}/alerts/")
    assert "Precise enough" in studio.get_by_role("region", name="Deliveries").inner_text()
    look(studio, "deliveries of alerts")


def test_the_whole_life_of_a_survey(system, begun, studio):
    page, survey = studio, f"{system.url}/surveys/{begun[0]}/"
    page.goto(survey)
    look(page, "questions")
    tabs = page.get_by_role("navigation", name="This survey")
    for name in ("People and protection", "Texts and languages", "Try it", "Open"):
        tabs.get_by_role("link", name=name, exact=True).click()
        expect(tabs.locator("[aria-current=page]")).to_have_text(name)
        look(page, name)
    page.get_by_text("What is frozen").click()
    page.get_by_text("14 options").click()
    look(page, "opening")
    margins = page.get_by_role("list", name="How precise the answers will be").locator("b:visible")
    by_hand = margins.first.inner_text()
    page.get_by_role("radio", name="At a time or a number of reports, set now").check()
    assert float(margins.first.inner_text()[1:].split()[0]) < float(by_hand[1:].split()[0])
    page.get_by_label("Ends at a number of reports").fill("0")
    page.get_by_role("button", name="Open the survey").click()
    page.get_by_text("Not done yet").wait_for()
    look(page, "opening, refused")
    page.get_by_label("Ends at a number of reports").fill("5000")
    page.get_by_role("button", name="Open the survey").click()

    page.get_by_text("The survey is open.").wait_for()
    look(page, "sharing")
    link = page.locator("#the-link").text_content()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=system.url)
    for button, text in (("link", link), ("text", page.input_value("#mail")), ("HTML", page.input_value("#embed"))):
        page.get_by_role("button", name=f"Copy the {button}").press("Enter")
        expect(page.locator("#said")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == text and link in text
        page.evaluate("document.getElementById('said').textContent = ''")
    assert page.evaluate("document.querySelector('.qr img').naturalWidth") > 200

    page.goto(f"{survey}progress/")
    look(page, "progress without a release")
    slug = link.partition("#")[2]
    send(system, slug, 300)  # the page's number: fewer may still be held back
    system.eventually(lambda: page.reload() and page.get_by_text("at release ").count(), "a release is shown")
    assert page.evaluate("document.querySelector('.timeline img').naturalWidth") == 600
    look(page, "progress")
    page.goto(f"{survey}asked/")
    look(page, "what was asked")
    page.goto(survey)
    for fold in ("Results and files", "Ask again", "Put away"):
        page.get_by_role("heading", name=fold).click()
    look(page, "overview")
    page.get_by_role("link", name="End it now").click()
    look(page, "ending")
    page.get_by_role("button", name="End the survey").click()
    page.get_by_text("The survey has ended. Its last results").wait_for()
    look(page, "overview at the end")

    page.goto(f"{survey}delete/")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("This is not its title.").wait_for()
    look(page, "deleting, refused")
    page.get_by_label("To delete it, type").fill(DRAFT["title"])
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("is deleted.").wait_for()
    look(page, "listing")
    for gone in (f"/api/v1/surveys/{slug}/definition", f"/r/{slug}/"):
        assert request(system.url + gone)[0] == 404


def test_an_incomplete_draft_has_no_barrier(system, begun, studio):
    for name in ("", "alpha/", "texts/", "try/", "open/", "delete/"):
        studio.goto(f"{system.url}/surveys/{begun[2]}/{name}")
        look(studio, name)


def test_a_survey_has_five_tabs_and_a_menu_for_the_keyboard(system, begun, studio):
    studio.goto(f"{system.url}/surveys/{begun[2]}/questions/")
    tabs = studio.get_by_role("navigation", name="This survey")
    names = ["Questions", "People and protection", "Texts and languages", "Try it", "Open"]
    for width in (1280, 390):
        studio.set_viewport_size({"width": width, "height": 844})
        expect(tabs.locator("a:visible")).to_have_text(names)
    assert studio.evaluate("document.querySelector('header.site').clientHeight") < 2 * 44, "two rows"
    tabs.locator("summary").press("Enter")
    studio.keyboard.press("Tab")
    expect(tabs.get_by_role("link", name="Files")).to_be_focused()
    tabs.get_by_role("link", name="Alerts").click()
    expect(tabs.locator("summary")).to_have_text("More: Alerts")
    tabs.locator("summary").click()
    expect(tabs.get_by_role("link", name="Alerts")).to_have_attribute("aria-current", "page")
    look(studio, "unfolded")
    studio.set_viewport_size({"width": 390, "height": 844})
    studio.evaluate("document.documentElement.style.fontSize = '200%'")
    assert beyond(studio) == 0


def test_without_scripts_the_link_is_there_and_no_button_that_does_nothing(system, begun, browser):
    number = json.loads(system.manage("shell", "-v0", "-c", SLUG.format(slug=begun[1])))
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([begun[3]])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/{number}/share/")
    expect(page.locator("#the-link")).to_be_visible()
    assert page.locator("button[data-copy]:visible").count() == 0
    context.close()


SLUG = "from surveys.models import Survey; print(Survey.objects.get(slug='{slug}').pk)"


def test_before_its_beginning_a_survey_says_when_it_begins_and_then_asks(system, begun, page):
    page.goto(f"{system.url}/s/#{begun[1]}")
    page.get_by_role("heading", name="This survey has not begun").wait_for()
    page.get_by_text("Check it yourself").wait_for()
    asked = Request(f"{system.url}/respond/definition", headers={"Survey-Link": begun[1]})
    with urlopen(asked) as response:
        begins = response.headers["Survey-Begins"]
    at = "(at) => new Date(at).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' })"
    page.get_by_text(f"It begins on {page.evaluate(at, begins)}.").wait_for()  # by the reader's own clock
    assert page.locator("input").count() == 0 and violations(page) == []
    system.query(f"UPDATE surveys_survey SET opens_at = opened_at WHERE slug = '{begun[1]}'")
    page.reload()
    page.get_by_role("heading", name="Have you ever?").wait_for()
