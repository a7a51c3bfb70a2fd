"""The respondents' page's modules as served, imported into a blank page on the site's origin."""

import base64
import hashlib
import json
from typing import Any

from surveys.respondent.page.assets import KINDS

MODULES = "/static/respond"

# Run a function of a module on all cases in one call. `body` is a function of one case; `names` are its imports.
MAPPED = """async ({{module, cases}}) => {{
  const {{ {names} }} = await import(module);
  return cases.map({body});
}}"""


SPEAK = """async ([modules, language, kinds]) => {
  const { speak, speakMore } = await import(`${modules}/words.js`);
  speak(await import(`${modules}/words/${language}.js`));
  speakMore(await import(`${modules}/words/${language}-more.js`));
  for (const name of ["translations.js", "wave_of.js", "limits.js", ...kinds.map((kind) => `kinds/${kind}`)]) {
    await import(`${modules}/${name}`);
  }
}"""


def open_blank(page: Any, url: str, language: str = "en") -> Any:
    """Open a page without text. Its modules have the words of a language and everything that definitions can name."""
    page.goto(f"{url}/healthz")
    page.evaluate(SPEAK, [MODULES, language, KINDS])
    return page


# Replace the browser's generator by xorshift with a seed other than 0 (Marsaglia 2003). A small seed gives small first
# words, so the first words are skipped.
SEEDED = """(seed) => {
  let state = seed;
  const word = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let passed = 0; passed < 32; passed++) word();
  crypto.getRandomValues = (array) => array.forEach((_, i) => { array[i] = word(); }) ?? array;
}"""


def mapped(page: Any, module: str, names: str, body: str, cases: list[Any]) -> list[Any]:
    """Return body(case) for every case; `names` are imported from the served module."""
    given = {"module": f"{MODULES}/{module}", "cases": cases}
    result: list[Any] = run(page, MAPPED.format(names=names, body=body), given)
    return result


def run(page: Any, function: str, given: Any) -> Any:
    """Return the result of a page's function on much data. The data is passed as one text: Playwright makes and checks
    an object for every number and list, which takes longer than most functions."""
    return page.evaluate(f"(text) => ({function})(JSON.parse(text))", json.dumps(given))


def certified(page: Any, texts: list[bytes]) -> list[Any]:
    """Return, for each definition's canonical bytes, whether the page would ask its questions."""
    body = "(text) => certify(new TextEncoder().encode(text)).problem === null"
    return mapped(page, "certificate.js", "certify", body, [text.decode() for text in texts])


# A statement for `altered`: makeReport keeps its answers for the test to read.
OVERHEARD = """{
  const report = makeReport;
  makeReport = (definition, digest, answers, words) => {
    globalThis.overheard = Object.fromEntries(answers);
    return report(definition, digest, answers, words);
  };
}"""


def serve_with(page: Any, module: str, statement: str) -> None:
    """Serve a module with an extra statement in the module's scope.

    The statement can replace a function by its name: `name = ...` for any function, exported or not, and
    `TABLE.name.member = ...` for a member of a table. A name that no longer exists is an error when the module is
    loaded.
    """

    def handle(route: Any) -> None:
        original = route.fetch()
        route.fulfill(response=original, body=f"{original.text()}\n{statement}\n")

    page.route(f"**/respond/{module}.js", handle)


def open_with(page: Any, url: str, module: str, statement: str, *, speaks: bool = False) -> None:
    """Open a blank page, serve this one module with a statement, and load it. The page has words only if it
    `speaks`."""
    page.unroute_all()
    serve_with(page, module, statement)
    if speaks:
        open_blank(page, url)
    else:
        page.goto(f"{url}/healthz")
    page.evaluate("(module) => import(module)", f"{MODULES}/{module}.js")


def altered(statement: str) -> Any:
    """Return a function that prepares a page: it serves page.js with an extra statement, and the page's HTML with the
    changed fingerprint."""
    text = ""

    def module(route: Any) -> None:
        route.fulfill(body=text, content_type="text/javascript")

    def shell(route: Any) -> None:
        nonlocal text
        page = route.fetch()
        address = page.url.split("/s/")[0] + "/respond/page.js"
        source = route.request.frame.page.request.get(address).text()
        text = f"{source}\n{statement}\n"
        route.fulfill(response=page, body=page.text().replace(fingerprint(source), fingerprint(text)))

    def prepare(page: Any) -> None:
        page.route("**/s/*", shell)
        page.route("**/respond/page.js", module)

    return prepare


def fingerprint(text: str) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(text.encode()).digest()).decode()
