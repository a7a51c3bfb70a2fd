"""The controls of every kind of question. The given answer is the one that is randomized, and everyone can use the
controls."""

import json

import pytest

from ldp.forms.report import alone
from ldp.privatize import randomize
from tests.support.accessibility import violations
from tests.support.respondents import Visit, open_page
from tests.support.site import OVERHEARD, altered
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

LEVELS = ["never", "seldom", "at times", "often", "always"]
QUESTIONS = [
    {"key": "often", "kind": "ordered", "text": "How often?", "options": LEVELS, "alpha": "1"}
    | {"mechanism": "exponential", "prefer_not_to_say": True},
    {"key": "some", "kind": "single_choice", "text": "Which?", "options": [*"abcdef"], "alpha": "0.1"}
    | {"mechanism": "randomized_response", "size": 3},
    {"key": "hours", "kind": "mean", "text": "How long?", "low": "0", "high": "24", "unit": "hours", "alpha": "1"}
    | {"mechanism": "laplace_mean"},
    {"key": "degrees", "kind": "mean", "text": "How warm?", "low": "-10.5", "high": "40", "alpha": "1"}
    | {"mechanism": "one_bit"},
    {"key": "has", "kind": "multiple_choice", "text": "What do you have?", "options": ["car", "bicycle", "boat"]}
    | {"alpha": "1", "prefer_not_to_say": True},
    {"key": "drinks", "kind": "grid", "text": "How often do you drink", "items": ["tea", "coffee", "milk"]}
    | {"options": LEVELS, "alpha": "1", "sample": 2},
    {"key": "age", "kind": "histogram", "text": "How old?", "edges": ["0", "30", "60", "90"], "unit": "years"}
    | {"alpha": "1", "mechanism": "gaussian", "delta": "0.00001"},
]
DRAFT = {"title": "Every kind", "introduction": "For the tests.", "questions": QUESTIONS}
KEYS = [question["key"] for question in QUESTIONS]


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("kinds"), draft=DRAFT)


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(page, survey):
    altered(OVERHEARD)(page)
    return Visit(page, survey).load()


def question(visit, key):
    return visit.page.locator(".question").nth(KEYS.index(key))


def press(visit, key, role, *names):
    for name in names:
        question(visit, key).get_by_role(role, name=name, exact=True).click()


def answer_all(visit):
    press(visit, "often", "radio", "often")
    press(visit, "some", "radio", "c")
    question(visit, "hours").get_by_role("textbox").fill("7,50")
    question(visit, "degrees").get_by_role("textbox").fill("-11")
    press(visit, "has", "checkbox", "boat", "car")
    for item, level in (("tea", "always"), ("coffee", "never"), ("milk", "seldom")):
        press(visit, "drinks", "radio", f"{item}: {level}")
    question(visit, "age").get_by_role("textbox").fill("61")


def test_what_is_answered_is_what_is_randomized(visit):
    answer_all(visit)
    visit.send().is_thanked()
    assert visit.page.evaluate("overheard") == {
        "often": 3,
        "some": 2,
        "hours": "7.5",
        "degrees": "-11",
        "has": [True, False, True, False],
        "drinks": [4, 0, 1],
        "age": 2,
    }
    assert json.loads(visit.posts[0])["answers"].keys() == set(KEYS)


def test_the_page_says_how_a_number_counts(visit):
    hours = question(visit, "hours")
    for typed, said in (
        ("7,5", "Counts as: 7.5 hours."),
        ("+.5", "Counts as: 0.5 hours."),
        ("-1", "Counts as: 0 hours."),
        ("24.01", "Counts as: 24 hours."),
        ("1" * 16, "This number is too long. Enter at most 15 digits."),
        ("seven", "This is not a number yet. Enter digits only, such as 34 or 34.5."),
    ):
        hours.get_by_role("textbox").fill(typed)
        assert hours.locator(".counts").inner_text() == said


def test_ticking_nothing_is_an_answer_only_once_it_was_said(visit):
    progress = visit.page.locator("#progress-text")
    ticked = question(visit, "has").locator("[aria-checked=true]")
    for name, now, answered in (
        ("car", ["car"], 1),
        ("boat", ["car", "boat"], 1),
        ("None of these", ["None of these"], 1),
        ("Prefer not to say", ["Prefer not to say"], 1),
        ("bicycle", ["bicycle"], 1),
        ("bicycle", [], 0),
        ("None of these", ["None of these"], 1),
    ):
        press(visit, "has", "checkbox", name)
        assert ticked.all_inner_texts() == now
        assert progress.inner_text() == f"{answered} of {len(KEYS)} answered"


WRITTEN = {
    "en": (["car", "None of the above", "boat"], "None of these"),
    "de": (["Auto", "Keines davon", "Boot"], "Nichts davon"),
    "fr": (["voiture", "pas de véhicule", "bateau"], "Aucune de ces options"),  # the draft marks it as exclusive
}


@pytest.mark.parametrize("language", WRITTEN)
def test_none_of_these_as_the_authors_wrote_it_goes_with_no_other_and_is_there_once(page, system, tmp_path, language):
    options, own = WRITTEN[language]
    question = QUESTIONS[4] | {"options": options} | ({"exclusive": 1} if language == "fr" else {})
    survey = open_page(system, tmp_path, DRAFT | {"language": language, "questions": [question]})
    altered(OVERHEARD)(page)
    visit = Visit(page, survey).load()
    boxes = page.get_by_role("checkbox")
    assert boxes.all_inner_texts()[:-1] == options and own not in options
    ticked = page.locator("[aria-checked=true]")
    for name, now in (
        (options[0], [0]),
        (options[1], [1]),
        (options[2], [2]),
        (options[0], [0, 2]),
        (options[1], [1]),
    ):
        page.get_by_role("checkbox", name=name, exact=True).click()
        assert ticked.all_inner_texts() == [options[each] for each in now]
    page.locator(".finish .primary").click()
    thanks = {"en": "Thank you", "de": "Vielen Dank", "fr": "Merci beaucoup"}[language]
    page.get_by_role("heading", name=thanks).wait_for()
    assert page.evaluate("overheard")["has"][:3] == [False, True, False]
    assert visit.posts


def test_a_grid_is_answered_when_every_item_is(visit):
    progress = visit.page.locator("#progress-text")
    rows = question(visit, "drinks").locator("tbody").get_by_role("row")
    for i in range(3):
        assert progress.inner_text() == f"0 of {len(KEYS)} answered"
        rows.nth(i).get_by_role("radio").nth(1).click()
    assert progress.inner_text() == f"1 of {len(KEYS)} answered"


def test_what_is_missing_is_named_and_nothing_is_sent(visit):
    visit.send()
    visit.sees(f"{len(KEYS)} questions still need an answer.")
    for key, complaint in (
        ("has", "Please tick what applies, or say that nothing does."),
        ("drinks", "Please choose an answer for each of these."),
        ("hours", "Please enter a number."),
    ):
        assert question(visit, key).locator(".error").inner_text() == complaint
    assert visit.posts == []


def test_no_trace_of_an_answer_stays_in_the_controls(visit):
    untouched = visit.page.locator(".question").evaluate_all("(cards) => cards.map((card) => card.innerHTML)")
    answer_all(visit)
    assert visit.page.evaluate("document.querySelectorAll('[aria-checked=true]').length") == 7
    visit.page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide'))")
    left = visit.page.locator(".question").evaluate_all("(cards) => cards.map((card) => card.innerHTML)")
    assert left == untouched
    assert [box.input_value() for box in visit.page.get_by_role("textbox").all()] == ["", "", ""]


def test_the_thanks_say_in_words_what_was_reported(visit):
    answer_all(visit)
    visit.send().is_thanked()
    visit.page.get_by_text("What left your browser").click()
    report = json.loads(visit.shown_report)["answers"]
    rows = dict(zip(KEYS, visit.page.locator("td").all_inner_texts(), strict=True))
    item, ticked = report["has"][0]
    assert f"{['car', 'bicycle', 'boat', 'Prefer not to say'][item]}: {'yes' if ticked else 'no'}" in rows["has"]
    for item, levels in report["drinks"]:
        named = " / ".join(LEVELS[level] for level in levels)
        assert f"{['tea', 'coffee', 'milk'][item]}: {named}" in rows["drinks"]
    assert rows["often"] == [*LEVELS, "Prefer not to say"][report["often"]]
    assert rows["degrees"] == {0: "-10.5", 1: "40"}[report["degrees"][0]]
    assert rows["hours"] == f"{6 * report['hours']} hours".replace("-", "\u2212")
    assert all("abcdef"[index] in rows["some"] for index in report["some"])
    assert all(str(abs(value)) in rows["age"] for value in report["age"])
    visit.sees("picked one item at random and reported only that one")
    visit.sees("picked some of them at random and reported only those")


def test_delta_is_said_in_plain_words(visit):
    own = question(visit, "age").locator(".protection").inner_text()
    assert "With a chance of at most 1 in 100,000 the report may reveal more" in own
    visit.page.get_by_text("How are you protected?").click()
    visit.sees("With a chance of at most 1 in 100,000 the report may reveal more")
    visit.page.get_by_text("Check it yourself").click()
    visit.sees("alpha 6.1 and delta 0.00001")
    visit.sees("alpha 1 and delta 0.00001: from this one answer, the odds of a guess change by a factor of at most 2.8")


def test_every_kind_can_be_used_by_everyone(visit):
    assert violations(visit.page) == []
    visit.send()  # with all complaints
    visit.page.get_by_text("Check it yourself").click()
    assert violations(visit.page) == []
    for width in (320, 390, 1280):
        visit.page.set_viewport_size({"width": width, "height": 844})
        assert beyond(visit.page) == 0, width
        small = visit.page.evaluate(
            """[...document.querySelectorAll(".question button, .question input")]
              .filter((control) => control.getBoundingClientRect().height < 44).length"""
        )
        assert small == 0, width
    answer_all(visit)
    visit.send().is_thanked()
    assert violations(visit.page) == []


def test_answers_from_the_controls_are_answers_for_the_twin(survey):
    """The Python twin takes the same answers that the controls give."""
    given = {"often": 3, "some": 2, "hours": "7.50", "degrees": "-11", "has": [True, False, True, False]}
    given |= {"drinks": [4, 0, 1], "age": 2}
    for asked in alone(survey.definition):
        randomize(asked, given[asked["key"]], lambda: 12345)
