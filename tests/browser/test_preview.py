"""The designer's preview in Chromium: the respondents' own page, which sends nothing and keeps nothing."""

import copy
import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from surveys.web import policies
from tests.support.accessibility import violations
from tests.support.respondents import DRAFT, Survey, Visit
from tests.support.studio import begun_draft

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

UNFINISHED = copy.deepcopy(DRAFT)
UNFINISHED["questions"].append({"key": "later", "kind": "single_choice", "text": "Unfinished?", "options": ["one"]})

SPY = """
  window.opened = [];
  addEventListener("securitypolicyviolation", (event) => opened.push(event.violatedDirective));
  for (const name of ["BroadcastChannel", "WebSocket", "EventSource", "XMLHttpRequest"]) {
    window[name] = class { constructor() { opened.push(name); } };
  }
  const { open } = indexedDB;
  indexedDB.open = (...given) => { opened.push("indexedDB"); return open.apply(indexedDB, given); };
"""


@pytest.fixture(scope="module")
def draft(system):
    number, cookie = begun_draft(system, UNFINISHED)
    return f"{system.url}/surveys/{number}/preview/", cookie


@pytest.fixture
def visit(page, draft):
    address, cookie = draft
    page.context.add_cookies([cookie])
    return Visit(page, Survey("", address, "", {}, ""))


def test_answering_and_sending_in_the_preview_asks_the_site_for_nothing_but_its_definition(visit, draft):
    visit.page.add_init_script(SPY)
    visit.load()
    assert visit.page.get_by_role("complementary", name="Preview").locator("li").all_inner_texts() == ["Unfinished?"]
    visit.answer().send().sees("Nothing was sent")
    assert visit.heading == "Nothing was sent"
    assert visit.page.evaluate("document.activeElement.textContent") == "Nothing was sent"
    report = json.loads(visit.shown_report)
    assert report["answers"].keys() == {question["key"] for question in DRAFT["questions"]}
    others = [made.url for made in visit.requests if "/respond/" not in made.url]
    assert others == [draft[0], f"{draft[0]}definition"] and visit.posts == []
    assert visit.page.evaluate("[opened, document.cookie]") == [[], ""]
    assert visit.stored == [] and visit.page.evaluate("async () => (await indexedDB.databases()).length") == 0
    visit.page.get_by_role("button", name="Begin again").click()
    visit.sees("0 of 5 answered")
    assert visit.chosen == []


def test_a_test_answer_is_sent_as_it_was_drawn_and_seen_to_arrive_in_the_studio(visit, draft, system):
    whole, cookie = begun_draft(system, DRAFT)
    studio = f"{system.url}/surveys/{whole}/try/"
    visit.page.context.add_cookies([cookie])
    watching = visit.page.context.new_page()
    watching.goto(studio)
    watching.get_by_text("No test answer has arrived yet").wait_for()
    answering = Visit(visit.page, Survey("", f"{studio}page/", "", {}, ""))
    answering.load().answer().send().sees("Your test answer arrived")
    assert answering.heading == "Your test answer arrived" and violations(answering.page) == []
    [body] = answering.posts
    assert answering.shown_report == body and json.loads(body)["digest"].startswith("test-")
    of_draft = f"SELECT count(*) FROM surveys_report WHERE survey_id = {whole}"
    assert answering.stored == [] and system.query(of_draft) == [(0,)]
    watching.get_by_text("Arrived, kept apart, never counted").wait_for()
    assert watching.locator("#announcer").text_content() == "A test answer arrived."
    watching.get_by_text("bytes that were sent").click()
    assert watching.locator(".bytes code").text_content() == body and violations(watching) == []
    others = [made.url for made in answering.requests if "/respond/" not in made.url and made.frame.page != watching]
    assert others == [f"{studio}page/", f"{studio}page/definition", f"{studio}page/reports"]


def test_a_tester_without_an_account_answers_by_the_link(context, browser, system):
    number, cookie = begun_draft(system, DRAFT)
    context.add_cookies([cookie])
    studio = context.new_page()
    studio.goto(f"{system.url}/surveys/{number}/try/")
    studio.get_by_role("button", name="Make a link for testers").click()
    path = studio.locator("#the-link").text_content().partition("/try/")[2]
    with browser.new_context() as other:
        tester = Visit(other.new_page(), Survey("", f"{system.url}/try/{path}", "", {}, ""))
        tester.load().answer().send().sees("Your test answer arrived")
        assert violations(tester.page) == [] and other.cookies() == []
    studio.get_by_text("Arrived, kept apart, never counted").wait_for()


def test_a_test_answer_that_cannot_arrive_says_so_and_what_to_do(visit, system):
    number, cookie = begun_draft(system, DRAFT)
    visit.page.context.add_cookies([cookie])
    answering = Visit(visit.page, Survey("", f"{system.url}/surveys/{number}/try/page/", "", {}, ""))
    answering.load().answer()
    visit.page.route("**/page/reports", lambda route: route.abort())
    answering.send().sees("Your test answer did not arrive")
    assert not visit.page.get_by_role("heading", name="Thank you").is_visible()
    visit.page.unroute("**/page/reports")
    answering.press("Begin again").answer()
    visit.page.route("**/page/reports", lambda route: route.fulfill(status=409))
    answering.send().sees("Your test answer was not taken")


def test_no_state_of_the_preview_has_a_barrier(visit, draft, system):
    visit.load()
    assert violations(visit.page) == []
    visit.answer().send().sees("Nothing was sent")
    assert violations(visit.page) == []
    number, cookie = begun_draft(system, {"title": "", "questions": []})
    visit.page.context.add_cookies([cookie])
    visit.page.goto(f"{system.url}/surveys/{number}/preview/")
    visit.sees("Nothing to ask yet")
    assert violations(visit.page) == []


def test_the_studio_may_frame_it_and_no_other_site(visit, draft, system, tmp_path):
    page = visit.page
    framing = f"<!doctype html><iframe src='{draft[0]}'></iframe>"
    headers = {"Content-Security-Policy": policies.WITH_PREVIEW}
    page.route("**/framing", lambda route: route.fulfill(body=framing, content_type="text/html", headers=headers))
    page.goto(f"{system.url}/framing")
    page.frame_locator("iframe").get_by_role("heading", name="Have you ever had an affair?").wait_for()
    (tmp_path / "index.html").write_text(framing)
    with another_site(tmp_path) as address:
        with page.expect_event("console", lambda message: "frame-ancestors" in message.text):
            page.goto(address)
        assert page.frame_locator("iframe").locator("#title").count() == 0


@contextmanager
def another_site(folder):
    """Serve the folder on its own port, and so on its own origin."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_a_preview_by_invitation_asks_without_one_and_says_what_it_gives(page, system):
    number, cookie = begun_draft(system, DRAFT | {"invitations": True})
    page.context.add_cookies([cookie])
    visit = Visit(page, Survey("", f"{system.url}/surveys/{number}/preview/", "", {}, "")).load()
    page.get_by_text("How are you protected?").click()
    visit.sees("The server signs that report without seeing it")
    visit.answer().send().sees("Nothing was sent")
    assert visit.posts == [] and "signature" not in json.loads(visit.shown_report)
