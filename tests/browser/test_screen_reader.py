"""A screen reader reads what accessibility.md says, by the roles and names that each engine computes."""

import pytest

from tests.support.engines import ENGINES
from tests.support.respondents import open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

LEVELS = ["never", "seldom", "often"]
REGIONS = [f"Region {letter}" for letter in "abcdefghijklmnop"]
QUESTIONS = [
    {"key": "well", "kind": "yes_no", "text": "Do you sleep well?", "note": "Most nights.", "alpha": "1"},
    {"key": "content", "kind": "ordered", "text": "How content are you?", "alpha": "1"}
    | {"options": ["0 not at all", *map(str, range(1, 10)), "10 completely"]},
    {"key": "drinks", "kind": "grid", "text": "How often?", "alpha": "1", "items": ["tea", "coffee"]}
    | {"options": LEVELS},
    {"key": "region", "kind": "single_choice", "text": "Where?", "alpha": "1", "options": REGIONS},
    {"key": "has", "kind": "multiple_choice", "text": "What do you have?", "alpha": "1", "options": ["car", "boat"]},
    {"key": "age", "kind": "histogram", "text": "How old?", "alpha": "1", "edges": ["0", "30", "60"], "unit": "years"},
]
DRAFT = {
    "title": "Heard",
    "consent": "You take part of your own will.",
    "questions": QUESTIONS,
    "sections": [
        {"title": "Rest", "text": "", "questions": ["well", "content", "drinks"]},
        {"title": "You", "text": "", "questions": ["region", "has", "age"]},
    ],
}
FOCUS = "const at = document.activeElement; return at.getAttribute('aria-label') ?? (at.textContent || at.localName)"
DESCRIPTION = """return arguments[0].getAttribute("aria-describedby").split(" ")
  .map((id) => document.getElementById(id).textContent).filter(Boolean).join(" ")"""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    with ENGINES[request.param]() as started:
        yield started


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("heard"), DRAFT)


def press(engine, name):
    engine.click(engine.named("button", name))


def focused(engine, text):
    engine.until(lambda: engine.run(FOCUS) == text, f"the focus on “{text}”")


def state(engine, element, name):
    return engine.run("return arguments[0].getAttribute(arguments[1])", element, f"aria-{name}")


def described(engine, element):
    return engine.run(DESCRIPTION, element)


def heard(engine, role, text):
    """Wait until a live region with this role says the text."""
    said = f"return [...document.querySelectorAll('{role}')].some((each) => each.textContent.includes(arguments[0]))"
    engine.until(lambda: engine.run(said, text), f"{role} “{text}”")


def test_a_respondent_who_listens_is_told_every_step(survey, engine):
    engine.resize(1280)
    engine.go(survey.page)
    _agrees(engine)
    _answers_the_first_section(engine)
    _answers_the_second_section(engine)
    press(engine, "Send my randomized answers")
    focused(engine, "Thank you")
    engine.run("document.querySelector('#stage summary').click()")
    report = engine.named("table", "What left your browser")
    for name in ("Question", "What was reported"):
        engine.named("columnheader", name, report)
    for question in QUESTIONS:
        engine.named("rowheader", question["text"], report)


def _agrees(engine):
    engine.named("heading", "Heard")
    engine.named("region", "Even randomized, your report can reveal much about your answers")
    heard(engine, "#announcer[role=status]", "6 questions are ready.")
    press(engine, "Go to the questions")
    box = engine.named("checkbox", "I have read this and agree")
    assert engine.run("return document.activeElement === arguments[0]", box)
    assert state(engine, box, "invalid") == "true" and described(engine, box).startswith("Please tick this")
    engine.click(box)
    press(engine, "Go to the questions")
    focused(engine, "The questions")


def _answers_the_first_section(engine):
    engine.named("heading", "Rest", engine.named("region", "Rest"))
    press(engine, "Next")
    heard(engine, "[role=alert]", "3 questions still need an answer.")
    focused(engine, "Yes")
    well = engine.named("radiogroup", "Do you sleep well?")
    assert state(engine, well, "required") == state(engine, well, "invalid") == "true"
    assert described(engine, well) == "Most nights. Please choose an answer."
    yes = engine.named("radio", "Yes", well)
    assert state(engine, yes, "checked") == "false"
    engine.click(yes)
    assert state(engine, yes, "checked") == "true" and state(engine, well, "invalid") is None
    scale = engine.named("radiogroup", "How content are you?")
    engine.named("radio", "0 not at all", scale)
    engine.click(engine.named("radio", "10 completely", scale))
    _answers_the_grid(engine)
    press(engine, "Next")
    focused(engine, "You")


def _answers_the_grid(engine):
    """Check that the table sounds the same whether its columns or its rows are visible."""
    grid = engine.named("table", "How often?")
    for level in LEVELS:
        engine.named("columnheader", level, grid)
    for width in (1280, 600):
        engine.resize(width)
        engine.named("table", "How often?")
        for item in ("tea", "coffee"):
            engine.named("rowheader", item, grid)
            for level in LEVELS:
                engine.named("radio", f"{item}: {level}", grid)
    assert described(engine, grid) == "Please choose an answer for each of these."
    engine.click(engine.named("radio", "tea: never", grid))
    engine.click(engine.named("radio", "coffee: often", grid))
    assert state(engine, grid, "invalid") is None


def _answers_the_second_section(engine):
    press(engine, "Send my randomized answers")
    heard(engine, "[role=alert]", "3 questions still need an answer.")
    search = engine.named("searchbox", "Search this list")
    assert engine.run("return document.activeElement === arguments[0]", search)
    assert described(engine, search) == "Where? Please choose an answer."
    engine.type(search, "gion K")
    heard(engine, "[role=status]", "1 of 16 match.")
    engine.click(engine.named("radio", "Region k", engine.named("radiogroup", "Where?")))
    engine.click(engine.named("checkbox", "None of these", engine.named("group", "What do you have?")))
    age = engine.named("textbox", "How old?")
    assert described(engine, age).startswith("years Only the group of your number is used.")
    engine.type(age, "31")
    heard(engine, "[aria-live=polite]", "Counts as: 30 or more years.")
    heard(engine, "#progress-text", "6 of 6 answered")
