"""The weight of a visit to the respondents' page, as Chromium counts it on the wire, and the time until the page can be
used."""

import random
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from surveys.respondent.page.assets import KINDS, PAGE
from tests.support import kinds
from tests.support.vectors import EVERY_KIND

# A survey of ten questions with nine of the ten mechanisms. The tenth, Gaussian noise, draws as OSGT does.
KEYS = ("warner", "rows", "counted", "half", "scale", "laplace", "tails", "bit", "noise", "some")
TEXTS = (
    "Have you taken part in a strike in the last twelve months?",
    "In which of these regions do you live at the moment?",
    "How many people live in your household beside you?",
    "Which of these do you use most often to get to work?",
    "How content are you with the place that you live in?",
    "How many hours a week do you care for somebody?",
    "How many times did you see a doctor in the last year?",
    "How many hours did you sleep last night, about?",
    "By how much did your rent change in the last five years?",
    "Which of these did you go without because of its price?",
)
TEN: dict[str, Any] = {
    "title": "Living in the city",
    "introduction": "Ten questions about where you live and how. It takes three minutes.",
    "questions": [
        next(question for question in EVERY_KIND["questions"] if question["key"] == key) | {"text": text}
        for key, text in zip(KEYS, TEXTS, strict=True)
    ],
}

KILOBIT = 400  # per second, in each direction
LATENCY = 40  # ms, from sending to the first byte
SLOWER = 4  # times slower than this machine's processor


class Weight(NamedTuple):
    """The weight of a visit up to the questions: by URL the bytes of the compressed bodies, and the same with headers.
    Then the milliseconds until the questions could be answered."""

    bodies: dict[str, int]
    wire: dict[str, int]
    usable: float


class Visit(NamedTuple):
    """A visit: by URL the headers of the answers and their bytes on the wire. Then the milliseconds until the page
    could be used."""

    headers: dict[str, dict[str, str]]
    wire: dict[str, int]
    usable: float


def weigh(browser: Browser, address: str, slow: bool = False, ready: str = ".question") -> Weight:
    """Visit the respondents' page for the first time, up to its questions, and return the weight."""
    headers, wire, usable = visit(browser, address, ready, slow)
    # Every answer states its length; an answer without it would be an error here.
    return Weight({address: int(headers[address]["content-length"]) for address in wire}, wire, usable)


def visit(browser: Browser, address: str, ready: str, slow: bool = False, session: str = "") -> Visit:
    """Visit a page in a new profile until `ready` selects something. A slow visit has 400 kbit/s and a processor four
    times slower. A session makes it the visit of a signed-in user."""
    # Respondents use https. Over http, browsers do not ask for Brotli, although they understand it.
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        extra_http_headers={"Accept-Encoding": "gzip, br"},
        ignore_https_errors=True,
    )
    if session:
        encrypted, site = address.startswith("https:"), "/".join(address.split("/")[:3])
        name = "__Host-sessionid" if encrypted else "sessionid"
        context.add_cookies([{"name": name, "value": session, "url": site, "secure": encrypted}])
    page = context.new_page()
    wire, names, headers, found = context.new_cdp_session(page), {}, {}, {}
    wire.on("Network.requestWillBeSent", lambda event: names.update({event["requestId"]: event["request"]["url"]}))
    wire.on(
        "Network.responseReceived",
        lambda event: headers.update({names[event["requestId"]]: event["response"]["headers"]}),
    )
    wire.on(
        "Network.loadingFinished",
        lambda event: found.update({names[event["requestId"]]: int(event["encodedDataLength"])}),
    )
    wire.send("Network.enable")
    if slow:
        speed = KILOBIT * 1000 / 8
        limits = {"offline": False, "latency": LATENCY, "downloadThroughput": speed, "uploadThroughput": speed}
        wire.send("Network.emulateNetworkConditions", limits)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    page.locator(ready).first.wait_for()
    if page.url != address:
        raise ValueError(f"{address} leads to {page.url}")
    usable = page.evaluate(USABLE)
    page.wait_for_load_state("networkidle")
    context.close()
    lower = {of: {name.lower(): value for name, value in each.items()} for of, each in headers.items()}
    return Visit(lower, found, usable)


# Milliseconds from the start of the visit until the frame with the questions is drawn.
USABLE = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"

# Milliseconds to draw a report: the first time, and the median of `rounds`. Each report checks the generator again.
DRAWING = """async ({ page, definition, answers: given, rounds }) => {
  const { makeReport, browserWords } = await import(page);
  const answers = new Map(given);
  const times = [];
  for (let i = 0; i < rounds; i += 1) {
    const before = performance.now();
    makeReport(definition, "0".repeat(64), answers, browserWords());
    times.push(performance.now() - before);
  }
  return [times[0], times.sort((a, b) => a - b)[rounds >> 1]];
}"""


def drawing(page: Page, definition: dict[str, Any], rounds: int = 25) -> tuple[float, float]:
    """Return the milliseconds to draw a report on the open page of a survey: the first report, before the code is warm,
    and the median."""
    chance, questions = random.Random(1), definition["questions"]
    answers = [[each["key"], kinds.of(each["kind"]).answer(each, chance)] for each in questions]
    given = {"page": f"/respond/{PAGE}", "definition": definition, "answers": answers, "rounds": rounds}
    first, median = page.evaluate(DRAWING, given)
    return first, median


def two_hundred() -> dict[str, Any]:
    """Return a draft of 200 questions: every kind that page.js knows, then copies of the questions with few numbers, to
    stay within the limits."""
    known = [each for each in EVERY_KIND["questions"] if f"{each['kind']}.js" not in KINDS]
    often = [each for each in EVERY_KIND["questions"] if each["key"] in ("warner", "few", "scale", "counted", "bit")]
    more = range(200 - len(known))
    asked = [*known, *(often[i % len(often)] | {"key": f"more_{i}"} for i in more)]
    return {"title": "Two hundred", "questions": asked}
