"""On the way to the server: whatever happens, the same bytes until they are taken or refused, said in plain words (P4).

What the server answers is what the real one answers, to reports that are twisted on their way, where that is possible.
"""

import json
from urllib.parse import urlsplit

import pytest

from tests.support.journeys import request
from tests.support.respondents import (
    ANSWERS,
    DRAFT,
    Visit,
    Wire,
    answers,
    finds_no_network,
    loses_the_response,
    open_page,
    stored_rows,
)

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


AFTERWARDS = "h2:text('Thank you'), h2:text('already answered')"
FAULT = "The server could not read it. This is a fault of the survey's software, not of yours. Nothing was recorded."


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("delivery"))


@pytest.fixture
def visit(page, survey):
    return Visit(page, survey).load().answer()


def twisted(body=None, **changes):
    """A step that passes the report on with another body, address or headers."""
    return lambda route: route.continue_(post_data=body(route.request.post_data) if body else None, **changes)


def other_definition(body):
    return json.dumps(json.loads(body) | {"digest": "0" * 64})


def another_report_was_first(route):
    """Another report with the same id reaches the server before this one."""
    report = json.loads(route.request.post_data)
    report["answers"]["affair"] = 1 - report["answers"]["affair"]
    assert request(route.request.url, json.dumps(report))[0] == 201
    route.continue_()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        pytest.param(
            lambda route: route.continue_(url=route.request.url.replace("/reports", "x/reports")),
            "There is no survey at this address any more. Nothing was recorded.",
            id="404",
        ),
        pytest.param(
            twisted(other_definition),
            "Its questions are not the ones the survey has now. Nothing was recorded.",
            id="409",
        ),
        pytest.param(twisted(lambda body: body + " " * 10_000), FAULT, id="413"),
        pytest.param(twisted(headers={"content-type": "text/plain"}), FAULT, id="415"),
        pytest.param(twisted(lambda body: body[:-1]), FAULT, id="422"),
    ],
)
def test_a_refusal_is_final_and_says_what_happened(visit, page, survey, system, step, words):
    wire = Wire(page, step)
    visit.send().sees(words)
    assert visit.heading == "Your report was not recorded"
    assert len(wire.bodies) == 1 and stored_rows(system, visit.shown_report) == []
    assert visit.stored == [{"slug": survey.slug, "digest": survey.digest, "outcome": "refused"}]
    page.reload()
    visit.sees("A report was already sent from this browser")
    assert len(wire.bodies) == 1


EARLY = """
import json
from datetime import timedelta
from django.utils import timezone
from surveys.lifecycle import Terms, create_draft, open_survey
survey = create_draft(json.loads({draft!r}))
open_survey(survey, terms=Terms(opens_at=timezone.now() + timedelta(hours=1)))
print("early", survey.slug)
"""


def test_a_survey_that_has_not_begun_refuses_for_good_and_by_name(visit, page, survey, system):
    """Its page asks nothing before; a program that sends all the same is told."""
    said = system.manage("shell", "-c", EARLY.format(draft=json.dumps(DRAFT)))
    early = said.partition("early ")[2].strip()
    wire = Wire(page, lambda route: route.continue_(url=route.request.url.replace(survey.slug, early)))
    visit.send().sees("The survey has not begun. Nothing was recorded.")
    assert len(wire.bodies) == 1 and stored_rows(system, visit.shown_report) == []


def test_a_report_that_is_recorded_already_counts_as_done(visit, page):
    wire = Wire(page, another_report_was_first)
    visit.send().is_thanked()
    visit.sees("Your report had already been recorded, once.")
    assert len(wire.bodies) == 1


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        pytest.param([finds_no_network], "The network or the server cannot be reached.", id="network"),
        pytest.param([answers(429)], "The server is busy and asked for a pause.", id="429"),
        pytest.param([answers(500)], "The server has a problem at the moment.", id="500"),
        # Not the words of this server, but of something on the way.
        pytest.param([answers(s) for s in (403, 404, 409)], "The server has a problem at the moment.", id="proxy"),
    ],
)
def test_anything_else_is_tried_again_with_the_same_bytes(visit, page, steps, words):
    wire = Wire(page, *steps)
    visit.send()
    for pause in ("1 second.", "2 seconds.", "4 seconds.")[: len(steps)]:
        visit.sees(f"Not sent yet. {words} The page tries again in {pause}")
        page.get_by_role("button", name="Try again now").click()
    visit.is_thanked()
    assert len(wire.bodies) == len(steps) + 1 and len(set(wire.bodies)) == 1


def test_a_pause_that_the_server_asked_for_cannot_be_shortened(visit, page):
    page.clock.install()
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


def test_pauses_grow_to_a_minute_and_no_further(visit, page):
    page.clock.install()
    pauses = ["1 second", *(f"{n} seconds" for n in (2, 4, 8, 16, 32, 60, 60))]
    wire = Wire(page, *[answers(503)] * len(pauses))
    visit.send()
    for pause in pauses:
        visit.sees(f"tries again in {pause}.")
        page.clock.fast_forward(1000 * int(pause.split()[0]))
    visit.is_thanked()
    assert len(wire.bodies) == len(pauses) + 1 and len(set(wire.bodies)) == 1


def test_a_server_that_never_answers_is_given_up_for_this_time(visit, page):
    page.clock.install()
    held = []
    wire = Wire(page, held.append)
    visit.send().sees("Sending…")
    page.clock.fast_forward(15_000)
    visit.sees("Not sent yet. The network or the server cannot be reached.")
    page.get_by_role("button", name="Try again now").click()
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1
    held[0].abort()


def test_the_report_goes_at_once_when_the_network_is_back(visit, page, context, system):
    page.clock.install()
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


@pytest.mark.parametrize("mishap", [answers(503, retry_after="60"), loses_the_response], ids=["503", "response-lost"])
def test_a_page_opened_again_sends_the_report_that_waits(visit, page, survey, system, mishap):
    wire = Wire(page, mishap)
    visit.send().sees("Not sent yet.")
    waiting = {"slug": survey.slug, "digest": survey.digest, "url": urlsplit(f"{survey.api}/reports").path}
    assert visit.stored == [waiting | {"body": wire.bodies[0].decode()}]
    page.reload()
    visit.is_thanked()
    assert not visit.is_asking
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1
    assert len(stored_rows(system, visit.shown_report)) == 1


def test_a_page_that_cannot_load_its_questions_says_what_became_of_the_report(visit, page):
    page.route("**/definition", lambda route: route.abort())
    page.reload()
    visit.sees("The questions did not arrive")
    visit.sees("Nothing has been sent.")
    page.unroute("**/definition")
    page.get_by_role("button", name="Try again").click()
    visit.sees("0 of 5 answered")

    wire = Wire(page, answers(503, retry_after="60"))
    visit.answer().send().sees("Not sent yet.")
    page.route("**/definition", lambda route: route.abort())
    page.reload()
    visit.sees("Your finished report waits in this browser and is sent once this page opens as it should.")
    assert page.get_by_text("Nothing has been sent.").count() == 0
    page.unroute("**/definition")
    page.get_by_role("button", name="Try again").click()
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1

    page.route("**/definition", lambda route: route.abort())
    page.reload()
    visit.sees("The report sent earlier from here is not affected.")


def test_two_tabs_that_send_at_the_same_moment_send_one_report(context, survey, system):
    tabs = [Visit(context.new_page(), survey).load() for _ in range(2)]
    wire = Wire(context)
    for tab, different in zip(tabs, ({}, {"affair": 1, "age": "20"}), strict=True):
        tab.page.bring_to_front()
        tab.answer(**{**ANSWERS, **different})
    moment = tabs[0].page.evaluate("Date.now()") + 400
    for tab in tabs:
        tab.page.evaluate(
            """(moment) => {
              const buttons = [...document.querySelectorAll("button")];
              const send = buttons.find((button) => button.textContent.startsWith("Send"));
              setTimeout(() => send.click(), moment - Date.now());
            }""",
            moment,
        )
    for tab in tabs:
        tab.page.bring_to_front()
        tab.page.locator(AFTERWARDS).wait_for()
        assert not tab.is_asking
    assert len(set(wire.bodies)) == 1
    assert len(stored_rows(system, wire.bodies[0])) == 1


def test_of_two_tabs_that_finish_a_report_one_keeps_it(context, system):
    """The same race a hundred times at once: two tabs claim that theirs is the report, for a hundred surveys."""
    claims = """async ({ tab, moment }) => {
      const { openStore } = await import("/static/respond/store.js");
      await new Promise((resolve) => setTimeout(resolve, moment - Date.now()));
      const own = (i) => ({ slug: `survey-${i}`, digest: `digest-${i}`, url: "/" });
      const stores = Array.from({ length: 100 }, (_, i) => openStore(own(i)));
      await Promise.all(stores.map((store, i) => store.claim(`tab ${tab}, survey ${i}`)));
      return Promise.all(stores.map(async (store) => (await store.current()).body));
    }"""
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(f"{system.url}/healthz")
    moment = tabs[0].evaluate("Date.now()") + 500
    tabs[0].evaluate(f"given => {{ window.claimed = ({claims})(given); }}", {"tab": 0, "moment": moment})
    second = tabs[1].evaluate(claims, {"tab": 1, "moment": moment})
    assert tabs[0].evaluate("claimed") == second


@pytest.fixture(scope="module")
def other(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("other"))


def test_the_same_survey_at_another_address_says_that_it_was_answered(visit, page, survey, other):
    visit.send().is_thanked()
    assert other.digest == survey.digest
    again = Visit(page, other).load()
    again.sees("That was at another address, which has exactly the same questions. The report was recorded.")
    assert not again.is_asking and again.heading == "This survey was already answered in this browser"
    page.get_by_role("button", name="Another person").click()
    page.get_by_role("button", name="Yes, another").click()
    again.answer().send().is_thanked()
    assert [record["slug"] for record in again.stored] == [other.slug]
    Visit(page, survey).load().sees("That was at another address")


def test_a_report_that_waits_goes_to_its_own_address_also_from_another_one(visit, page, survey, other, system):
    Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    again = Visit(page, other).load().is_thanked()
    assert len(set(again.posts + visit.posts)) == 1
    assert again.requests[-1].url == f"{survey.api}/reports"
    assert len(stored_rows(system, again.shown_report)) == 1


def test_a_tab_steps_back_when_another_one_has_sent(context, survey):
    sender, waiting = (Visit(context.new_page(), survey).load().answer() for _ in range(2))
    sender.page.bring_to_front()
    sender.send().is_thanked()
    waiting.page.bring_to_front()
    waiting.page.locator(AFTERWARDS).wait_for()
    assert not waiting.is_asking and waiting.chosen == []
    assert len(set(sender.posts)) == 1


def test_every_transaction_waits_for_the_disk_and_the_report_goes_after_its_own(page, survey):
    """A killed browser cannot show this, since what it handed to the system survives; a machine without power would."""
    page.add_init_script("""
      window.noted = [];
      const begin = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (...given) {
        const begun = begin.apply(this, given);
        begun.addEventListener("complete", () => noted.push(`${begun.mode} ${begun.durability}`));
        return begun;
      };
      const send = fetch;
      window.fetch = (...given) => { if (given[1].method === "POST") noted.push("POST"); return send(...given); };
    """)
    Visit(page, survey).load().answer().send().is_thanked()
    looked, claimed, settled = (["readwrite strict"] * n for n in (1, 2, 1))  # one of the two looks what was kept
    assert page.evaluate("noted") == [*looked, *claimed, "POST", *settled]


FORBIDDEN = "{ get() { throw new DOMException('no', 'SecurityError'); } }"
REFUSALS = {
    "no-such-thing": "delete globalThis.indexedDB; delete Window.prototype.indexedDB",
    "forbidden": f"Object.defineProperty(window, 'indexedDB', {FORBIDDEN})",
    "cannot-open": "IDBFactory.prototype.open = () => { throw new DOMException('no', 'UnknownError'); }",
    "disk-full": """
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (record) { put.call(this, record); this.transaction.abort(); };
    """,
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_browser_without_storage_asks_to_keep_the_page_open(page, survey, refusal):
    page.add_init_script(REFUSALS[refusal])
    visit = Visit(page, survey).load().answer()
    wire = Wire(page, answers(503))
    visit.send().sees("Please keep this page open: this browser does not let it keep the report.")
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1


def test_after_the_closing_reports_are_refused_and_the_page_says_that_it_is_closed(browser, system, tmp_path):
    survey = open_page(system, tmp_path)
    contexts = [browser.new_context() for _ in range(2)]
    answering, waiting = (Visit(context.new_page(), survey).load().answer() for context in contexts)
    Wire(waiting.page, answers(503, retry_after="60"))
    waiting.send().sees("Not sent yet.")
    system.manage("survey", "close", survey.slug)

    answering.send().sees("The survey closed before it arrived. Nothing was recorded.")
    waiting.page.reload()
    waiting.sees("The survey closed before it arrived. Nothing was recorded.")
    assert stored_rows(system, answering.shown_report) == stored_rows(system, waiting.shown_report) == []

    waiting.page.reload()
    assert waiting.heading == "This survey is closed"
    waiting.page.wait_for_load_state("networkidle")
    assert waiting.heading == "This survey is closed" and not waiting.is_asking
    waiting.page.get_by_role("link", name="See the results").click()
    assert waiting.page.url == f"{system.url}/r/{survey.slug}/"
    for context in contexts:
        context.close()
