"""axe-core's accessibility rules on a page in its current state: at the width of a phone and of a desk, in light and
dark."""

import json
from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Contrast takes most of axe's time: a second for a long page. Two texts have the same contrast if they and all their
# ancestors agree in element name, class, state, colours and background. They also need the same contrast if the rule
# calls both large or both small. So axe checks three of these texts in each scheme, at the first width that has one. A
# text that axe skips or cannot decide must not represent other texts, so it forms a group of its own: hidden text,
# disabled text, the label of a disabled control, a single letter, signs alone.
ALIKE = """
const OFF = ":disabled, [aria-disabled=true], [inert]";
const idle = new Set([...document.querySelectorAll("[aria-labelledby]")].filter((each) => each.closest(OFF))
  .flatMap((each) => each.getAttribute("aria-labelledby").split(" ")));
for (const label of document.querySelectorAll("label")) {
  const controls = [label.control, label.querySelector("input, select, textarea")];
  if (controls.some((each) => each?.closest(OFF))) idle.add(label);
}
const look = (node) => {
  const style = getComputedStyle(node);
  return [
    node.localName, node.getAttribute("class"), node.getAttribute("role"), node.matches(OFF), idle.has(node.id),
    idle.has(node), style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.textShadow,
    style.position, style.zIndex, style.filter, style.mixBlendMode,
  ].join();
};
const large = (node) => {
  const { fontSize, fontWeight } = getComputedStyle(node);
  return Math.ceil(parseFloat(fontSize) * 72) / 96 >= (parseFloat(fontWeight) >= 700 ? 14 : 18);
};
const own = (node) => [...node.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE)
  .map((each) => each.data).join("").trim() || (node.matches("input, select, textarea") ? "control" : "");
const looks = new Map();
const chain = (node) => {
  if (!looks.has(node)) looks.set(node, look(node) + (node.parentElement ? ` < ${chain(node.parentElement)}` : ""));
  return looks.get(node);
};
const few = (scheme) => [...document.body.querySelectorAll("*")].filter((node) => {
  const text = own(node);
  if (!text || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const { width, height } = node.getBoundingClientRect();
  const seen = width > 1 && height > 1;
  const kind = [scheme, text.length > 1, /[\\p{L}\\p{N}]/u.test(text), seen, large(node), chain(node)].join();
  looked[kind] ??= { at: innerWidth, times: 0 };
  looked[kind].times += 1;
  return looked[kind].at === innerWidth && looked[kind].times <= 3;
});
"""
# axe fetches nothing again (only rules for sound and film need that) and writes no selectors.
HOW = 'resultTypes: ["violations"], preload: false, selectors: false'
# The rules about colours run in both schemes, all other rules once per width. One run does both, because each run reads
# the whole page.
COLOURS = ["color-contrast", "link-in-text-block"]
RUN = f"""(async (scheme, whole) => {{
  {ALIKE}
  const contrast = axe._audit.rules.find(({{ id }}) => id === "color-contrast");
  const matches = globalThis.matches ??= contrast.matches;
  const chosen = new Set(few(scheme));
  contrast.matches = (node, ...more) => chosen.has(node) && matches.call(contrast, node, ...more);
  const {{ passes, violations }} = await axe.run(document, {{ runOnly: whole ? {RULES} : {COLOURS}, {HOW} }});
  return JSON.stringify({{
    passed: passes.length,
    violations: violations.flatMap(({{ id, nodes }}) => nodes.map((node) => [id, node.html, node.failureSummary])),
  }});
}})"""
# Forget the texts that were checked before. Return whether axe is loaded.
READY = "globalThis.looked = {}, Boolean(globalThis.axe)"
LOOKS = ((320, "light"), (320, "dark"), (1280, "dark"), (1280, "light"))


def violations(page: Page, looks: tuple[tuple[int, str], ...] = LOOKS) -> list[Any]:
    """Return every violation as [width and scheme, rule, element, what to do]. The page is left as it was."""
    page.wait_for_load_state()  # a page without its styles has other faults
    cdp = _session(page)
    frame = cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    # An isolated world: the page's policy forbids foreign scripts, and the page's scripts must not meet axe.
    world = cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "axe"})["executionContextId"]
    ready = cdp.send("Runtime.evaluate", {"expression": READY, "contextId": world})["result"]["value"]
    if not ready:
        cdp.send("Runtime.evaluate", {"expression": AXE, "contextId": world})
    size, found, widths = page.viewport_size, [], set[int]()
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        whole = width not in widths
        widths.add(width)
        call = f"{RUN}({json.dumps(scheme)}, {json.dumps(whole)})"
        run = {"expression": call, "contextId": world, "awaitPromise": True}
        result = json.loads(cdp.send("Runtime.evaluate", run)["result"]["value"])
        assert not whole or result["passed"] > 10, "axe did not look at the page"
        found += [[f"{width} {scheme}", *violation] for violation in result["violations"]]
    page.emulate_media(color_scheme="light")
    if size is not None:
        page.set_viewport_size(size)
    return found


_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()


def _session(page: Page) -> CDPSession:
    """Return the page's session. A document has one world of each name per session, so axe is read once. Each look
    makes it quicker."""
    if page not in _sessions:
        _sessions[page] = page.context.new_cdp_session(page)
    return _sessions[page]
