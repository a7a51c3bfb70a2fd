"""A survey whose reports come through a relay (RFC 9458). The relay sees who sends a report but not its content. The
gateway sees the content but not the sender. If the relay is away, nothing goes without it unless the respondent
agrees."""

import json

import pytest

from surveys.survey import definition as definitions
from surveys.survey.definition import relay as field
from tests.support.accessibility import violations
from tests.support.invited_page import invitations, verifies
from tests.support.respondents import DRAFT, Visit, open_page, stored_rows

pytestmark = [pytest.mark.browser, pytest.mark.system]


@pytest.fixture(scope="module")
def survey(site, relays, tmp_path_factory):
    return open_page(site, tmp_path_factory.mktemp("relayed"), DRAFT | {"relay": relays[0].origin})


@pytest.fixture
def relay(relays):
    relays[0].seen.clear()
    relays[0].passes = True
    return relays[0]


@pytest.fixture
def page(browser):
    """Yield a page of a browser that trusts the relays' certificates."""
    with browser.new_context(ignore_https_errors=True) as context:
        yield context.new_page()


def sent_to(visit):
    """Return the targets of everything sent, in order."""
    return [made.url for made in visit.requests if made.method != "GET"]


def host(relay):
    return relay.origin.removeprefix("https://")


def test_a_report_comes_through_the_relay_which_sees_no_report(page, survey, site, relay):
    visit = Visit(page, survey).load()
    page.locator(".own summary").click()
    visit.sees(f"Your report goes through a relay, {host(relay)}, which someone else runs.")
    visit.answer().send().is_thanked()
    assert sent_to(visit) == [f"{relay.origin}/"], "nothing goes straight to the site"
    assert len(stored_rows(site, visit.shown_report)) == 1
    (seen,) = relay.seen
    report = json.loads(visit.shown_report)
    secrets = [visit.shown_report, report["report_id"], survey.slug, survey.digest, "recorded"]
    for secret in secrets:
        assert secret.encode() not in seen.capsule + seen.answer
        assert not any(secret in value for value in seen.headers.values())
    assert seen.passed == {"content-type": "message/ohttp-req", "content-length": str(len(seen.capsule))}
    assert seen.client == "127.0.0.1" and "127.0.0.1" not in seen.passed.values(), "which only the relay knows"


def test_lengths_tell_the_relay_nothing_of_a_report_or_what_became_of_it(page, survey, relay, browser):
    Visit(page, survey).load().answer().send().is_thanked()
    with browser.new_context(ignore_https_errors=True) as context:
        other = Visit(context.new_page(), survey).load()
        other.answer(affair=1, rating=3, work=0, region=13, age="7").send().is_thanked()
    one, other = relay.seen
    assert len(one.capsule) == len(other.capsule) and len(one.answer) == len(other.answer)
    assert one.capsule[:7] == other.capsule[:7] and one.capsule[7:39] != other.capsule[7:39]


def test_where_the_relay_is_away_the_report_waits_and_goes_nowhere_else(page, survey, site, relay):
    relay.passes = False
    visit = Visit(page, survey).load().answer().send()
    visit.sees(f"The page cannot reach the relay {host(relay)}, and keeps trying.")
    visit.press("Try again now").sees("Not sent yet.")
    assert violations(visit.page) == [] and visit.heading == "Sending your report"
    (record,) = visit.stored
    again = page.context.new_page()
    visit.page.close()
    visit = Visit(again, survey).load()
    visit.sees("The page cannot reach the relay")
    assert set(sent_to(visit)) == {f"{relay.origin}/"} and stored_rows(site, record["body"]) == []
    relay.passes = True
    visit.is_thanked()
    assert visit.shown_report == record["body"] and len(stored_rows(site, record["body"])) == 1
    assert set(sent_to(visit)) == {f"{relay.origin}/"}
    assert len({seen.capsule for seen in relay.seen}) == len(relay.seen), "no try looks like another"


def test_only_who_says_so_sends_a_report_without_the_relay(page, survey, site, relay):
    relay.passes = False
    visit = Visit(page, survey).load().answer().send().press("Send without the relay").is_thanked()
    *through, straight = sent_to(visit)
    assert set(through) == {f"{relay.origin}/"} and straight == f"{site.url}/respond/reports"
    assert len(stored_rows(site, visit.shown_report)) == 1


def test_an_answer_that_the_gateway_did_not_make_settles_nothing(page, survey, site, relay):
    """The relay could say that the report is recorded and throw it away."""
    forged = [{"status": 201, "content_type": "application/json", "body": '{"status":"recorded"}'}]
    forged += [{"status": 200, "content_type": "message/ohttp-res", "body": "x" * 300}]
    forged += [{"status": 410, "content_type": "application/problem+json", "body": '{"type":"/problems/closed"}'}]
    steps, everyone = list(forged), {"Access-Control-Allow-Origin": "*"}
    page.route(
        f"{relay.origin}/",
        lambda route: route.fulfill(**steps.pop(0), headers=everyone) if steps else route.continue_(),
    )
    visit = Visit(page, survey).load().answer().stop_clock().send()
    for _ in forged:
        visit.sees("Not sent yet.")
        visit.press("Try again now")
    visit.is_thanked()
    assert steps == [] and len(stored_rows(site, visit.shown_report)) == 1


def test_the_page_connects_to_the_relay_of_its_survey_and_to_no_other(page, survey, relays):
    blocked = """async (url) => {
      const said = new Promise((resolve) => document.addEventListener("securitypolicyviolation",
        (event) => resolve(event.effectiveDirective)));
      await fetch(url).catch(() => {});
      return said;
    }"""
    policy = page.goto(survey.page).headers["content-security-policy"]
    assert f"connect-src 'self' {relays[0].origin} {relays[1].origin};" in policy
    Visit(page, survey).load()
    assert (
        page.evaluate("(url) => fetch(url, { mode: 'no-cors' }).then(({ type }) => type)", relays[0].origin) == "opaque"
    )
    assert page.evaluate(blocked, relays[1].origin) == "connect-src"


def test_an_invitation_is_used_and_its_report_sent_through_the_relay(page, site, relay, tmp_path):
    survey = open_page(site, tmp_path, DRAFT | {"relay": relay.origin, "invitations": True})
    visit = Visit(page, next(invitations(site, survey, 1))).load().answer().send().is_thanked()
    assert sent_to(visit) == 2 * [f"{relay.origin}/"] and len(relay.seen) == 2
    assert verifies(survey, visit.shown_report) and len(stored_rows(site, visit.shown_report)) == 1


def test_all_of_it_is_said_in_german_and_arabic(page, site, relay, tmp_path):
    words = {
        "de": ("Ihre Meldung geht über eine Zwischenstelle", "Ohne die Zwischenstelle senden"),
        "ar": ("يمر تقريرك عبر وسيط", "الإرسال بدون الوسيط"),
    }
    question = {"key": "moved", "kind": "yes_no", "text": "?", "alpha": "1", "mechanism": "randomized_response"}
    relay.passes = False
    for language, (promise, direct) in words.items():
        draft = {"title": "!", "introduction": "", "language": language, "questions": [question]}
        visit = Visit(page, open_page(site, tmp_path, draft | {"relay": relay.origin})).load()
        page.locator(".own summary").click()
        visit.sees(promise)
        page.get_by_role("radio").first.click()
        page.locator(".finish .primary").click()
        visit.press(direct)
        page.locator(".bytes").wait_for(state="attached")


SHAPES = {
    "a relay": ({"key": field.NO_KEY, "origin": "https://relay.example.org"}, True),
    "a port": ({"key": field.text_of(255, b"\xff" * 32), "origin": "https://relay.example.org:8443"}, True),
    "http": ({"key": field.NO_KEY, "origin": "http://relay.example.org"}, False),
    "a path": ({"key": field.NO_KEY, "origin": "https://relay.example.org/"}, False),
    "a way up": ({"key": field.NO_KEY, "origin": "https://relay.example.org/.."}, False),
    "somebody": ({"key": field.NO_KEY, "origin": "https://me@relay.example.org"}, False),
    "capitals": ({"key": field.NO_KEY, "origin": "https://Relay.example.org"}, False),
    "a policy": ({"key": field.NO_KEY, "origin": "https://a.org; script-src *"}, False),
    "a line": ({"key": field.NO_KEY, "origin": "https://relay.example.org\n"}, False),
    "a key short": ({"key": field.NO_KEY[:-1], "origin": "https://relay.example.org"}, False),
    "a key long": ({"key": field.NO_KEY + "A", "origin": "https://relay.example.org"}, False),
    "base64": ({"key": "+" + field.NO_KEY[1:], "origin": "https://relay.example.org"}, False),
    "no key": ({"origin": "https://relay.example.org"}, False),
    "more": ({"key": field.NO_KEY, "origin": "https://relay.example.org", "more": 1}, False),
    "as in a draft": ("https://relay.example.org", False),
    "null": (None, False),
}


def test_page_and_server_take_the_same_relays(page, survey):
    Visit(page, survey).load()
    texts = [definitions.canonical(survey.definition | {"relay": each}).decode() for each, _ in SHAPES.values()]
    problems = page.evaluate(
        """async (texts) => {
          const { certify } = await import("/respond/page.js");
          return texts.map((text) => certify(new TextEncoder().encode(text)).problem);
        }""",
        texts,
    )
    fits = [expected for _, expected in SHAPES.values()]
    assert [problem is None for problem in problems] == fits
    assert [definitions.certified(text.encode()) for text in texts] == fits
