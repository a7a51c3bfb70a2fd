"""A person answers, on both pairs of services. The tests check what leaves the browser, is stored and is counted (P1,
P4)."""

import json

import pytest

from surveys.survey.definition.layout import Layout
from tests.support.respondents import Visit, Wire, answers, count, loses_the_response, open_page, stored_rows

# All other modules use the embedded pair, so daily only production's pair is tested here.
PAIRS = [pytest.param("embedded", marks=pytest.mark.long), "production"]
pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", PAIRS, indirect=True)]


def _in_focus(page):
    return page.evaluate("document.activeElement.textContent || document.activeElement.tagName")


def test_a_person_answers_with_the_keyboard_alone(survey, page):
    visit = Visit(page, survey).load()
    keys = page.keyboard

    keys.press("Tab")
    assert _in_focus(page) == "How are you protected?"
    keys.press("Tab")
    assert _in_focus(page) == "Yes"
    keys.press("ArrowUp")  # the last follows before the first
    assert _in_focus(page) == "No" and visit.chosen == ["No"]
    keys.press("ArrowDown")
    assert _in_focus(page) == "Yes" and visit.chosen == ["Yes"]

    keys.press("Tab")  # a group is one stop, and passing it selects nothing
    assert _in_focus(page) == "Poor" and visit.chosen == ["Yes"]
    keys.press("Space")
    keys.press("Tab")
    keys.press("ArrowRight")
    assert visit.chosen == ["Yes", "Poor", "Farming & <b>crafts</b>"]

    keys.press("Tab")
    keys.type("gion 1")
    visit.sees("6 of 14 match.")
    keys.press("Tab")
    assert _in_focus(page) == "Region 1"
    keys.press("ArrowDown")  # to the next one that remains
    assert _in_focus(page) == "Region 10" and visit.chosen[-1] == "Region 10"
    keys.press("Tab")
    keys.type("abc")
    visit.sees("This is not a number yet.")

    keys.press("Tab")
    keys.press("Tab")
    assert _in_focus(page) == "Send my randomized answers"
    keys.press("Enter")
    assert _in_focus(page) == "INPUT", "sending with a gap leads to the gap"
    visit.sees("One question still needs an answer.")
    keys.press("ControlOrMeta+A")
    keys.type("34.5")
    visit.sees("Counts as: 30 to under 35 years.")

    keys.press("Tab")
    keys.press("Space")
    assert visit.chosen[-1] == "Prefer not to say" and "34.5" not in visit.chosen
    keys.press("Shift+Tab")
    keys.type("20")
    assert visit.chosen[-1] == "20" and "Prefer not to say" not in visit.chosen

    keys.press("Tab")
    keys.press("Tab")
    keys.press("Enter")
    visit.is_thanked()
    assert _in_focus(page) == "Thank you"


def test_all_that_leaves_after_loading_is_the_report_shown_and_the_wish_for_two_files(system, survey, page):
    visit = Visit(page, survey).load()
    loaded = len(visit.requests)
    assert {sent.method for sent in visit.requests} == {"GET"}
    visit.answer().send().is_thanked()
    page.wait_for_timeout(500)  # time for anything that should not happen

    post, *files = visit.requests[loaded:]
    assert {sent.url for sent in files} == {f"{system.url}/respond/{name}" for name in ("outcome.js", "en-more.js")}
    report = json.loads(post.post_data)
    assert (post.method, post.url) == ("POST", f"{system.url}/respond/reports")
    assert list(report) == ["report_id", "digest", "answers"]
    assert report["digest"] == survey.digest
    assert list(report["answers"]) == [question["key"] for question in survey.definition["questions"]]
    assert post.post_data == json.dumps(report, separators=(",", ":")) == visit.shown_report
    headers = post.all_headers()
    assert headers["survey-link"] == survey.slug
    assert not {"cookie", "referer", "authorization"} & headers.keys()
    assert headers["content-type"] == "application/json"

    assert stored_rows(system, post.post_data) == [Layout(survey.definition).pack(report["answers"])]


def test_a_report_sent_again_is_the_same_bytes_and_counted_once(system, tmp_path, browser):
    survey, sent = open_page(system, tmp_path), []
    for mishap, thanks in MISHAPS.values():
        with browser.new_context() as context:
            sent.append(sent_again(context.new_page(), survey, mishap, thanks))
    assert [len(stored_rows(system, each)) for each in sent] == [1, 1]
    assert count(system, survey) == (2, 2)


MISHAPS = {
    "the server is down": (answers(503), "Your report is recorded."),
    "the response is lost": (loses_the_response, "had already been recorded, once."),
}


def sent_again(page, survey, mishap, thanks):
    """Send a report again after the mishap. Return the report as the page shows it."""
    visit = Visit(page, survey).load()
    wire = Wire(page, mishap)
    visit.answer().send()
    visit.sees("Not sent yet.")
    assert not visit.is_asking
    visit.is_thanked()
    visit.sees(thanks)
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1
    assert wire.bodies[0] == visit.shown_report.encode()
    return visit.shown_report
