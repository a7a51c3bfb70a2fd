"""A respondent at a real browser. They open a survey's page, answer and send, and every request is recorded."""

import json
import uuid
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Locator, Page, Request, Route

from tests.services.system import System
from tests.support.journeys import open_survey, request

# One question for every kind of control. Some texts look like markup, and the page must keep them as text.
DRAFT: dict[str, Any] = {
    "title": "Work & <i>marriage</i>",
    "introduction": "Five questions.\n\nIt takes a minute.",
    "questions": [
        {"key": "affair", "kind": "yes_no", "text": "Have you ever had an affair?", "alpha": "1"}
        | {"mechanism": "randomized_response"},
        {"key": "rating", "kind": "single_choice", "text": "How do you rate your marriage?", "alpha": "1"}
        | {"note": "Take the last year together.", "options": ["Poor", "Fair", "Good"], "prefer_not_to_say": True}
        | {"mechanism": "randomized_response", "size": 1},
        {"key": "work", "kind": "single_choice", "text": "What is your occupation?", "alpha": "0.5"}
        | {"options": ["Student", "Farming & <b>crafts</b>", "Office", "Teaching"], "mechanism": "bitwise"},
        {"key": "region", "kind": "single_choice", "text": "Where do you live?", "alpha": "1"}
        | {"options": [f"Region {i}" for i in range(1, 15)], "mechanism": "randomized_response", "size": 2},
        {"key": "age", "kind": "histogram", "text": "How old are you?", "unit": "years", "alpha": "1"}
        | {"edges": ["15", "20", "25", "30", "35", "40"], "prefer_not_to_say": True, "mechanism": "laplace"},
    ],
}
# The same draft with all texts that may surround the questions.
SECTIONED: dict[str, Any] = DRAFT | {
    "consent": "You take part of your own will.\n\nYou may stop at any time.",
    "thanks": "That was kind of you.\nThe results come in May.",
    "sections": [
        {"title": "Your marriage", "text": "Two questions.", "questions": ["affair", "rating"]},
        {"title": "Your work", "text": "", "questions": ["work"]},
        {"title": "You", "text": "", "questions": ["region", "age"]},
    ],
}


def _only_if(key: str, question: str, options: list[int]) -> dict[str, Any]:
    (asked,) = (each for each in DRAFT["questions"] if each["key"] == key)
    return asked | {"asked_if": {"question": question, "options": options}}


# The same draft, but most questions have conditions: there is a chain, and some sections may be skipped.
ROUTED: dict[str, Any] = DRAFT | {
    "sections": [
        {"title": "One question", "text": "", "questions": ["affair"]},
        {"title": "More of it", "text": "", "questions": ["rating", "work"]},
        {"title": "Where", "text": "", "questions": ["region"]},
        {"title": "You", "text": "", "questions": ["age"]},
    ],
    "questions": [
        DRAFT["questions"][0],
        _only_if("rating", "affair", [0]),
        _only_if("work", "affair", [0]),
        _only_if("region", "work", [2, 3]),
        DRAFT["questions"][4],
    ],
}
KEYS = [question["key"] for question in DRAFT["questions"]]

# A respondent's action for each question: the index of an option, or a text to type. None presses "Prefer not to say".
ANSWERS: dict[str, int | str | None] = {"affair": 0, "rating": 1, "work": 2, "region": 6, "age": "33,5"}
STORED = """async () => {
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const found = [...Object.entries(localStorage), ...Object.entries(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      found.push(...await result(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  return found;
}"""
CONTROLS = "form, input, select, textarea, button, [role=radio], [contenteditable]"


class Survey(NamedTuple):
    """An open survey of a running system: its page, its API's URL, its definition and digest."""

    slug: str
    page: str
    api: str
    definition: dict[str, Any]
    digest: str


def open_page(system: System, directory: Path, draft: dict[str, Any] = DRAFT) -> Survey:
    slug = open_survey(system, directory, draft=draft)
    api = f"{system.url}/api/v1/surveys/{slug}"
    _, headers, canonical = request(f"{api}/definition")
    return Survey(slug, f"{system.url}/s/#{slug}", api, json.loads(canonical), headers["ETag"].strip('"'))


class Visit:
    """A person at a survey's page. `requests` has all requests of the browser's profile from now on, in order."""

    def __init__(self, page: Page, survey: Survey):
        self.page, self.survey = page, survey
        self.requests: list[Request] = []
        page.context.on("request", lambda made: self.requests.append(made))

    def load(self) -> "Visit":
        """Open the page. Wait until it has checked itself and asks, explains or delivers."""
        if self.page.url.startswith(self.survey.page.partition("#")[0]):
            self.page.goto("about:blank")  # within one document, a link only changes the URL
        self.page.goto(self.survey.page)
        self.page.locator("#promise, #outcome").wait_for()
        return self

    def question(self, key: str) -> Locator:
        return self.page.locator(".question").nth(KEYS.index(key))

    def answer(self, **answers: int | str | None) -> "Visit":
        """Answer these questions, or all questions as in ANSWERS."""
        for key, answer in (answers or ANSWERS).items():
            question = self.question(key)
            if answer is None:
                question.get_by_role("button", name="Prefer not to say").click()
            elif isinstance(answer, str):
                question.get_by_role("textbox").fill(answer)
            else:
                question.get_by_role("radio").nth(answer).click()
        return self

    def press(self, name: str) -> "Visit":
        self.page.get_by_role("button", name=name, exact=True).click()
        return self

    def agree(self) -> "Visit":
        """Give the consent and go on to the questions."""
        self.page.get_by_role("checkbox", name="I have read this and agree").check()
        return self.press("Go to the questions")

    def send(self) -> "Visit":
        return self.press("Send my randomized answers")

    def stop_clock(self) -> "Visit":
        """Stop the page's clock. The page retries nothing until a test moves the clock, however long the test takes."""
        self.page.clock.install()
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)
        return self

    def sees(self, words: str) -> None:
        """Wait until the words are on the page."""
        self.page.get_by_text(words).first.wait_for()

    def is_thanked(self) -> "Visit":
        self.page.get_by_role("heading", name="Thank you").wait_for()
        return self

    @property
    def heading(self) -> str:
        return self.page.locator("#stage h2").first.inner_text()

    @property
    def posts(self) -> list[str | None]:
        """Return the bodies of all sent requests, in order."""
        return [sent.post_data for sent in self.requests if sent.method != "GET"]

    @property
    def shown_report(self) -> str:
        return str(self.page.locator(".bytes").text_content())

    @property
    def is_asking(self) -> bool:
        """Return whether the page has a control for an answer. The control for a code does not count."""
        controls = "[role=radio], input:not([aria-describedby=code-hint]), select, textarea, form, [contenteditable]"
        return self.page.locator(controls).count() > 0

    @property
    def chosen(self) -> list[Any]:
        """Return every trace of an answer in the controls; empty if there is no answer."""
        return self.page.evaluate(
            """() => [...document.querySelectorAll("[role=radio], .toggle, input, select")].filter((control) =>
              control.value || control.ariaChecked === "true" || control.ariaPressed === "true"
            ).map((control) => control.value || control.textContent)"""
        )

    @property
    def stored(self) -> list[Any]:
        """Return the browser's storage for the site: entries of web storage, then records of databases. The list of
        sent reports is not included."""
        return [each for each in self.page.evaluate(STORED) if not _beside(each)]

    @property
    def listed(self) -> list[dict[str, Any]]:
        """Return the list of sent reports, or the record that this device keeps no list."""
        return [each for each in self.page.evaluate(STORED) if _beside(each)]


def _beside(record: Any) -> bool:
    return isinstance(record, dict) and str(record.get("slug", "")).startswith("/")


class Wire:
    """The ways of reports to the server. Each attempt meets the next of these steps; attempts after the last step pass
    normally.

    A step gets the route of an attempt. `bodies` has the bytes of all attempts so far.
    """

    def __init__(self, where: Page | BrowserContext, *steps: Any):
        self.bodies: list[bytes | None] = []
        self._steps = list(steps)
        where.route("**/reports", self._attempt)

    def _attempt(self, route: Route) -> None:
        self.bodies.append(route.request.post_data_buffer)
        step = self._steps.pop(0) if self._steps else passes
        step(route)


def passes(route: Route) -> None:
    route.continue_()


def loses_the_response(route: Route) -> None:
    """Let the server commit the report, and drop its answer to the browser."""
    assert route.fetch().status == 201
    route.abort()


def finds_no_network(route: Route) -> None:
    route.abort("internetdisconnected")


def answers(status: int, **headers: str) -> Any:
    """Return a step that answers with this status instead of the server."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda route: route.fulfill(status=status, headers=named)


def stored_rows(system: System, report: str) -> list[bytes]:
    """Return the packed bytes of every row with the report's id."""
    identity = uuid.UUID(json.loads(report)["report_id"]).hex
    rows = system.query(f"SELECT packed FROM surveys_report WHERE id = '{identity}'")
    return [bytes(packed) for (packed,) in rows]


OTHERS = 20  # a survey with fewer reports has no results


def count(system: System, survey: Survey) -> tuple[int, int]:
    """Close a survey and return (reports stored, reports counted). OTHERS more people take part, so that there are
    results."""
    chosen = f"FROM surveys_survey JOIN {{}} ON survey_id = surveys_survey.id WHERE slug = '{survey.slug}'"
    ((stored,),) = system.query(f"SELECT count(*) {chosen.format('surveys_report')}")
    system.manage("load", "--reports", str(OTHERS), "--threads", "4", "--twice", "0", "--", survey.slug)
    system.manage("survey", "close", "--", survey.slug)
    released = f"SELECT n {chosen.format('surveys_release')} AND final"
    ((counted,),) = system.eventually(lambda: system.query(released), "the worker releases the results")
    return stored, counted - OTHERS


def at_once_in_two_tabs(context: BrowserContext, system: System, script: str) -> list[Any]:
    """Run a script in two tabs at once and return both results. The script gets the tab's number and the moment to
    begin."""
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(f"{system.url}/healthz")
    moment = tabs[0].evaluate("Date.now()") + 500
    tabs[0].evaluate(f"given => {{ window.returned = ({script})(given); }}", {"tab": 0, "moment": moment})
    second = tabs[1].evaluate(script, {"tab": 1, "moment": moment})
    return [tabs[0].evaluate("returned"), second]
