"""Questions about a date in Chromium. The controls are as exact as the spans need, and only the span is randomized."""

import json

import pytest

from surveys.survey import definition as definitions
from surveys.survey.definition.languages import in_language
from tests.support.accessibility import violations
from tests.support.questions import question
from tests.support.respondents import Visit, open_page
from tests.support.site import MODULES, OVERHEARD, altered, certified, open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

QUESTIONS = [
    question("born", "date", "1", dates=["1940", "1960", "1980", "2000"], text="When were you born?"),
    question("moved", "date", "1", dates=["2024-10", "2025-01", "2025-04", "2025-07"], prefer_not_to_say=True)
    | {"text": "When did you move here?"},
    question("seen", "date", "1", dates=["2025-03-01", "2025-03-08", "2025-03-15", "2025-03-22"])
    | {"text": "When did you last see a doctor?"},
]
JOINED = "-\N{WORD JOINER}"  # no line begins within a date
DRAFT = {"title": "Dates", "introduction": "For the tests.", "questions": QUESTIONS}
BROKEN = """(node) => {
  const text = node.firstChild;
  const dates = [...text.data.matchAll(/[-\\d\\u2060]{10,}/g)];
  const range = document.createRange();
  return Array.from({ length: 60 }, (_, i) => 160 + 5 * i).some((width) => {
    node.style.width = `${width}px`;
    return dates.some(({ index, 0: date }) => {
      range.setStart(text, index);
      range.setEnd(text, index + date.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    });
  });
}"""


IN_LANGUAGE = """async ({ modules, text, tag }) => {
  await import(`${modules}/kinds/date.js`);
  const { inLanguage } = await import(`${modules}/languages.js`);
  const { OWN } = await import(`${modules}/words.js`);
  return inLanguage(JSON.parse(text), tag, OWN).questions[0].options;
}"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("dates"), draft=DRAFT)


@pytest.fixture
def blank(page, system):
    return open_blank(page, system.url)


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture
def visit(page, survey):
    altered(OVERHEARD)(page)
    return Visit(page, survey).load()


def card(visit, place):
    return visit.page.locator(".question").nth(place)


def test_a_date_is_asked_for_as_exactly_as_its_spans_need_and_its_span_alone_is_randomized(visit):
    card(visit, 0).get_by_role("textbox").fill("1979")
    assert card(visit, 0).locator(".counts").inner_text().replace(JOINED, "-") == "Counts as: 1960 – 1979."
    month = card(visit, 1)
    month.get_by_label("Year").fill("2025")
    assert month.locator(".counts").inner_text().replace(JOINED, "-") == ""
    month.get_by_label("Month").select_option(label="March")
    assert month.locator(".counts").inner_text().replace(JOINED, "-") == "Counts as: 2025-01 – 2025-03."
    card(visit, 2).locator("input").fill("2030-01-01")
    assert card(visit, 2).locator(".counts").inner_text().replace(JOINED, "-") == "Counts as: 2025-03-15 – …"
    visit.send().is_thanked()
    reported = "".join(visit.page.locator("td[translate=no]").all_text_contents())
    assert JOINED in reported and "-" not in reported.replace(JOINED, ""), "a line could begin within a date"
    assert visit.page.evaluate("overheard") == {"born": 1, "moved": 1, "seen": 2}
    [body] = visit.posts
    assert json.loads(body)["answers"].keys() == {"born", "moved", "seen"}
    assert not any(text in body for text in ("1979", "2030"))


def test_no_line_begins_within_a_date(visit):
    """This holds at every width. Without the joining character, Chromium breaks a date after a hyphen."""
    counts = card(visit, 2).locator(".counts")
    card(visit, 2).locator("input").fill("2025-03-10")
    assert counts.inner_text().count(JOINED) == 4
    assert not counts.evaluate(BROKEN)
    counts.evaluate("(node) => { node.textContent = node.textContent.replaceAll('\\u2060', ''); }")
    assert counts.evaluate(BROKEN), "no width breaks anything"


def test_a_year_may_have_the_digits_of_any_script(visit):
    for typed in ("१९८५", "１９８５", "๑๙๘๕", "\u200e1985\u200f", "\u2067١٩٨٥\u2069"):
        card(visit, 0).get_by_role("textbox").fill(typed)
        assert card(visit, 0).locator(".counts").inner_text().replace(JOINED, "-") == "Counts as: 1980 – …"


def test_what_is_no_date_yet_is_no_answer(visit):
    rule = "Enter the year, such as 1984. Only the span it falls into is used."
    for typed, said in (("19", ""), ("0197", rule), ("x", rule), ("1985", "Counts as: 1980 – …"), ("", "")):
        card(visit, 0).get_by_role("textbox").fill(typed)
        assert card(visit, 0).locator(".counts").inner_text().replace(JOINED, "-") == said
    visit.page.get_by_role("button", name="Send my randomized answers").click()
    assert card(visit, 0).locator(".error").inner_text() == "Please enter a date."


def test_who_prefers_not_to_say_leaves_no_date_behind(visit):
    moved = card(visit, 1)
    moved.get_by_label("Year").fill("2025")
    moved.get_by_label("Month").select_option("05")
    moved.get_by_role("button", name="Prefer not to say").click()
    assert moved.get_by_label("Year").input_value() == moved.get_by_label("Month").input_value() == ""
    assert moved.locator(".counts").inner_text().replace(JOINED, "-") == "Counts as: Prefer not to say."


def test_everyone_can_use_the_controls(visit):
    assert violations(visit.page) == []
    visit.page.get_by_role("button", name="Send my randomized answers").click()
    assert violations(visit.page) == []


def test_the_page_and_the_site_take_the_same_dates(blank):
    changes = [
        {}, {"dates": ["1940", "1960", "1980"]}, {"dates": ["1940", "1980", "1960", "2000"]},
        {"dates": ["1940", "1960-01", "1980", "2000"]}, {"dates": ["0940", "1960", "1980", "2000"]},
        {"dates": [1940, 1960, 1980, 2000]}, {"dates": ["1940", "1960", "1980", "20000"]},
        {"dates": []}, {"dates": None},
        {"dates": ["2023-02-26", "2023-02-27", "2023-02-28", "2023-03-01"]},
        {"dates": ["2023-02-26", "2023-02-27", "2023-02-28", "2023-02-29"]},
        {"dates": ["2023-10", "2023-11", "2023-12", "2023-13"]}, {"options": ["a", "b"]}, {"options": ["a", "a", "b"]},
        {"unit": ""}, {"edges": ["0", "1", "2", "3"]},
    ]  # fmt: skip
    definition = definitions.build({"title": "Dates", "questions": QUESTIONS[:1]})
    texts = []
    for change in changes:
        altered_question = definition["questions"][0] | change
        texts.append(definitions.canonical(definition | {"questions": [altered_question]}))
    found = certified(blank, texts)
    expected = [definitions.certified(text) for text in texts]
    assert found == expected and expected[0] and not expected[1]


def test_spans_have_the_same_names_in_every_language(page, system):
    draft = {
        "title": "Dates",
        "questions": [QUESTIONS[1]],
        "language": "en",
        "translations": {"de": {"title": "Daten", "questions": [{"text": "Wann?"}]}},
    }
    definition = definitions.build(draft)
    given = {"modules": MODULES, "text": definitions.canonical(definition).decode(), "tag": "de"}
    own = open_blank(page, system.url, "de").evaluate(IN_LANGUAGE, given)
    assert own == in_language(definition, "de")["questions"][0]["options"]
    assert own[:-1] == definition["questions"][0]["options"][:-1] and own[-1] == "Keine Angabe"
