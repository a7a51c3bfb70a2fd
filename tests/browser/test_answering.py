"""The page while a person answers: its questions, its words and its storage. No answer stays anywhere (P1, P6)."""

import json

import pytest

from tests.support.respondents import ANSWERS, CONTROLS, DRAFT, Visit
from tests.support.site import open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Record every write to storage or display, before any script of the page runs.
NOTE_WRITES = """
  window.writes = [];
  const note = (owner, name) => {
    const original = owner[name];
    owner[name] = function (...given) {
      writes.push([name, ...given.map((value) => typeof value === "object" ? JSON.stringify(value) : String(value))]);
      return original.apply(this, given);
    };
  };
  for (const name of ["setItem", "removeItem", "clear"]) note(Storage.prototype, name);
  for (const name of ["pushState", "replaceState"]) note(History.prototype, name);
  note(IDBFactory.prototype, "open");
  for (const name of ["put", "add", "delete", "clear"]) note(IDBObjectStore.prototype, name);
  note(BroadcastChannel.prototype, "postMessage");
  note(CacheStorage.prototype, "open");
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  Object.defineProperty(document, "cookie", { ...cookie, set(value) { writes.push(["cookie", value]); } });
"""

READ_NUMBERS = """async ({question, typed}) => {
  const { readNumber, countsAs } = await import("/static/respond/number.js");
  return typed.map((text) => {
    const { answer, problem } = readNumber(question, text);
    return problem ?? (answer === undefined ? "" : countsAs(question, answer));
  });
}"""


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def fresh(context):
    """Return a new page, to which tests may add scripts and cookies."""
    return context.new_page()


def test_texts_of_a_survey_are_shown_as_text(visit, page):
    assert page.get_by_role("heading", level=1).inner_text() == DRAFT["title"] == page.title()
    assert page.get_by_role("radio", name="Farming & <b>crafts</b>").count() == 1
    assert page.locator("main i, main b").count() == 0


def test_a_gap_is_named_and_nothing_is_sent(visit, page, survey):
    visit.answer(affair=0, work=2, age="34").send()
    visit.sees("2 questions still need an answer.")
    assert page.evaluate("document.activeElement.textContent") == "Poor"
    marked = [key for key in ANSWERS if visit.question(key).locator("[aria-invalid=true]").count()]
    assert marked == ["rating", "region"]
    page.get_by_role("button", name="4. Where do you live?").click()
    assert page.evaluate("document.activeElement.closest('.question').textContent").startswith("Question 4 of 5")
    assert page.url == survey.page, "an address with the question's name would tell that it had been left out"

    visit.answer(rating=0, region=0)
    assert page.locator("[aria-invalid=true], .summary :text('still')").count() == 0
    assert visit.posts == []


def test_a_focused_control_is_not_hidden_by_the_bar(visit, page):
    page.set_viewport_size({"width": 320, "height": 400})
    visit.answer(affair=0, rating=0).send()
    below_bar = """document.activeElement.getBoundingClientRect().top
      - document.querySelector(".progress").getBoundingClientRect().bottom"""
    assert page.evaluate(below_bar) > 0


def test_a_number_counts_in_the_group_that_the_page_names(page, system):
    open_blank(page, system.url)
    question = {"kind": "histogram", "edges": ["0", "1000", "2000", "5000"], "unit": "euros", "prefer_not_to_say": True}
    question |= {"options": ["under 1000", "1000 to under 2000", "2000 or more", "Prefer not to say"]}
    unclear = "This is not a number yet. Enter digits only, such as 34 or 34.5."
    readings = {
        "": "",
        "0": "Counts as: under 1000 euros.",
        "-5": "Counts as: under 1000 euros.",
        "−3": "Counts as: under 1000 euros.",
        "999.99": "Counts as: under 1000 euros.",
        ",5": "Counts as: under 1000 euros.",
        "1000": "Counts as: 1000 to under 2000 euros.",
        "1999,5": "Counts as: 1000 to under 2000 euros.",
        "30 000": "Counts as: 2000 or more euros.",
        "9999999": "Counts as: 2000 or more euros.",
        "1.500": "Do you mean 1500 or 1.5? Enter that.",
        "30,000": "Counts as: 2000 or more euros.",
        "3 4": unclear,
        "1e3": unclear,
        "0x10": unclear,
        "1,5,0": unclear,
        "٣": "Counts as: under 1000 euros.",
        "三": unclear,
        "many": unclear,
    }
    assert page.evaluate(READ_NUMBERS, {"question": question, "typed": list(readings)}) == list(readings.values())


def test_without_javascript_there_is_no_form_and_no_control(browser, survey):
    context = browser.new_context(java_script_enabled=False)
    visit = Visit(context.new_page(), survey)
    visit.page.goto(survey.page)
    assert visit.page.locator(CONTROLS).count() == 0
    assert visit.page.get_by_role("heading", name="The survey has not begun").is_visible()
    assert visit.page.locator(".preparing").is_hidden()
    assert visit.posts == []
    context.close()


def test_back_and_reload_bring_no_answer_back(visit, page, system):
    visit.answer()
    assert len(visit.chosen) == len(ANSWERS)
    page.reload()
    visit.sees("0 of 5 answered")
    assert visit.chosen == []

    visit.answer()
    page.goto(f"{system.url}/")
    page.go_back()
    visit.sees("0 of 5 answered")
    assert visit.chosen == []

    visit.answer().send().is_thanked()
    page.reload()
    visit.sees("Someone has already answered this survey in this browser")
    page.goto(f"{system.url}/")
    page.go_back()
    visit.sees("Someone has already answered this survey in this browser")
    assert not visit.is_asking


def test_a_page_kept_for_the_back_button_keeps_no_answer(visit, page):
    visit.answer(age="many").answer()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert visit.chosen == []
    assert page.locator(".counts").inner_text() == ""
    visit.sees("0 of 5 answered")


def test_nothing_of_an_answer_is_ever_written_anywhere(fresh, survey):
    page = fresh
    page.add_init_script(NOTE_WRITES)
    visit = Visit(page, survey).load()
    looked = [["open", "deniable", "1"]]
    assert page.evaluate("writes") == looked and visit.stored == []

    visit.answer(age="33.77").send()
    visit.answer(**{**ANSWERS, "age": "33.77"})
    page.locator(".question").nth(4).get_by_role("button", name="Prefer not to say").click()
    visit.answer(age="33.77")
    assert page.evaluate("writes.filter(([name]) => name !== 'open')") == [] and visit.stored == []
    page.evaluate("writes.length = 0")

    visit.send().is_thanked()
    (body,) = visit.posts
    own = {"slug": survey.slug, "digest": survey.digest}
    waiting = own | {"body": body}
    receipt = own | {"outcome": "recorded"}
    every = [each for each in page.evaluate("writes") if each[0] != "open"]
    gone = ["delete", f":form/{survey.digest}"]  # the drawn form, if the survey has forms
    assert every.count(gone) == 1
    written = [[name, *map(json.loads, given)] for name, *given in every if [name, *given] != gone]
    [sent] = visit.listed
    expected = [["put", waiting], ["postMessage", own], ["put", receipt], ["put", sent], ["postMessage", own]]
    assert written == expected
    assert visit.stored == [receipt]
    assert "33.77" not in page.content()


def test_no_cookie_is_set_and_none_goes_with_a_report(fresh, context, survey, system):
    page, visit, responses = fresh, Visit(fresh, survey).load(), []
    page.on("response", lambda response: responses.append(response))
    visit.answer().send().is_thanked()
    page.get_by_role("link", name="See the results").click()
    page.goto(survey.page)
    visit.sees("Someone has already answered this survey in this browser")
    assert context.cookies() == []
    assert [r.url for r in responses if "set-cookie" in r.all_headers()] == []

    # A user who is signed in to the same site answers too.
    context.add_cookies([{"name": "sessionid", "value": "designer", "url": system.url}])
    page.get_by_role("button", name="Another person").click()
    page.get_by_role("button", name="Yes, another").click()
    visit.answer().send().is_thanked()
    post = visit.requests[-1]
    assert post.method == "POST" and "cookie" not in post.all_headers()


def test_another_person_on_the_device_is_asked_from_the_beginning(visit, page):
    visit.answer().send().is_thanked()
    page.reload()
    visit.sees("Someone has already answered this survey in this browser")
    page.get_by_role("button", name="Another person").press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Is it really someone else?"
    page.get_by_role("button", name="Yes, another").press("Enter")
    visit.sees("0 of 5 answered")
    assert visit.chosen == []
    visit.answer().send().is_thanked()
    assert len(set(visit.posts)) == 2
