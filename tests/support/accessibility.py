"""axe-core's accessibility rules on a page as it stands, at a phone's and a desk's width, in light and dark."""

import json
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Nothing is fetched once more, which only rules of sound and film ask for, and no element gets a selector.
HOW = f"""{{ runOnly: {RULES}, resultTypes: ["violations"], preload: false, selectors: false }}"""
RUN = f"""axe.run(document, {HOW}).then(({{ violations, passes }}) =>
  JSON.stringify({{
    passed: passes.length,
    violations: violations.flatMap(({{ id, nodes }}) => nodes.map((node) => [id, node.html, node.failureSummary])),
  }}))"""
LOOKS = tuple((width, scheme) for width in (390, 1280) for scheme in ("light", "dark"))
FEWER = ((320, "dark"), (1280, "light"))


def violations(page: Page, looks: tuple[tuple[int, str], ...] = LOOKS) -> list[Any]:
    """Every violation as [where it was seen, rule, element, what to do]. The page is left as it was."""
    page.wait_for_load_state()  # before its styles are there, a page has other faults
    cdp = page.context.new_cdp_session(page)
    frame = cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    # A world of its own: the page's policy forbids foreign scripts, and the page's scripts must not meet axe.
    world = cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "axe"})["executionContextId"]
    cdp.send("Runtime.evaluate", {"expression": AXE, "contextId": world})
    size, found = page.viewport_size, []
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        answer = cdp.send("Runtime.evaluate", {"expression": RUN, "contextId": world, "awaitPromise": True})
        result = json.loads(answer["result"]["value"])
        assert result["passed"] > 10, "axe did not look at the page"
        found += [[f"{width} {scheme}", *violation] for violation in result["violations"]]
    page.emulate_media(color_scheme="light")
    if size is not None:
        page.set_viewport_size(size)
    cdp.detach()
    return found
