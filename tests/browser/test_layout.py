"""Every kind of question in little and in much space, with a person's own colours, and on paper."""

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import Visit, open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

AGREEMENT = ["Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree"]
COUNTRIES = [f"{name} {part}" for name in ("Norland", "Südmark", "Westria", "Élan") for part in "abcdef"]
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente" * 3


def asked(key, kind, **fields):
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": "1"} | fields


QUESTIONS = [
    asked("tenths", "ordered", options=["0 not at all", *map(str, range(1, 10)), "10 completely"]),
    asked("seven", "ordered", options=[*"1234567"], prefer_not_to_say=True),
    asked("matrix", "grid", items=["My work is useful", "I sleep well", "Trains are late"], options=AGREEMENT),
    asked("refused", "grid", items=["tea", "coffee"], options=["never", "often"], prefer_not_to_say=True),
    asked("numbers", "grid", items=["Monday", "Tuesday"], options=[*map(str, range(11))]),
    asked(
        "stacked",
        "grid",
        items=["This", "That"],
        options=[f"More than a line of text in a head: {i}" for i in "abcd"],
    ),
    asked("country", "single_choice", options=COUNTRIES, prefer_not_to_say=True),
    asked("visited", "multiple_choice", options=COUNTRIES),
    asked("age", "histogram", edges=["0", "30", "60", "90"], unit="years", prefer_not_to_say=True),
    asked("words", "yes_no", text=LONG, note=LONG),
    asked("options", "multiple_choice", options=[LONG, f"{LONG}a"], prefer_not_to_say=True),
    asked("items", "grid", items=[LONG, f"{LONG}b"], options=["yes", "no"]),
    asked("steps", "ordered", options=[f"{LONG}c", f"{LONG}d", f"{LONG}e"]),
]
KEYS = [question["key"] for question in QUESTIONS]
DRAFT = {"title": f"Layout {LONG}", "introduction": LONG, "questions": QUESTIONS}

# Texts that are partly hidden.
CUT = """[...document.querySelectorAll("h1, h3, h4, p:not(.visually-hidden), th, .radio, .box")].filter((each) =>
  each.checkVisibility() && each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
# The places of the visible elements.
BOXES = """(all) => all.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().toJSON())"""
# Press the first control of each group (a table has one in every row), and the first box.
FIRST = """(cards) => cards.flatMap((card) => {
  const rows = card.querySelectorAll("tbody tr, .item");
  return (rows.length ? [...rows] : [card]).map((each) => each.querySelector("[role=radio], [role=checkbox]"));
}).forEach((each) => each?.click())"""
# The outermost rules of the style that move anything. A delayed appearance is no motion.
MOVING = """[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .map(({ cssText }) => cssText).filter((text) => /transition|animation(?!: (auto|0s))|scroll-behavior/.test(text))"""


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("layout"), draft=DRAFT)


def card(visit, key):
    return visit.page.locator(".question").nth(KEYS.index(key))


def resized(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 844})
    return visit.page


def rows_of(found):
    """Return how many elements are beside one another, row by row."""
    tops = [round(box["y"]) for box in found.evaluate_all(BOXES)]
    return [tops.count(top) for top in sorted(set(tops))]


# Room -----------------------------------------------------------------------------------------------------------------


def test_long_words_wrap_and_everything_can_be_touched(visit):
    visit.send()  # with all complaints and reminders
    for width in (320, 390, 640, 1280):
        page = resized(visit, width)
        assert beyond(page) == 0
        boxes = page.locator(".question button, .question input").evaluate_all(BOXES)
        assert len(boxes) > 100
        for box in boxes:
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["height"] >= 44 and box["width"] >= 28
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize(("width", "rows"), [(320, [6, 5]), (390, [11]), (1280, [11])])
def test_0_to_10_is_one_row_where_there_is_room(visit, width, rows):
    resized(visit, width)
    scale = card(visit, "tenths").get_by_role("radiogroup", name="tenths?")
    steps = scale.get_by_role("radio")
    assert rows_of(steps) == rows
    assert steps.all_inner_texts() == [str(step) for step in range(11)]
    assert scale.locator(".ends span").all_inner_texts() == ["0 not at all", "10 completely"]
    scale.get_by_role("radio", name="10 completely", exact=True).click()
    assert scale.get_by_role("radio", checked=True).inner_text() == "10"
    assert rows_of(card(visit, "seven").get_by_role("radio")) == [7, 1]


def test_a_grid_is_a_table_with_columns_or_with_stacked_rows(visit):
    grid = card(visit, "matrix").get_by_role("table", name="matrix?")
    for width, rows in ((1280, [5, 5, 5]), (640, [5, 5, 5]), (320, [1] * 15)):
        resized(visit, width)
        assert rows_of(grid.get_by_role("radio")) == rows
        assert grid.get_by_role("columnheader").count() == (5 if width > 320 else 0)
        assert grid.get_by_role("rowheader").all_inner_texts() == QUESTIONS[2]["items"]
    grid.get_by_role("radio", name="I sleep well: Agree", exact=True).click()
    visit.page.keyboard.press("ArrowRight")
    assert grid.get_by_role("radio", checked=True).get_attribute("aria-label") == "I sleep well: Strongly agree"
    visit.page.keyboard.press("ArrowRight")  # the first of the same row follows the last
    assert grid.get_by_role("radio", checked=True).get_attribute("aria-label") == "I sleep well: Strongly disagree"
    resized(visit, 390)
    assert rows_of(card(visit, "numbers").get_by_role("radio")) == [11, 11]


def test_a_grid_with_long_options_is_stacked_at_every_width(visit):
    for width in (390, 1280):
        resized(visit, width)
        group = card(visit, "stacked").get_by_role("radiogroup", name="stacked? That", exact=True)
        assert group.get_by_role("radio").count() == 4 and card(visit, "stacked").get_by_role("table").count() == 0


# Search ---------------------------------------------------------------------------------------------------------------


def shown(visit, key, role="radio"):
    return card(visit, key).get_by_role(role).all_inner_texts()


def test_a_long_list_is_searched_without_case_and_accents_and_keeps_what_is_chosen(visit):
    country = card(visit, "country")
    search = country.get_by_role("searchbox", name="Search this list")
    assert shown(visit, "country") == [*COUNTRIES, "Prefer not to say"]
    search.fill("SUDMARK ")
    visit.sees("6 of 25 match.")
    assert shown(visit, "country") == [*COUNTRIES[6:12], "Prefer not to say"]
    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("ArrowDown")
    assert country.get_by_role("radio", checked=True).inner_text() == "Südmark c"
    search.fill("élan b")
    visit.sees("1 of 25 match.")
    assert shown(visit, "country") == ["Südmark c", "Élan b", "Prefer not to say"]
    search.fill("nowhere")
    visit.sees("0 of 25 match.")
    assert shown(visit, "country") == ["Südmark c", "Prefer not to say"]
    search.fill("")
    assert len(shown(visit, "country")) == 25


def test_boxes_to_tick_are_searched_as_well(visit):
    visited = card(visit, "visited")
    visited.get_by_role("checkbox", name="Norland a", exact=True).click()
    visited.get_by_role("searchbox").fill("elan f")
    assert shown(visit, "visited", "checkbox") == ["Norland a", "Élan f", "None of these"]


def test_what_was_searched_goes_with_the_answer_and_is_never_sent(visit):
    untouched = visit.page.locator(".question").evaluate_all("(cards) => cards.map((card) => card.innerHTML)")
    loaded = len(visit.requests)
    for key in ("country", "visited"):
        card(visit, key).get_by_role("searchbox").fill("mark")
    card(visit, "country").get_by_role("radio").nth(1).click()
    visit.page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide'))")
    left = visit.page.locator(".question").evaluate_all("(cards) => cards.map((card) => card.innerHTML)")
    assert left == untouched
    assert [box.input_value() for box in visit.page.get_by_role("searchbox").all()] == ["", ""]
    assert visit.requests[loaded:] == [] and visit.stored == []


# Colours, motion, paper -----------------------------------------------------------------------------------------------


def answer_all(visit):
    visit.page.locator(".question").evaluate_all(FIRST)
    card(visit, "age").get_by_role("textbox").fill("31")


def test_everyone_can_use_it_in_every_state(visit):
    assert violations(visit.page) == []
    visit.send()
    answer_all(visit)
    card(visit, "country").get_by_role("searchbox").fill("b")
    assert violations(visit.page) == []


def test_what_is_chosen_is_seen_with_forced_colours(visit):
    answer_all(visit)
    mark = """(each) => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(each, "::before");
      return [Math.round(parseFloat(borderTopWidth)), borderTopColor];
    }"""
    for scheme in ("light", "dark"):
        visit.page.emulate_media(forced_colors="active", color_scheme=scheme)
        for key in ("tenths", "matrix", "country", "visited"):
            chosen = card(visit, key).locator("[aria-checked=true]").first.evaluate(mark)
            other = card(visit, key).locator("[aria-checked=false]").first.evaluate(mark)
            assert (chosen[0], other[0]) == (6, 2) and chosen[1] != other[1]
        edge = card(visit, "matrix").locator(".radio").first.evaluate("(each) => getComputedStyle(each).borderTopColor")
        assert edge not in ("transparent", "rgba(0, 0, 0, 0)")


SHIFTS = """new Promise((done) => {
  const moved = [];
  const note = (list) => moved.push(...list.getEntries().map((each) => each.value));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 500);
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps_while_the_page_comes(page, survey, width):
    page.set_viewport_size({"width": width, "height": 844})
    assert sum(Visit(page, survey).load().page.evaluate(SHIFTS)) < 0.001


def test_nothing_moves_for_anyone_who_asked_for_less_motion(visit):
    moving = visit.page.evaluate(MOVING)
    assert len(moving) == 1 and "progress" in moving[0] and "no-preference" in moving[0]
    visit.page.emulate_media(reduced_motion="reduce")
    assert visit.page.evaluate("matchMedia('(prefers-reduced-motion: no-preference)').matches") is False


def test_the_receipt_is_printed_complete_and_without_buttons(visit):
    page = resized(visit, 1280)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.get_by_role("button", name="Send my").count() == page.get_by_role("searchbox").count() == 0
    last = card(visit, "country").get_by_role("radio").last.bounding_box()
    box = card(visit, "country").bounding_box()
    assert last["y"] + last["height"] <= box["y"] + box["height"], "the whole list is on the paper"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 36, 35)"
    page.emulate_media(media="screen")
    answer_all(visit)
    visit.send().is_thanked()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("td").count() == len(QUESTIONS)
    assert all(cell.is_visible() for cell in page.locator("tbody td, tbody th").all())
    assert page.locator(".bytes").is_visible() and page.locator(".bytes").inner_text() == visit.posts[0]
    assert page.get_by_role("button").count() == 0 and page.locator(".audit:visible").count() == 0
    assert beyond(page) == 0
    page.emulate_media(media="screen")
    for width in (320, 390):
        assert beyond(resized(visit, width)) == 0
