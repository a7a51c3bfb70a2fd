"""The respondent page's modules as served, imported into a blank page of the site's own origin."""

import base64
import hashlib
import json
from typing import Any

from surveys.respondent.page.assets import KINDS

MODULES = "/static/respond"

# All of a module's work on all cases in one call: `body` is a function of one case, `names` what it imports.
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
    """A page without a text, whose modules have their words in a language, and all that definitions can name."""
    page.goto(f"{url}/healthz")
    page.evaluate(SPEAK, [MODULES, language, KINDS])
    return page


# Another generator in the place of the browser's, with a seed other than 0: xorshift (Marsaglia 2003). Its first words
# are small where the seed is, so they are passed over.
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
    """body(case) for every case; `names` are imported from the served module."""
    given = {"module": f"{MODULES}/{module}", "cases": cases}
    result: list[Any] = run(page, MAPPED.format(names=names, body=body), given)
    return result


def run(page: Any, function: str, given: Any) -> Any:
    """What a function of the page makes of much data, which goes there as one text: of every number and list by itself
    Playwright makes an object and checks it, which takes longer than most of what is done with it."""
    return page.evaluate(f"(text) => ({function})(JSON.parse(text))", json.dumps(given))


def certified(page: Any, texts: list[bytes]) -> list[Any]:
    """Of each definition's canonical bytes whether the page would ask its questions."""
    body = "(text) => certify(new TextEncoder().encode(text)).problem === null"
    return mapped(page, "certificate.js", "certify", body, [text.decode() for text in texts])


# A statement for `altered`: makeReport, with the answers it is given kept for the test to read.
OVERHEARD = """{
  const report = makeReport;
  makeReport = (definition, digest, answers, words) => {
    globalThis.overheard = Object.fromEntries(answers);
    return report(definition, digest, answers, words);
  };
}"""


def serve_with(page: Any, module: str, statement: str) -> None:
    """Serve a module with one more statement in the module's own scope.

    There it can put another function in the place of one by its name: `name = ...` of any function, exported or not,
    `TABLE.name.member = ...` of a member of a table. A name that is gone is an error when the module is loaded.
    """

    def handle(route: Any) -> None:
        original = route.fetch()
        route.fulfill(response=original, body=f"{original.text()}\n{statement}\n")

    page.route(f"**/respond/{module}.js", handle)


def open_with(page: Any, url: str, module: str, statement: str, *, speaks: bool = False) -> None:
    """A blank page, without words unless it `speaks`, where this module alone is served with a statement, and runs."""
    page.unroute_all()
    serve_with(page, module, statement)
    if speaks:
        open_blank(page, url)
    else:
        page.goto(f"{url}/healthz")
    page.evaluate("(module) => import(module)", f"{MODULES}/{module}.js")


def altered(statement: str) -> Any:
    """Prepares a page to be served with a page.js that has a statement more, and that fits its changed fingerprint."""
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
