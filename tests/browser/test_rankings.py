"""Rankings in Chromium, with a pointer and a keyboard. No order is an answer before it is confirmed."""

import json
from fractions import Fraction

import pytest

from ldp.mechanisms import ranking
from surveys.survey import definition as definitions
from surveys.survey.mechanisms import report_words
from tests.support.accessibility import violations
from tests.support.questions import question
from tests.support.respondents import Visit, open_page
from tests.support.site import OVERHEARD, altered, certified, open_blank
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ITEMS = ["Shorter waits", "Lower fares", "Cleaner trains", "More trains at night"]
QUESTIONS = [question("wish", "ranking", "1", ranked=ITEMS, sample=3, text="What should change first?")]
DRAFT = {"title": "Trains", "introduction": "For the tests.", "questions": QUESTIONS}
SMALL = """(buttons) => buttons.map((each) => each.getBoundingClientRect())
  .filter(({ width, height }) => width < 44 || height < 44).length"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("rankings"), draft=DRAFT)


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(page, survey):
    altered(OVERHEARD)(page)
    return Visit(page, survey).load()


def order(visit):
    return [
        text.split(".", 1)[1].split("\u2191")[0].strip() for text in visit.page.locator("ol > li").all_inner_texts()
    ]


def arranged(visit):
    """Put the visit's items into the question's order by pressing the controls."""
    for place, item in enumerate(ITEMS):
        for _ in range(order(visit).index(item) - place):
            visit.press(f"Up: {item}")
    assert order(visit) == ITEMS
    return visit


def test_the_first_order_is_drawn_by_chance(page, survey):
    """Each of 24 orders is equally likely: 8 visits have the same one by chance once in 4 billion runs."""
    visit, seen = Visit(page, survey).load(), set()
    for _ in range(8):
        seen.add(tuple(order(visit)))
        page.reload()
        page.locator("ol > li").first.wait_for()
    assert len(seen) > 1 and all(sorted(each) == sorted(ITEMS) for each in seen)


def test_items_move_and_the_confirmed_order_alone_is_randomized(visit):
    arranged(visit).press("Up: Cleaner trains").press("Up: Cleaner trains")
    visit.press("Down: Lower fares")
    assert order(visit) == ["Cleaner trains", "Shorter waits", "More trains at night", "Lower fares"]
    assert visit.page.get_by_role("status").get_by_text("Lower fares: now place 4 of 4.").count() == 1
    visit.press("This is my order").send().is_thanked()
    assert visit.page.evaluate("overheard") == {"wish": [2, 0, 3, 1]}
    [body] = visit.posts
    reported, options = json.loads(body)["answers"]["wish"], visit.survey.definition["questions"][0]["options"]
    assert ranking.packing(visit.survey.definition["draws"][0]["table"], 6).encode(reported) >= 0
    told = report_words.ordered(visit.survey.definition["questions"][0], reported).items[0]
    for pair, bit in reported:
        one, other = options[pair].split(" > ")
        assert (told.index(one) < told.index(other)) == bool(bit)
    assert visit.page.get_by_text(told, exact=True).count() == 1
    assert visit.page.get_by_text("an order of 3 of them").count() == 1


def test_no_order_is_an_answer_before_it_is_confirmed_nor_after_it_has_changed(visit):
    arranged(visit).send()
    error = visit.page.locator(".question .error")
    assert error.inner_text() == "Please put these in your order, and confirm it."
    visit.press("This is my order")
    assert error.inner_text() == "" and visit.page.get_by_text("1 of 1 answered").count() == 1
    visit.press("Down: Shorter waits")
    assert visit.page.get_by_text("0 of 1 answered").count() == 1
    visit.send()
    assert error.inner_text() != "" and visit.posts == []


def test_a_keyboard_alone_orders_and_keeps_its_place(visit):
    up = arranged(visit).page.get_by_role("button", name="Up: More trains at night")
    up.focus()
    for place in (2, 1, 0, 0):
        visit.page.keyboard.press("Enter")
        assert order(visit).index("More trains at night") == place
        assert up.evaluate("(node) => node === document.activeElement")
    assert up.get_attribute("aria-disabled") == "true"
    visit.page.get_by_role("button", name="Down: Shorter waits").focus()
    visit.page.keyboard.press("Space")
    assert order(visit)[2] == "Shorter waits"
    assert visit.page.evaluate("document.activeElement.getAttribute('aria-label')") == "Down: Shorter waits"


def test_everyone_can_use_the_controls(visit):
    for width in (320, 390, 1280):
        visit.page.set_viewport_size({"width": width, "height": 844})
        assert visit.page.locator(".question button").evaluate_all(SMALL) == 0
        assert beyond(visit.page) == 0
    assert violations(visit.page) == []
    visit.send()
    assert violations(visit.page) == []


def test_the_page_and_the_site_take_the_same_rankings(page, system):
    whole = definitions.build({"title": "x", "questions": QUESTIONS})
    [built], [draw] = whole["questions"], whole["draws"]
    two = built["options"][:1]
    changes = [
        {}, {"ranked": ITEMS[:3]}, {"ranked": [*ITEMS[:3], ITEMS[0]]}, {"ranked": [*ITEMS[:3], ""]},
        {"ranked": ITEMS[:2], "options": two}, {"ranked": "abcd"}, {"ranked": None}, {"ranked": [1, 2, 3, 4]},
        {"options": built["options"][:5]}, {"options": [*built["options"][:5], built["options"][0]]},
        {"ranked": [*"abcdefghi"], "options": [str(i) for i in range(36)]},
        {"ranked": [*"abcdefgh"], "options": [str(i) for i in range(28)]},
        {"prefer_not_to_say": True}, {"items": ITEMS}, {"right": 0}, {"unit": ""},
        {"asked_if": {"question": "other", "options": [0]}},
    ]  # fmt: skip
    of_two, of_three = (ranking.table(Fraction(1), 6, sample) for sample in (2, 3))
    tables = [of_two, of_three, *(of_two | {"sample": sample} for sample in (0, 1, 3, 4, "2"))]
    tables += [of_three | {"keep": of_three["keep"] + 1}, of_three | {"more": 1}]
    texts = [definitions.canonical(whole | {"questions": [built | change]}) for change in changes]
    texts += [definitions.canonical(whole | {"draws": [draw | {"table": table}]}) for table in tables]
    blank = open_blank(page, system.url)
    found = certified(blank, texts)
    expected = [definitions.certified(text) for text in texts]
    assert found == expected and expected[0] and expected[11] and sum(expected[: len(changes)]) == 2
    assert expected[len(changes) :] == [True, True, *[False] * 7]
