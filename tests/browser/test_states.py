"""Every state of the respondents' page in each of its languages. axe-core finds no barrier, and nothing is wider than
the window, on a narrow phone and at a desk, in light and dark. Daily, axe looks at the states in Arabic. Only words
could make a barrier in another language alone, and the words are checked in each."""

import json
import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.everything import NEXT, SEND, answer, straight
from tests.support.fingers import Fingers
from tests.support.interruptions import STOPPED
from tests.support.languages import MOST, spoken
from tests.support.respondents import Survey, Wire, answers, open_page
from tests.support.site import altered
from tests.support.studio import begun_draft
from tests.support.widths import beyond
from tests.support.witness import ANOTHER, WAITING

pytestmark = [
    *(pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)),
    *(pytest.mark.statistical, pytest.mark.parametrize("language", MOST)),
]

ANSWERS = {"moved": 0, "age": 1, "work": 1, "income": "1200"}
ANSWERS |= {"likes": [True, False, True, False], "content": 2, "places": [0, 2]}
BEGIN = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from surveys.life.lifecycle import Terms, begin_draft, open_survey
user, _ = User.objects.get_or_create(username="waiting")
draft = begin_draft(user, json.loads({draft!r}))
open_survey(draft, user, terms=Terms(opens_at=timezone.now() + timedelta(hours=30)))
print("early", draft.slug)
"""
DRAFT = spoken()
AGREED = "section:has(#agreed) > .primary"
# Show delayed parts at once. Return the milliseconds of the delay.
TIME_PASSES = """() => {
  const running = document.getAnimations();
  const ends = running.map((each) => each.effect.getComputedTiming().endTime);
  running.forEach((each) => each.finish());
  return Math.max(...ends);
}"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("states"), DRAFT)


@pytest.fixture(scope="module")
def closed(system, tmp_path_factory):
    survey = open_page(system, tmp_path_factory.mktemp("closed"), DRAFT)
    system.manage("survey", "close", "--", survey.slug)
    return survey.page


@pytest.fixture(scope="module")
def early(system):
    said = system.manage("shell", "-c", BEGIN.format(draft=json.dumps(DRAFT)))
    return f"{system.url}/s/#{said.partition('early ')[2].split()[0]}"


@pytest.fixture
def at(browser, language, nightly):
    """Yield a person's page in the language. `is_sound(state)` checks it."""
    with browser.new_context(locale=language, viewport={"width": 320, "height": 844}) as context:
        person = Fingers(context.new_page())
        person.is_sound = partial(is_sound, person.page, language, nightly or language == "ar")
        yield person


def is_sound(page, language, whole, state):
    assert page.locator("html").get_attribute("lang") == language
    found = violations(page) if whole else []
    assert found == [] and beyond(page) == 0, state


def load(at, address):
    at.page.goto(address)
    at.wait("#promise, #outcome")


def unfold(at, summaries="#check > details > summary"):
    """Open the folded parts one after the other, and wait for parts in separate files."""
    for summary in at.page.locator(summaries).all():
        summary.click()
        summary.locator("xpath=following-sibling::*").first.wait_for()


# Asking ---------------------------------------------------------------------------------------------------------------


def test_while_it_asks(at, survey):
    load(at, survey.page)
    at.is_sound("the beginning")
    at.click(AGREED)
    at.wait("#consent-error:not(:empty)")
    unfold(at, "#stage summary")
    unfold(at)
    at.wait("#check .fingerprint")
    at.click("#check details details summary")
    at.wait("#audited")
    at.is_sound("consent is missing and all is unfolded")
    at.click("#agreed")
    at.click(AGREED)
    at.wait(".question")
    at.is_sound("a section")
    at.click(NEXT)
    at.wait(".summary li")
    at.is_sound("gaps are named")
    at.click("section > div > .link")
    for key, given in ANSWERS.items():
        answer(at, survey.definition, key, given, arabic=True)
    at.wait(".counts:not(:empty)")
    at.is_sound("all is answered")


# Sending --------------------------------------------------------------------------------------------------------------


def answered(at, survey):
    load(at, survey.page)
    straight(at, survey.definition, ANSWERS)


def test_while_it_sends_and_after(at, survey, language):
    held = []
    Wire(at.page, held.append, answers(503, retry_after="60"))
    answered(at, survey)
    at.click(SEND)
    at.wait("#stage [role=status]:not(:empty)")
    at.is_sound("sending")
    held[0].abort()
    at.wait(WAITING)
    at.is_sound("no network")
    at.page.locator(WAITING).dispatch_event("click")  # unless the page has tried again by itself meanwhile
    at.wait(f"{WAITING}[aria-disabled=true]")
    at.is_sound("asked to wait")
    at.page.reload()
    at.wait("details:has(.bytes)")
    unfold(at, "#stage summary")
    at.is_sound("thanks")
    unfold(at)
    at.wait(".budget table")
    day = at.page.locator(".budget tbody td").first.inner_text()
    assert re.search("[0-9]", day), "in the digits of the page's numbers"
    at.is_sound("what was sent")
    at.click(".budget .button", 1)
    at.wait(".budget p:focus")
    at.is_sound("a shared device")
    at.page.reload()
    at.click(ANOTHER)
    at.wait("#another-person .primary")
    at.is_sound("answered, and asked whether somebody else is there")


@pytest.mark.parametrize("status", [409, 410, 422])
def test_where_the_report_is_refused(at, survey, status):
    problem = {"status": 409, "type": "/problems/not-begun"} if status == 409 else {"status": status}
    refuse = {"status": status, "content_type": "application/problem+json", "body": json.dumps(problem)}
    Wire(at.page, lambda route: route.fulfill(**refuse))
    answered(at, survey)
    at.click(SEND)
    at.wait("details:has(.bytes)")
    unfold(at, "#stage summary")
    at.is_sound(status)


# Stopped --------------------------------------------------------------------------------------------------------------


def test_where_it_stops_before_it_asks(at, survey):
    for state, prepare in STOPPED.items():  # states that replace the page's script come last
        at.page.unroute_all()
        prepare(at.page, survey)
        at.page.goto(survey.page.replace("/s/#", "/healthz#"))  # within one document a link only changes the URL
        load(at, survey.page)
        assert at.page.locator("#promise, .question").count() == 0, state
        at.is_sound(state)


def test_where_the_report_cannot_be_made(at, survey):
    altered("makeReport = () => { throw new Error(); };")(at.page)
    answered(at, survey)
    at.click(SEND)
    at.page.locator("#outcome").wait_for()
    expect(at.page.locator(".question")).to_have_count(0)
    at.is_sound("not made")


def test_where_a_folded_part_does_not_come(at, survey):
    at.page.route("**/budget.js", lambda route: route.fulfill(body="0"))
    load(at, survey.page)
    unfold(at, "#check > details:last-child > summary")
    at.is_sound("a part is missing")


# Not asking -----------------------------------------------------------------------------------------------------------


def test_before_it_asks_and_when_it_no_longer_does(at, survey, closed, early):
    for state, address in (("closed", closed), ("early", early)):
        at.page.goto(address)
        at.wait("#check summary")
        at.is_sound(state)
    at.page.route("**/definition", lambda route: None)
    at.page.goto(survey.page)
    at.page.locator("[data-notice=read]").first.wait_for(state="attached")
    assert at.page.evaluate(TIME_PASSES) == 20_000
    at.wait("[data-notice=read]:not([hidden])")
    at.is_sound("preparing")


def test_a_designers_preview(at, system, language):
    number, cookie = begun_draft(system, DRAFT)
    at.page.context.add_cookies([cookie])
    survey = Survey("", f"{system.url}/surveys/{number}/preview/", "", DRAFT, "")
    load(at, survey.page)
    at.is_sound("a preview")
