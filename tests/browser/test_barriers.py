"""What looks at pages for barriers sees them: each fault of a page of many equal cells is named where it shows."""

import pytest

from tests.support.accessibility import LOOKS, violations

pytestmark = pytest.mark.browser

CELLS = "".join(f"<tr><th scope=row>Row {i}</th><td class='value'>{i} of 100</td></tr>" for i in range(40))
PAGE = f"""<!doctype html><html lang="en"><head><title>Cells</title><style id="own">
  body {{ color: #111; background: #fff; }}
  @media (prefers-color-scheme: dark) {{ body {{ color: #eee; background: #111; }} }}
  @media (max-width: 600px) {{ .wide {{ display: none; }} }}
</style></head><body><main><h1>Cells</h1><p class="wide">For a desk alone.</p><table>{CELLS}</table>
<label for="name">Your name</label> <input id="name"><button>Send it</button> <button disabled>Send it</button>
<p>A line of text.</p><p>1</p><p>…</p></main></body></html>"""
EVERYWHERE = {f"{width} {scheme}" for width, scheme in LOOKS}
FIRST = {"390 light", "390 dark"}  # what looks the same at another width is looked at once
WIDE = {"1280 light", "1280 dark"}
CONTRAST = {
    "of all cells": (".value { color: #777; background: #888; }", FIRST),
    "of the last cell": ("tr:last-child .value { color: #777; background: #888; }", FIRST),
    "of one row by its background": ("tr:nth-child(20) { color: #999; background: #aaa; }", FIRST),
    "in the dark": ("@media (prefers-color-scheme: dark) { td { color: #222; } }", {"390 dark"}),
    "where there is room": (".wide { color: #777; background: #888; }", WIDE),
    "where there is room alone": ("@media (min-width: 900px) { td { color: #777; background: #888; } }", WIDE),
    "of what is pressed": ("button { color: #777; background: #888; }", FIRST),
    "of a text beside signs": ("p { color: #777; background: #888; }", FIRST),
    "of a label": ("label { color: #777; background: #888; }", FIRST),
    "by what lets through": ("table { opacity: 0.1; }", FIRST),
    "of letters alone": ("th { color: #777; background: #888; font-weight: 400; }", FIRST),
}


@pytest.fixture
def cells(page):
    page.set_content(PAGE)
    return page


def add(page, css):
    page.locator("#own").evaluate("(style, css) => { style.textContent += css; }", css)


def test_a_page_without_a_fault_has_none(cells):
    assert violations(cells) == []


@pytest.mark.parametrize("fault", CONTRAST)
def test_too_little_contrast_is_seen_wherever_it_is(cells, fault):
    css, where = CONTRAST[fault]
    add(cells, css)
    found = violations(cells)
    assert {rule for _, rule, *_ in found} == {"color-contrast"}
    assert where <= {look for look, *_ in found}


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("html-has-lang", "document.documentElement.removeAttribute('lang')"),
        ("label", "document.querySelector('label').remove()"),
        ("button-name", "document.querySelector('button').textContent = ''"),
        ("document-title", "document.title = ''"),
        ("landmark-no-duplicate-main", "document.body.append(document.createElement('main'))"),
    ],
)
def test_every_other_fault_is_seen_at_every_look(cells, rule, change):
    cells.evaluate(change)
    assert {look for look, found, *_ in violations(cells) if found == rule} == EVERYWHERE


def test_what_was_looked_at_before_is_looked_at_again(cells):
    assert violations(cells) == []
    add(cells, CONTRAST["of all cells"][0])
    once, again = violations(cells), violations(cells)
    assert once == again and {look for look, *_ in once} >= FIRST
    cells.goto("data:text/html,<html lang=en><title>Another</title><main><h1>Another</h1><button></button></main>")
    assert {rule for _, rule, *_ in violations(cells)} == {"button-name"}
