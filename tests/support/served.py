"""The respondent page's modules as served, imported into a blank page of the site's own origin."""

import base64
import hashlib
from typing import Any

MODULES = "/static/respond"

# All of a module's work on all cases in one call: `body` is a function of one case, `names` what it imports.
MAPPED = """async ({{module, cases}}) => {{
  const {{ {names} }} = await import(module);
  return cases.map({body});
}}"""


def open_blank(page: Any, url: str) -> Any:
    page.goto(f"{url}/healthz")
    return page


def mapped(page: Any, module: str, names: str, body: str, cases: list[Any]) -> list[Any]:
    """body(case) for every case; `names` are imported from the served module."""
    given = {"module": f"{MODULES}/{module}", "cases": cases}
    result: list[Any] = page.evaluate(MAPPED.format(names=names, body=body), given)
    return result


def with_fault(old: str, new: str) -> Any:
    """A handler for page.route that serves a module with a fault."""

    def handle(route: Any) -> None:
        original = route.fetch()
        assert old in original.text(), f"the fault no longer fits the code: {old}"
        route.fulfill(response=original, body=original.text().replace(old, new))

    return handle


def altered(name: str, old: str, new: str) -> Any:
    """Prepares a page to be served with a changed module that fits its changed fingerprint."""
    text = ""

    def module(route: Any) -> None:
        route.fulfill(body=text, content_type="text/javascript")

    def shell(route: Any) -> None:
        nonlocal text
        page = route.fetch()
        source = route.request.frame.page.request.get(page.url.split("/s/")[0] + f"/static/respond/{name}").text()
        assert source.count(old) == 1, f"the leak no longer fits the code: {old}"
        text = source.replace(old, new)
        route.fulfill(response=page, body=page.text().replace(fingerprint(source), fingerprint(text)))

    def prepare(page: Any) -> None:
        page.route("**/s/*/", shell)
        page.route(f"**/respond/{name}", module)

    return prepare


def fingerprint(text: str) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(text.encode()).digest()).decode()
