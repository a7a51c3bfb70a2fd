"""The report that a browser keeps. It is sent once, even if tabs are opened or reloaded (P4)."""

import pytest

from tests.support.respondents import (
    ANSWERS,
    Visit,
    Wire,
    answers,
    at_once_in_two_tabs,
    loses_the_response,
    open_page,
    stored_rows,
)

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

AFTERWARDS = "h2:text('Thank you'), h2:text('already answered')"


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(visit):
    return visit.answer()


@pytest.fixture
def fresh(context):
    """Return a new page, to which tests may add scripts."""
    return context.new_page()


@pytest.fixture
def answered(fresh, survey):
    return Visit(fresh, survey).load().answer()


@pytest.mark.parametrize("mishap", [answers(503, retry_after="60"), loses_the_response], ids=["503", "response-lost"])
def test_a_page_opened_again_sends_the_report_that_waits(visit, page, survey, system, mishap):
    wire = Wire(page, mishap)
    visit.send().sees("Not sent yet.")
    waiting = {"slug": survey.slug, "digest": survey.digest, "body": wire.bodies[0].decode()}
    assert visit.stored == [waiting]
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
    visit.sees("Your finished report waits in this browser.")
    assert page.get_by_text("Nothing has been sent.").count() == 0
    page.unroute("**/definition")
    page.get_by_role("button", name="Try again").click()
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1

    page.route("**/definition", lambda route: route.abort())
    page.reload()
    visit.sees("The report that this browser sent earlier is not affected.")


def two_that_ask(context, survey):
    """Return two tabs with the questions. A person wants to answer in the second one as well."""
    tabs = [Visit(context.new_page(), survey).load() for _ in range(2)]
    tabs[1].press("Answer here instead").page.locator("#promise").wait_for()
    return tabs


def test_two_tabs_that_send_at_the_same_moment_send_one_report(context, survey, system):
    tabs = two_that_ask(context, survey)
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
    """The race runs for a hundred surveys at once: two tabs claim that their report is the report. On a busy machine
    storage may answer some too late; these claims last only as long as their tab."""
    claims = """async ({ tab, moment }) => {
      const { openStore } = await import("/static/respond/store.js");
      await new Promise((resolve) => setTimeout(resolve, moment - Date.now()));
      const own = (i) => ({ slug: `survey-${i}`, digest: `digest-${i}`, url: "/" });
      const stores = Array.from({ length: 100 }, (_, i) => openStore(own(i)));
      await Promise.all(stores.map((store, i) => store.claim(`tab ${tab}, survey ${i}`)));
      return Promise.all(stores.map(async (store) => [(await store.current()).body, store.lasting]));
    }"""
    both = list(zip(*at_once_in_two_tabs(context, system, claims), strict=True))
    stored = [(one, other) for (one, lasts), (other, lasts_too) in both if lasts and lasts_too]
    assert stored and all(one == other for one, other in stored)


@pytest.fixture(scope="module")
def other(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("other"))


def test_the_same_survey_at_another_address_says_that_it_was_answered(visit, page, survey, other):
    visit.send().is_thanked()
    assert other.digest == survey.digest
    again = Visit(page, other).load()
    again.sees("That was at another link with exactly the same questions. The report was recorded.")
    assert not again.is_asking and again.heading == "Someone has already answered this survey in this browser"
    page.get_by_role("button", name="Another person").click()
    page.get_by_role("button", name="Yes, another").click()
    again.answer().send().is_thanked()
    assert [record["slug"] for record in again.stored] == [other.slug]
    Visit(page, survey).load().sees("That was at another link")


def test_a_report_that_waits_goes_to_its_own_survey_also_from_another_one(visit, page, survey, other, system):
    Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    again = Visit(page, other).load().is_thanked()
    assert len(set(again.posts + visit.posts)) == 1
    *_, sent = (request for request in again.requests if request.method == "POST")
    assert sent.headers["survey-link"] == survey.slug
    assert len(stored_rows(system, again.shown_report)) == 1


def test_a_tab_steps_back_when_another_one_has_sent(context, survey):
    sender, waiting = (tab.answer() for tab in two_that_ask(context, survey))
    sender.page.bring_to_front()
    sender.send().is_thanked()
    waiting.page.bring_to_front()
    waiting.page.locator(AFTERWARDS).wait_for()
    assert not waiting.is_asking and waiting.chosen == []
    assert len(set(sender.posts)) == 1


def test_every_transaction_waits_for_the_disk_and_the_report_goes_after_its_own(fresh, survey):
    """A killed browser cannot show this: data that it handed to the system survives. A machine that loses power
    could."""
    page = fresh
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
    looked, claimed, settled = (["readwrite strict"] for _ in range(3))
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


# Daily, the test of leaving below has forbidden storage, and test_forms.py missing storage.
ELSEWHERE = ("no-such-thing", "forbidden")


@pytest.mark.parametrize(
    "refusal", [pytest.param(each, marks=pytest.mark.long if each in ELSEWHERE else ()) for each in REFUSALS]
)
def test_a_browser_without_storage_asks_to_keep_the_page_open(fresh, survey, refusal):
    page = fresh
    page.add_init_script(REFUSALS[refusal])
    visit = Visit(page, survey).load()
    if refusal != "disk-full":  # a full disk can still be read
        assert visit.heading == "Did you answer this survey before?" and not visit.is_asking
        visit.press("No, I have not answered yet")
    visit.answer()
    wire = Wire(page, answers(503))
    visit.send().sees("Please keep this page open: this browser does not let it keep the report.")
    visit.is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1


def test_leaving_with_a_report_that_this_page_alone_has_is_asked_about(fresh, survey):
    page = fresh
    page.add_init_script(REFUSALS["forbidden"])
    visit, dialogs = Visit(page, survey).load(), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.dismiss()))
    visit.press("No, I have not answered yet").answer()
    wire = Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Please keep this page open")
    visit.sees("Not sent yet.")
    with page.expect_event("dialog"):
        page.evaluate("setTimeout(() => location.reload())")
    assert dialogs == ["beforeunload"] and len(wire.bodies) == 1


# The page's first calls of its storage fail this many times, as if the disk is full or busy.
FAILS = """
  let times = %d;
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...given) {
    if (times-- > 0) throw new DOMException("for a moment", "UnknownError");
    return open.apply(this, given);
  };
"""


@pytest.mark.parametrize("kept", ["a receipt", "a report that waits"])
def test_an_error_of_storage_at_a_later_visit_asks_no_one_twice(answered, survey, kept):
    visit, page = answered, answered.page
    waits = kept == "a report that waits"
    wire = Wire(page, *([answers(503, retry_after="60")] if waits else []))
    visit.send().sees("Not sent yet." if waits else "Thank you")
    page.add_init_script(FAILS % 1)
    page.reload()
    visit.sees("Thank you" if waits else "already answered")
    assert not visit.is_asking and len(set(wire.bodies)) == 1


def test_what_storage_does_not_say_is_asked_before_any_question_and_looked_up_again(answered):
    visit, page = answered, answered.page
    wire = Wire(page, answers(503, retry_after="60"))
    visit.send().sees("Not sent yet.")
    page.add_init_script(FAILS % 3)
    page.reload()
    visit.sees("Did you answer this survey before?")
    assert not visit.is_asking
    visit.press("Try again").is_thanked()
    assert len(wire.bodies) == 2 and len(set(wire.bodies)) == 1


def test_storage_that_never_answers_keeps_no_one_waiting(fresh, survey):
    page = fresh
    page.add_init_script("IDBFactory.prototype.open = () => ({})")
    Visit(page, survey).load().sees("Did you answer this survey before?")


def test_no_page_promises_to_keep_a_report_that_a_private_window_forgets(visit, page):
    """Every context of the tests is a private window, and no page can detect it."""
    Wire(page, answers(503, retry_after="60"))
    visit.send().sees("A private window forgets the report when you close the window.")
    assert "keeps" not in page.locator("#stage").inner_text()
