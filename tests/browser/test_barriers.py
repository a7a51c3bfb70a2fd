"""The test for barriers notices them. Each fault in a page of many equal cells is named once with its place."""

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
WIDTHS = {str(width) for width, _ in LOOKS}
FIRST = {"320 light", "320 dark"}  # text that looks the same at another width is checked once
WIDE = {"1280 light", "1280 dark"}
CONTRAST = {
    "of all cells": (".value { color: #777; background: #888; }", FIRST),
    "of the last cell": ("tr:last-child .value { color: #777; background: #888; }", FIRST),
    "of one row by its background": ("tr:nth-child(20) { color: #999; background: #aaa; }", FIRST),
    "in the dark": ("@media (prefers-color-scheme: dark) { td { color: #222; } }", {"320 dark"}),
    "where there is room": (".wide { color: #777; background: #888; }", WIDE),
    "where there is room alone": ("@media (min-width: 900px) { td { color: #777; background: #888; } }", WIDE),
    "of what is pressed": ("button { color: #777; background: #888; }", FIRST),
    "of a text beside signs": ("p { color: #777; background: #888; }", FIRST),
    "of a label": ("label { color: #777; background: #888; }", FIRST),
    "by what lets through": ("table { opacity: 0.1; }", FIRST),
    "of letters alone": ("th { color: #777; background: #888; font-weight: 400; }", FIRST),
}


@pytest.fixture(scope="module")
def sheet(browser):
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def cells(sheet):
    sheet.set_content(PAGE)
    return sheet


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
def test_every_other_fault_is_seen_at_every_width(cells, rule, change):
    cells.evaluate(change)
    assert {look.split()[0] for look, found, *_ in violations(cells) if found == rule} == WIDTHS


def test_a_link_that_only_its_colour_tells_from_the_text_is_seen_in_each_scheme(cells):
    cells.evaluate("document.body.innerHTML += '<p>A line with <a href=#own>a link</a> and more of it.</p>'")
    add(cells, "a { text-decoration: none; color: #222; } @media (prefers-color-scheme: dark) { a { color: #ddd; } }")
    found = violations(cells)
    assert {"320 light", "320 dark"} <= {look for look, rule, *_ in found if rule == "link-in-text-block"}


def test_a_link_that_is_a_colour_alone_where_there_is_room_is_seen_in_the_scheme_where_no_one_tells_it(cells):
    cells.evaluate("document.body.innerHTML += '<p>A line with <a href=#own>a link</a> and more of it.</p>'")
    add(cells, "a { color: #222; } @media (prefers-color-scheme: dark) { a { color: #888; } }")
    add(cells, ".wide { display: none; } @media (min-width: 900px) { a { text-decoration: none; } }")
    assert [look for look, rule, *_ in violations(cells) if rule == "link-in-text-block"] == ["1280 light"]


def test_a_label_of_what_is_switched_off_does_not_stand_for_others(cells):
    cells.evaluate("""document.body.insertAdjacentHTML(
      "beforeend", "<label>One <input disabled></label>".repeat(3) + "<label>Two <input></label>")""")
    add(cells, "label { color: #777; background: #888; }")
    assert {look for look, _, html, _ in violations(cells) if "Two" in html} >= FIRST


def test_text_of_the_same_colour_that_is_smaller_is_looked_at_for_itself(cells):
    texts = "<p class=big>Large</p>" * 4 + "<p class=big id=less>Small</p>"
    cells.evaluate("(texts) => { document.querySelector('main').innerHTML += texts; }", texts)
    add(cells, ".big { color: #808080; background: #fff; font-size: 30px; } #less { font-size: 16px; }")
    found = violations(cells)
    assert {rule for _, rule, *_ in found} == {"color-contrast"} and all("Small" in html for _, _, html, _ in found)


def test_what_was_looked_at_before_is_looked_at_again(cells):
    assert violations(cells) == []
    add(cells, CONTRAST["of all cells"][0])
    once, again = violations(cells), violations(cells)
    assert once == again and {look for look, *_ in once} >= FIRST
    cells.goto("data:text/html,<html lang=en><title>Another</title><main><h1>Another</h1><button></button></main>")
    assert {rule for _, rule, *_ in violations(cells)} == {"button-name"}
