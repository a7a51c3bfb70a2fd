"""A survey in forms on the respondents' page. One form is drawn before anything is shown; it is kept, asked and sent
(M35)."""

import json
import re

import pytest

from ldp.forms import definition as rules
from surveys.survey.definition.layout import layouts
from tests.support import form_cases
from tests.support.accessibility import violations
from tests.support.drawn import drawn
from tests.support.respondents import STORED, Visit, Wire, answers, at_once_in_two_tabs, open_page, stored_rows
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRAFT = form_cases.DRAFT | {
    "sections": [
        {"title": "Where", "text": "", "questions": ["region"]},
        {"title": "Drugs", "text": "Two questions.", "questions": ["drugs", "often"]},
        {"title": "You", "text": "", "questions": ["age", "income", "health", "devices"]},
    ]
}
GIVEN = {"region": 0, "drugs": 0, "often": 1, "age": "41", "income": "1000", "health": 2, "devices": 0}


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("forms"), form_cases.DRAFT)


@pytest.fixture(scope="module")
def sectioned(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("sections"), DRAFT)


# The lot is the first number that the page draws after it tries the generator. Its remainder is a place among all
# forms.
LOT = """
  const real = crypto.getRandomValues.bind(crypto);
  let tries = 0;
  crypto.getRandomValues = (array) => {
    real(array);
    tries += array.length === 8 ? 0 : 1;
    if (array.length === 8 && tries === 2) array.set([0, %d], 4);
    return array;
  };
"""
# The same lot for all later draws.
NOW = """() => {
  const real = crypto.getRandomValues;
  crypto.getRandomValues = (array) => {
    real(array);
    if (array.length === 8) array.set([0, %d], 4);
    return array;
  };
}"""


def arrives(page, survey, place):
    """Make a first visit whose lot gives the form at this place."""
    page.add_init_script(LOT % [0, 2, 3][place])
    return Visit(page, survey).load()


def keys(survey, place):
    return [each["key"] for each in rules.questions_of(survey.definition, place)]


def asked(visit):
    """Return the places of the forms that ask the questions on the page."""
    texts = visit.page.locator(".question h3").all_inner_texts()
    made = visit.survey.definition
    return [form for form in range(3) if texts == [each["text"] for each in rules.questions_of(made, form)]]


def answer(visit, place, **more):
    """Answer every question on the page, including conditional ones."""
    for number, key in enumerate(keys(visit.survey, place)):
        question = visit.page.locator(".question").nth(number)
        given = {**GIVEN, **more}[key]
        if isinstance(given, str):
            question.get_by_role("textbox").fill(given)
        elif key == "devices":
            question.get_by_role("checkbox").nth(given).click()
        elif question.is_visible():
            question.get_by_role("radio").nth(given).click()
    return visit


@pytest.mark.parametrize(
    ("place", "strength", "belief"), [(0, "Weak", "76%"), (1, "Moderate", "65%"), (2, "Weak", "87%")]
)
def test_a_form_is_asked_and_sent_and_nothing_else(page, survey, system, place, strength, belief):
    """M39: the odds of 20 in 100 grow by e^2.5, e^2 and e^3.25, the alphas of the three forms' reports."""
    visit = arrives(page, survey, place)
    assert asked(visit) == [place]
    said = page.locator("#promise").locator("..").inner_text()
    assert f"{strength} protection" in said and f"at most {belief} sure." in said
    assert page.locator(".standing").inner_text() == f"{strength} protection"
    visit.sees("Your questions were drawn by lot from a longer list")
    answer(visit, place).send().is_thanked()
    report = json.loads(visit.posts[0])
    assert list(report) == ["report_id", "digest", "form", "answers"] and report["form"] == place
    assert set(report["answers"]) == set(keys(survey, place))
    [packed] = stored_rows(system, visit.posts[0])
    assert packed == layouts(survey.definition)[place].pack(report["answers"])


def test_the_page_says_of_answers_that_are_drawn_together_what_becomes_of_them(page, survey):
    visit = arrives(page, survey, 1)  # age, with four values, and income: alpha 1.5
    first, second = page.locator(".question .protection").all_inner_texts()[-2:]
    assert re.search(
        r"2 of your answers are randomized together\. With a chance of \d+% these are among what is", first
    )
    assert "One of 2 answers that are randomized together." in second
    page.get_by_text("How are you protected?").click()
    visit.sees("Numbers that are randomized together with other answers are first rounded at random")
    answer(visit, 1).send().is_thanked()
    page.get_by_text("What left your browser").click()
    visit.sees("This survey has 3 parts, and each person is asked one. The report says that you were asked part 2.")
    visit.sees("Randomized together: “Age?”, “Income?”. Either all of your answers are among what was sent, or all")
    assert violations(page) == []


def kept(visit):
    return [each for each in visit.page.evaluate(STORED) if str(each["slug"]).startswith(":form/")]


def test_the_form_is_kept_before_a_question_is_shown_and_stays_until_the_report_is_settled(page, survey):
    visit = arrives(page, survey, 2)
    assert kept(visit) == [{"slug": f":form/{survey.digest}", "form": 2}]
    for _ in range(2):
        page.add_init_script(LOT % 0)
        page.reload()
        page.locator("#promise").wait_for()
        assert asked(visit) == [2]
    page.goto("about:blank")
    page.go_back()
    page.locator("#promise").wait_for()
    assert asked(visit) == [2]
    answer(visit, 2).send().is_thanked()
    assert kept(visit) == [] and [each["slug"] for each in visit.listed] == ["/sent/1"]
    assert visit.listed[0]["alpha"] == "3.25"


def test_a_second_tab_asks_the_same_form(context, survey):
    first = arrives(context.new_page(), survey, 1)
    second = Visit(context.new_page(), survey)
    second.page.add_init_script(LOT % 0)
    second.load().press("Answer here instead").page.locator("#promise").wait_for()
    assert asked(first) == asked(second) == [1]


def test_of_two_tabs_that_draw_at_once_both_ask_what_one_has_drawn(context, system):
    """The race runs for a hundred definitions at once: two tabs draw a form for each."""
    keeps = """async ({ tab, moment }) => {
      const { openStore } = await import("/static/respond/store.js");
      await new Promise((resolve) => setTimeout(resolve, moment - Date.now()));
      const stores = Array.from({ length: 100 }, (_, i) => openStore({ slug: `s-${i}`, digest: `d-${i}`, url: "/" }));
      return Promise.all(stores.map((store, i) => store.keepForm(1000 * tab + i)));
    }"""
    first, second = at_once_in_two_tabs(context, system, keeps)
    assert first == second
    assert {form % 1000 for form in second} == set(range(100))


def test_another_person_on_the_device_draws_anew(page, survey):
    visit = arrives(page, survey, 1)
    answer(visit, 1).send().is_thanked()
    page.reload()
    visit.sees("already answered")
    page.evaluate(NOW % 3)
    page.get_by_role("button", name="Another person").click()
    page.get_by_role("button", name="Yes, another").click()
    page.locator("#promise").wait_for()
    assert asked(visit) == [2] and kept(visit)[0]["form"] == 2


def test_a_browser_without_storage_asks_the_same_form_as_long_as_the_page_is_open(page, survey):
    page.add_init_script("delete globalThis.indexedDB; delete Window.prototype.indexedDB")
    page.add_init_script(LOT % 2)
    visit = Visit(page, survey).load()
    visit.press("No, I have not answered yet")
    page.locator("#promise").wait_for()
    assert asked(visit) == [1]
    answer(visit, 1)
    wire = Wire(page, answers(503))
    visit.send().is_thanked()
    assert len(set(wire.bodies)) == 1 and json.loads(wire.bodies[0])["form"] == 1


def test_storage_that_never_answers_keeps_no_one_waiting_for_a_form(page, survey):
    page.add_init_script("window.asked = 0; IDBFactory.prototype.open = () => { window.asked += 1; return {}; }")
    visit = Visit(page, survey).load()
    visit.sees("Did you answer this survey before?")
    before = page.evaluate("asked")
    visit.press("No, I have not answered yet").page.locator("#promise").wait_for()
    assert page.evaluate("asked") == before and len(asked(visit)) == 1


def test_a_report_that_waits_is_shown_as_the_form_that_it_is_of(page, survey):
    visit = arrives(page, survey, 0)
    Wire(page, answers(503, retry_after="60"))
    answer(visit, 0).send().sees("Not sent yet.")
    page.reload()
    visit.is_thanked()
    page.get_by_text("What left your browser").click()
    assert page.locator("#outcome ~ * tbody th, .panel tbody th").all_inner_texts() == ["Here?", "Ever?", "How often?"]


def test_sections_of_other_forms_are_passed_over(page, sectioned):
    visit = arrives(page, sectioned, 0)
    visit.sees("Section 1 of 2")
    page.get_by_role("button", name="Show all sections at once").click()
    assert page.locator(".part > h2").all_inner_texts() == ["Where", "Drugs"]
    assert asked(visit) == [0]


def test_a_survey_without_forms_draws_none_and_says_nothing_of_them(page, system, tmp_path):
    plain = {"title": "Plain", "questions": [form_cases.DRAFT["questions"][0]]}
    visit = Visit(page, open_page(system, tmp_path, plain)).load()
    assert kept(visit) == [] and "by lot" not in page.locator("body").inner_text()
    visit.page.locator(".question").get_by_role("radio").first.click()
    visit.send().is_thanked()
    assert list(json.loads(visit.posts[0])) == ["report_id", "digest", "answers"]


def test_a_generator_that_repeats_itself_draws_no_form(page, survey):
    page.add_init_script("crypto.getRandomValues = (array) => array.fill(7)")
    visit = Visit(page, survey).load()
    assert visit.heading == "This browser's random numbers are not working" and kept(visit) == []


YES_NO = {"kind": "yes_no", "prefer_not_to_say": False}
TOGETHER = drawn(
    {
        "title": "Money and health",
        "introduction": "A few questions about your life.",
        "questions": [YES_NO | {"key": key, "text": f"{key}?"} for key in ("debts", "drugs", "health", "sleep")],
        "forms": [
            {"weight": 1, "questions": ["debts", "drugs"], "alpha": "2"},
            {"weight": 1, "questions": ["health", "sleep"], "alpha": "2"},
        ],
    }
)
TOGETHER["translations"] = {
    language: {
        "title": title,
        "introduction": introduction,
        "questions": [{"text": text, "note": ""} for text in texts],
    }
    for language, title, introduction, texts in (
        ("de", "Geld und Gesundheit", "Ein paar Fragen.", ("Schulden?", "Drogen?", "Gesund?", "Schlaf?")),
        ("ar", "المال والصحة", "بعض الأسئلة.", ("ديون؟", "مخدرات؟", "صحة؟", "نوم؟")),
    )
}


@pytest.fixture(scope="module")
def together(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("together"), TOGETHER)


@pytest.mark.parametrize(
    ("language", "lot", "kept"),
    [
        (
            "en",
            "drawn by lot from a longer list",
            "With a chance of 61% your answers are what is sent; otherwise all of it is random.",
        ),
        (
            "de",
            "aus einer längeren Liste ausgelost",
            "Mit einer Wahrscheinlichkeit von 61\xa0% sind Ihre Antworten das, was gesendet wird; sonst ist alles",
        ),
        ("ar", "سُحبت أسئلتك بالقرعة", "باحتمال 61% تكون إجاباتك هي ما يُرسل"),
    ],
)
def test_the_first_question_comes_within_a_screen_of_a_phone_in_every_language(browser, together, language, lot, kept):
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=language)
    visit = Visit(context.new_page(), together).load()
    [line] = visit.page.locator(".question .protection").all_inner_texts()
    assert lot in line and kept in line
    assert visit.page.locator(".question").first.bounding_box()["y"] < 844
    assert beyond(visit.page) == 0
    context.close()


def test_another_language_asks_the_same_form_with_what_was_answered(page, together):
    page.add_init_script(LOT % 1)
    visit = Visit(page, together).load()
    visit.page.locator(".question").first.get_by_role("radio").first.click()
    page.locator("select").select_option("ar")
    page.get_by_text("سُحبت أسئلتك بالقرعة").wait_for()
    assert page.locator(".question h3").all_inner_texts() == ["صحة؟", "نوم؟"]
    assert len(visit.chosen) == 2  # the language is one of them
    assert [each["form"] for each in kept(visit)] == [1]
