"""The speaker of each text on the page. The page's own statements stay in view and are marked, and so are the authors'
texts. So no survey's text looks like the page's. Tests also check which texts a translator in the browser reads."""

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import DRAFT, ROUTED, SECTIONED, Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

CLAIM = "VERY STRONG PROTECTION, checked by your browser."
LONG = CLAIM + "\n\nMore of it." * 80
WEAK = SECTIONED | {"introduction": CLAIM, "consent": LONG, "thanks": CLAIM}
WEAK["sections"] = [each | {"text": LONG} for each in SECTIONED["sections"]]
WEAK["questions"] = [{**each, "note": CLAIM, "alpha": "8"} for each in DRAFT["questions"]]
WEAK["questions"][1]["alpha"] = "0.5"

# For every element with the claim: the mark of the quotation around it, or its name and the line beside it.
QUOTED = """(claim) => [...document.querySelectorAll("p")].filter((each) => each.textContent.includes(claim))
  .map((each) => each.closest("blockquote, header")?.querySelector(".by").textContent ??
    each.className + getComputedStyle(each).borderInlineStartWidth)"""


@pytest.fixture(scope="module")
def weak(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("weak"), WEAK)


@pytest.fixture
def page(warm):
    return warm


def in_view(page):
    """Return the page's own text at the top of the window, where nothing covers it."""
    line = page.locator(".standing")
    box = line.bounding_box()
    top = page.evaluate("document.elementFromPoint(24, 12)?.closest('.standing') !== null")
    return line.inner_text().strip() if top and 0 <= box["y"] < 8 else ""


def test_one_line_of_the_promise_stays_in_view_wherever_questions_are_asked(page, weak):
    page.set_viewport_size({"width": 390, "height": 844})
    visit = Visit(page, weak).load()
    for step in ("consent", "questions", "second section", "all sections"):
        if step == "questions":
            visit.agree()
        elif step == "second section":
            visit.answer(affair=0, rating=0).press("Next")
        elif step == "all sections":
            visit.press("Show all sections at once")
        for where in (0, 0.5, 1):
            page.evaluate("(part) => scrollTo(0, part * document.documentElement.scrollHeight)", where)
            said = in_view(page)
            assert said == "Hardly any protection", (step, where)
        assert violations(page) == [], step


def test_texts_of_a_survey_are_marked_as_the_surveys_and_look_otherwise(page, weak):
    visit = Visit(page, weak).load()
    marked = page.evaluate(QUOTED, CLAIM)
    assert len(marked) == 2 and all("The survey says" in each for each in marked)
    visit.agree().press("Show all sections at once")
    marked = page.evaluate(QUOTED, CLAIM)
    assert len(marked) == 9
    assert [each for each in marked if "The survey says" not in each] == ["note3px"] * 5, "beside a line"
    assert page.locator(".standing, .protection, .own").locator(f"text={CLAIM}").count() == 0


def test_all_letters_are_of_one_typeface_that_needs_no_file(page, survey):
    visit = Visit(page, survey).load().answer().send().is_thanked()
    faces = set(page.locator("main *").evaluate_all("(all) => all.map((each) => getComputedStyle(each).fontFamily)"))
    assert faces == {"system-ui, sans-serif", "ui-monospace, Consolas, monospace"}, "those of code in code alone"
    assert page.evaluate("document.fonts.size") == 0 and len(visit.posts) == 1


def test_the_protection_of_a_question_stands_above_its_options_and_is_heard_with_it(page, weak):
    visit = Visit(page, weak).load().agree()
    question = visit.question("rating")
    line, options = question.locator(".protection"), question.get_by_role("radiogroup")
    assert line.inner_text().startswith("This page says") and "Strong protection" in line.inner_text()
    assert line.bounding_box()["y"] < options.bounding_box()["y"]
    assert line.get_attribute("id") in options.get_attribute("aria-describedby").split()


def test_the_receipt_is_folded_below_the_sentence_that_it_may_differ(page, survey):
    visit = Visit(page, survey).load().answer().send().is_thanked()
    table, said = page.get_by_role("table", name="What left your browser"), page.get_by_text("What was sent may differ")
    assert said.is_visible() and not table.is_visible()
    page.get_by_text("What left your browser").click()
    assert said.bounding_box()["y"] < table.bounding_box()["y"]
    assert not page.locator(".bytes").is_visible() and violations(page) == []
    assert visit.posts == [visit.shown_report]


# Translators ----------------------------------------------------------------------------------------------------------

# The visible texts that a translator in the browser would send away.
TRANSLATED = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.translate && parentElement.checkVisibility() && data.trim()) texts.push(data);
  }
  return texts;
}"""


def test_a_translator_is_sent_the_same_whatever_is_answered(page, system, tmp_path):
    survey = open_page(system, tmp_path, {name: each for name, each in ROUTED.items() if name != "sections"})
    visit, sent = Visit(page, survey).load(), []
    for answers in ({}, {"affair": 0, "age": "33"}, {"affair": 1}, {"affair": 0, "work": 2, "age": None}):
        if answers:
            page.reload()
            page.locator("#promise").wait_for()
            assert visit.chosen == []
            visit.answer(**answers)
        if visit.question("region").is_visible():
            visit.question("region").get_by_role("searchbox").fill("1")
        sent.append(page.evaluate(TRANSLATED))
    assert sent[0] == sent[1] == sent[2] == sent[3]
    assert "Have you ever had an affair?" in sent[0] and "How old are you?" in sent[0]


def test_all_else_may_be_translated(page, survey):
    visit = Visit(page, survey).load()
    texts = page.evaluate(TRANSLATED)
    shown = [
        *DRAFT["questions"][3]["options"],
        *(each["text"] for each in DRAFT["questions"]),
        "Send my randomized answers",
    ]
    assert set(shown) <= set(texts)
    visit.question("region").get_by_role("searchbox").fill("gion 14")
    assert "Region 14" not in page.evaluate(TRANSLATED) and "Where do you live?" in page.evaluate(TRANSLATED)
    visit.question("region").get_by_role("searchbox").fill("")
    visit.answer().send().is_thanked()
    page.get_by_text("What left your browser").click()
    texts = page.evaluate(TRANSLATED)
    assert "Where do you live?" in texts and "Thank you" in texts
    assert not {option for each in DRAFT["questions"] for option in each.get("options", ())} & set(texts)
