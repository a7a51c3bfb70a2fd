"""The way to the server: the same bytes are sent until they are taken or refused, with plain words (P4).

Where possible, the real server answers, and reports are altered on their way to it.
"""

import json

import pytest

from tests.support.journeys import request
from tests.support.respondents import DRAFT, Visit, Wire, answers, finds_no_network, open_page, stored_rows

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

FAULT = "The server could not read the report. The survey's software is at fault, not you. Nothing was recorded."


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(visit):
    return visit.answer()


@pytest.fixture
def timed(context, survey):
    """Return a visit to a page whose clock the test moves."""
    return Visit(context.new_page(), survey).load().answer().stop_clock()


def twisted(body=None, **changes):
    """Return a step that passes the report on with another body, URL or headers."""
    return lambda route: route.continue_(post_data=body(route.request.post_data) if body else None, **changes)


def to_another(link):
    """Return a step that sends the report to another survey."""
    return lambda route: route.continue_(headers=route.request.headers | {"survey-link": link})


def other_definition(body):
    return json.dumps(json.loads(body) | {"digest": "0" * 64})


def another_report_was_first(survey):
    """Return a step that first sends another report with the same id."""

    def step(route):
        report = json.loads(route.request.post_data)
        [reported] = report["answers"]["affair"]
        report["answers"]["affair"] = [1 - reported]
        assert request(f"{survey.api}/reports", json.dumps(report))[0] == 201
        route.continue_()

    return step


@pytest.mark.parametrize(
    ("step", "words"),
    [
        pytest.param(
            to_another("nobody-has-it"),
            "This survey no longer exists. Nothing was recorded.",
            id="404",
        ),
        pytest.param(
            twisted(other_definition),
            "The report belongs to other questions than the survey asks now. Nothing was recorded.",
            id="409",
        ),
        pytest.param(twisted(lambda body: body + " " * 10_000), FAULT, id="413"),
        pytest.param(twisted(headers={"content-type": "text/plain"}), FAULT, id="415"),
        pytest.param(twisted(lambda body: body[:-1]), FAULT, id="422"),
    ],
)
def test_a_refusal_is_final_and_says_what_happened(visit, page, survey, system, request, step, words):
    status = int(request.node.callspec.id.partition("-")[0])
    wire = Wire(page, step)
    visit.send().sees(words)
    assert visit.heading == "Your report was not recorded"
    assert len(wire.bodies) == 1 and stored_rows(system, visit.shown_report) == []
    assert visit.stored == [{"slug": survey.slug, "digest": survey.digest, "outcome": "refused", "status": status}]
    page.reload()
    visit.sees("This browser has already sent a report")
    visit.sees(words)
    visit.sees("Please inform the person who invited you.")
    assert len(wire.bodies) == 1


EARLY = """
import json
from datetime import timedelta
from django.utils import timezone
from surveys.life.lifecycle import Terms, create_draft, open_survey
survey = create_draft(json.loads({draft!r}))
open_survey(survey, terms=Terms(opens_at=timezone.now() + timedelta(hours=1)))
print("early", survey.slug)
"""


def test_a_survey_that_has_not_begun_refuses_for_good_and_by_name(visit, page, survey, system):
    """The page asks nothing before the beginning. An API client that sends anyway gets this answer."""
    said = system.manage("shell", "-c", EARLY.format(draft=json.dumps(DRAFT)))
    early = said.partition("early ")[2].strip()
    wire = Wire(page, to_another(early))
    visit.send().sees("The survey has not begun. Nothing was recorded.")
    assert len(wire.bodies) == 1 and stored_rows(system, visit.shown_report) == []


def test_a_report_that_is_recorded_already_counts_as_done(visit, page, survey):
    wire = Wire(page, another_report_was_first(survey))
    visit.send().is_thanked()
    visit.sees("Your report had already been recorded, once.")
    assert len(wire.bodies) == 1


TROUBLE = "The server has a problem at the moment."
MISHAPS = (
    (finds_no_network, "The network or the server cannot be reached.", "1 second."),
    (answers(429), "The server is busy and asked for a pause.", "2 seconds."),
    (answers(500), TROUBLE, "4 seconds."),
    # Another server on the way says this, not the site's.
    (answers(403), TROUBLE, "8 seconds."),
    (answers(404), TROUBLE, "16 seconds."),
    (answers(409), TROUBLE, "32 seconds."),
)


def test_anything_else_is_tried_again_with_the_same_bytes(timed):
    visit, page = timed, timed.page
    wire = Wire(page, *(step for step, *_ in MISHAPS))
    visit.send()
    for _, words, pause in MISHAPS:
        visit.sees(f"Not sent yet. {words} The page tries again in {pause}")
        page.get_by_role("button", name="Try again now").click()
    visit.is_thanked()
    assert len(wire.bodies) == len(MISHAPS) + 1 and len(set(wire.bodies)) == 1


def test_a_pause_that_the_server_asked_for_cannot_be_shortened(timed):
    visit, page = timed, timed.page
    wire = Wire(page, answers(429, retry_after="30"))
    visit.send().sees("The page tries again in 30 seconds.")
    again = page.get_by_role("button", name="Try again now")
    assert again.get_attribute("aria-disabled") == "true"
    again.dispatch_event("click")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.clock.fast_forward(29_000)
    assert len(wire.bodies) == 1
    page.clock.fast_forward(1_000)
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1


def test_pauses_grow_to_a_minute_and_no_further(timed):
    visit, page = timed, timed.page
    pauses = ["1 second", *(f"{n} seconds" for n in (2, 4, 8, 16, 32, 60, 60))]
    wire = Wire(page, *[answers(503)] * len(pauses))
    visit.send()
    for pause in pauses:
        visit.sees(f"tries again in {pause}.")
        page.clock.fast_forward(1000 * int(pause.split()[0]))
    visit.is_thanked()
    assert len(wire.bodies) == len(pauses) + 1 and len(set(wire.bodies)) == 1


def test_a_server_that_never_answers_is_given_up_for_this_time(timed):
    visit, page = timed, timed.page
    held = []
    wire = Wire(page, held.append)
    visit.send().sees("Sending…")
    page.clock.fast_forward(15_000)
    visit.sees("Not sent yet. The network or the server cannot be reached.")
    page.get_by_role("button", name="Try again now").click()
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1
    held[0].abort()


def test_the_report_goes_at_once_when_the_network_is_back(timed, context, system):
    visit, page = timed, timed.page
    context.set_offline(True)
    visit.send()
    for pause in ("1 second", "2 seconds", "4 seconds", "8 seconds", "16 seconds"):
        visit.sees(f"The network or the server cannot be reached. The page tries again in {pause}.")
        page.clock.fast_forward(1000 * int(pause.split()[0]))
    visit.sees("The page tries again in 32 seconds.")
    context.set_offline(False)
    visit.is_thanked()  # long before the pause is over
    assert len(set(visit.posts)) == 1
    assert len(stored_rows(system, visit.shown_report)) == 1


def test_after_the_closing_reports_are_refused_and_the_page_says_that_it_is_closed(browser, system, tmp_path):
    survey = open_page(system, tmp_path)
    contexts = [browser.new_context() for _ in range(2)]
    answering, waiting = (Visit(context.new_page(), survey).load().answer() for context in contexts)
    Wire(waiting.page, answers(503, retry_after="60"))
    waiting.send().sees("Not sent yet.")
    system.manage("survey", "close", survey.slug)

    answering.send().sees("The survey closed before the report arrived. Nothing was recorded.")
    waiting.page.reload()
    waiting.sees("The survey closed before the report arrived. Nothing was recorded.")
    assert stored_rows(system, answering.shown_report) == stored_rows(system, waiting.shown_report) == []

    waiting.page.reload()
    waiting.sees("This survey is closed")
    waiting.page.wait_for_load_state("networkidle")
    assert waiting.heading == "This survey is closed" and not waiting.is_asking
    waiting.page.get_by_role("link", name="See the results").click()
    assert waiting.page.url == f"{system.url}/r/{survey.slug}/"
    for context in contexts:
        context.close()
