"""A whole visit to a respondents' page with chosen random numbers, and everything that can be observed of it. In
Chromium the browser itself is observed, in Firefox its driver and the wire."""

import json
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from playwright.sync_api import Browser

from tests.services.firefox import Firefox
from tests.services.recorder import Recorder
from tests.support.everything import SEND, Hand
from tests.support.fingers import Fingers
from tests.support.respondents import STORED, Wire, answers

# The page tries the generator before it asks, and again when it draws. Then it takes eight words at a time and uses the
# last four. All other words are the browser's.
INJECT = """
  const words = %s;
  let [drawn, tries] = [0, 0];
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    real(array);
    tries += array.length === 8 ? 0 : 1;
    if (array.length === 8 && tries === 2) for (let i = 4; i < 8; i += 1) array[i] = words[drawn++] ?? 0;
    return array;
  };
  window.wordsDrawn = () => `${drawn} of ${words.length}`;
"""

OBSERVE = """async () => ({
  html: document.documentElement.outerHTML,
  controls: [...document.querySelectorAll("input, select, progress, details")].map((c) => [c.value, c.open]),
  focus: document.activeElement.outerHTML,
  selection: String(getSelection()),
  scrolled: [scrollX, scrollY, document.body.scrollTop],
  address: location.href,
  history: [history.length, history.state, history.scrollRestoration],
  titles: [document.title, window.name, document.referrer],
  local: Object.entries(localStorage),
  session: Object.entries(sessionStorage),
  cookies: document.cookie,
  databases: await indexedDB.databases(),
  records: await (%s)(),
  caches: await caches.keys(),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  // The picture for its tab is fetched by the browser when it has nothing else to do.
  loaded: [...new Set(performance.getEntriesByType("resource").map((e) => `${e.initiatorType} ${e.name}`))]
    .filter((name) => !name.endsWith("/respond/icon.svg")).sort(),
  marks: [...performance.getEntriesByType("mark"), ...performance.getEntriesByType("measure")].map((e) => e.name),
  globals: Object.keys(window).sort(),
  wordsDrawn: wordsDrawn(),
})""".replace("%s", STORED)


def differences(first: dict[str, Any], second: dict[str, Any]) -> set[str]:
    """Return the differences as "moment: observation"."""
    assert first.keys() == second.keys()
    return {f"{at}: {name}" for at, seen in first.items() for name in seen if seen[name] != second[at][name]}


class At(Hand, Protocol):
    """A browser with a fresh profile and injected words. It records everything it sends."""

    console: Any

    def go(self, url: str) -> None: ...

    def reload(self) -> None: ...

    def back(self) -> None: ...

    def wait(self, css: str) -> None: ...

    def text(self, css: str) -> str: ...

    def stored(self) -> list[Any]: ...

    def seen(self) -> dict[str, Any]: ...

    def requests(self) -> list[Any]:
        """Return the requests that have an order. Requests for the page's files have none: a browser fetches them in
        parallel."""
        ...

    def files(self) -> set[Any]: ...


# A scrolled page was painted in pieces, as it moved. At a rounded corner, the same content can then differ by one step
# of one colour. After a new painting, the same content is equal to the last pixel.
PAINT_ANEW = """async () => {
  const frame = () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  const [top, focused] = [document.body.scrollTop, document.activeElement];
  document.body.style.visibility = "hidden";
  await frame();
  document.body.removeAttribute("style");
  document.body.scrollTop = top;
  if (document.activeElement !== focused) focused.focus({ preventScroll: true });
  await frame();
}"""


def picture(page: Any) -> bytes:
    """Return a screenshot of the visible part."""
    page.evaluate(PAINT_ANEW)
    return bytes(page.screenshot())


class InChromium(Fingers):
    """A page of Playwright."""

    def __init__(self, browser: Browser, language: str, words: list[int], prepare: Callable[[Any], None]) -> None:
        self.context = browser.new_context(locale=language, viewport={"width": 800, "height": 700})
        super().__init__(self.context.new_page())
        self.made, self.console = list[Any](), list[tuple[str, str]]()
        self.context.on("request", lambda request: self.made.append(request))
        self.page.on("console", lambda message: self.console.append((message.type, message.text)))
        self.page.on("pageerror", lambda error: self.console.append(("error", str(error))))
        self.page.add_init_script(INJECT % json.dumps(words))
        prepare(self.page)
        Wire(self.page, answers(503, retry_after="60"))

    def stop(self) -> None:
        self.context.close()

    def go(self, url: str) -> None:
        self.page.goto(url)

    def reload(self) -> None:
        self.page.reload()

    def back(self) -> None:
        self.page.go_back()

    def text(self, css: str) -> str:
        return str(self.page.locator(css).text_content())

    def stored(self) -> list[Any]:
        return list(self.page.evaluate(STORED))

    def seen(self) -> dict[str, Any]:
        seen = self.page.evaluate(OBSERVE)
        seen |= {"jar": self.context.cookies(), "storage": self.context.storage_state(indexed_db=True)}
        return seen | {"picture": picture(self.page), "tree": self.page.locator("body").aria_snapshot()}

    def requests(self) -> list[Any]:
        sent = [(r.method, r.url, sorted(r.all_headers().items()), r.post_data) for r in self.made]
        return [request for request in sent if not _is_file(request[1])]

    def files(self) -> set[Any]:
        return {(r.method, r.url, r.post_data) for r in self.made if _is_file(r.url)}


FOUND = """const [css, n] = arguments;
return [...document.querySelectorAll(css)].filter((each) => each.checkVisibility())[n]"""


class InFirefox:
    """A new Firefox behind the recording proxy. The proxy serves page.js with the words in front of it."""

    console: Any = ()  # the driver cannot read the page's console, only its errors

    def __init__(self, recorder: Recorder, language: str, words: list[int] | None, after: str = "") -> None:
        self.recorder = recorder
        # The script and its fingerprint are the same for all visitors. So the words are fetched separately.
        recorder.before = "" if words is None else "{" + INJECT % "await (await fetch('/words')).json()" + "}"
        recorder.answers = {"/words": json.dumps(words).encode()}
        recorder.after, recorder.refusals = after, 1
        recorder.requests.clear()
        self.firefox = Firefox({"intl.accept_languages": language})

    def stop(self) -> None:
        assert not self.firefox.complaints
        self.firefox.stop()

    def go(self, url: str) -> None:
        self.firefox.go(url)

    def reload(self) -> None:
        self.firefox.command("Refresh")

    def back(self) -> None:
        self.firefox.command("Back")

    def wait(self, css: str) -> None:
        self._found(css, 0)

    def text(self, css: str) -> str:
        return str(self.firefox.run("return document.querySelector(arguments[0]).textContent", css))

    def click(self, css: str, n: int = 0) -> None:
        self.firefox.click(self._found(css, n))

    def type(self, css: str, text: str) -> None:
        self.firefox.type(self._found(css, 0), text or " \ue003")  # clearing a field alone is no input for a page

    def arrow_down(self, css: str, n: int = 0) -> None:
        self.firefox.command("ElementSendKeys", self._found(css, n), text="\ue015")

    def stored(self) -> list[Any]:
        return list(self.firefox.run(f"return ({STORED})()"))

    def seen(self) -> dict[str, Any]:
        seen = dict(self.firefox.run(f"return ({OBSERVE})()"))
        return seen | {"jar": self.firefox.command("GetCookies"), "picture": self.firefox.command("TakeScreenshot")}

    def requests(self) -> list[Any]:
        return [request for request in self.recorder.requests if not _is_file(request.target)]

    def files(self) -> set[Any]:
        return {(request.line, request.body) for request in self.recorder.requests if _is_file(request.target)}

    def _found(self, css: str, n: int) -> Any:
        return self.firefox.until(lambda: self.firefox.run(FOUND, css, n), f"{css} {n}")


def _is_file(address: str) -> bool:
    """Return whether a URL is a file of the page, not the definition or a report."""
    return "/static/" in address or address.endswith(("/favicon.ico", ".js", ".css"))


WAITING = "#stage section > .button[aria-disabled]:not([hidden])"
ANOTHER = "[aria-controls=another-person]"


def whole_visit(at: At, page: str, home: str, answer: Callable[[Hand], None], body: str) -> dict[str, Any]:
    """Make a whole visit: the first question, a failed attempt, a reload, thanks, Back, the empty questions. Return all
    observations by moment. The report must be `body`."""
    moments = {}
    at.go(page)
    at.wait("#promise")
    before = at.requests()
    answer(at)
    assert at.stored() == [] and at.requests() == before
    at.click(SEND)
    at.wait(WAITING)
    moments["waiting"] = at.seen()
    at.reload()
    at.wait("details:has(.bytes)")
    at.click("details:has(.bytes) summary")
    assert at.text(".bytes") == body
    moments["thanked"] = at.seen()
    at.go(home)
    at.back()
    at.wait(ANOTHER)
    moments["back"] = at.seen()
    at.click(ANOTHER)
    at.click("#another-person .primary")
    at.wait("#promise")
    moments["asked again"] = at.seen()
    return moments | {"the whole visit": {"requests": at.requests(), "files": at.files(), "console": at.console}}


def forget(system: Any, body: str) -> None:
    """Delete the report, because the next person sends the same one."""
    system.query(f"DELETE FROM surveys_report WHERE id = '{uuid.UUID(json.loads(body)['report_id']).hex}'")
