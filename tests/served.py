"""The respondent page's modules as served, imported into a blank page of the site's own origin."""

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
