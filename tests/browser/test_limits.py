"""Numbers with limits on the respondents' page. The page says the limits, and no number beyond them is an answer."""

import json

import pytest

from surveys.survey import definition as definitions
from surveys.survey.definition.languages import in_language
from tests.support.accessibility import violations
from tests.support.respondents import Visit, open_page
from tests.support.site import OVERHEARD, altered

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

DRINKS = {"key": "drinks", "kind": "histogram", "text": "How many drinks?", "alpha": "1", "unit": "drinks"}
DRAFT = {
    "title": "Last week",
    "introduction": "For the tests.",
    "language": "en",
    "questions": [
        DRINKS | {"edges": ["0", "1", "3", "21", "61"], "limits": "whole", "prefer_not_to_say": True},
        {
            "key": "sleep",
            "kind": "mean",
            "text": "How long?",
            "low": "0",
            "high": "24",
            "limits": "decimal",
            "alpha": "1",
        },
    ],
    "translations": {
        "de": {
            "title": "Letzte Woche",
            "introduction": "Zum Testen.",
            "questions": [{"text": "Wie viele?", "unit": "Gläser"}, {"text": "Wie lange?"}],
        }
    },
}


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("limits"), draft=DRAFT)


@pytest.fixture
def visit(page, survey):
    altered(OVERHEARD)(page)
    return Visit(page, survey).load()


def fill(visit, place, typed):
    visit.page.fill(f"#question-{place}", typed)
    return visit.page.locator(f"#question-{place}-counts").inner_text()


def test_limits_are_said_and_what_lies_beyond_is_no_answer(visit):
    whole, any_number = "Enter a whole number from 0 to 60 drinks.", "Enter a number from 0 to 24."
    assert visit.page.locator("#question-1-hint").inner_text() == whole
    assert visit.page.locator("#question-2-hint").inner_text() == any_number
    progress = visit.page.locator("#progress-text")
    for typed, said in (
        *(("61", whole), ("0", "Counts as: 0 drinks."), ("2.5", whole), ("2,0", "Counts as: 1 to 2 drinks.")),
        *(("-1", whole), ("60", "Counts as: 21 or more drinks."), ("sixty", "This is not a number yet")),
    ):
        assert fill(visit, 1, typed).replace("= 2. ", "").startswith(said), typed
        assert progress.inner_text() == f"{int(said.startswith('Counts'))} of 2 answered", typed
    assert fill(visit, 2, "24.5") == any_number and fill(visit, 2, "24") == "Counts as: 24."
    assert violations(visit.page) == []
    visit.page.get_by_role("button", name="Prefer not to say").click()
    assert progress.inner_text() == "2 of 2 answered"
    fill(visit, 1, "2")
    visit.send().is_thanked()
    assert visit.page.evaluate("overheard") == {"drinks": 1, "sleep": "24"}
    assert json.loads(visit.posts[0])["answers"].keys() == {"drinks", "sleep"}


def test_in_another_language_its_bins_are_called_by_the_same_numbers(visit):
    visit.page.get_by_label("Language").select_option("de")
    visit.page.locator(
        "#question-1-hint", has_text="Bitte geben Sie eine ganze Zahl von 0 bis 60 Gläser ein."
    ).wait_for()
    assert fill(visit, 1, "1") == "Zählt als: 1 bis 2 Gläser." and fill(visit, 1, "0") == "Zählt als: 0 Gläser."
    [question, _sleep] = in_language(definitions.build(DRAFT), "de")["questions"]
    assert question["options"] == ["0", "1 bis 2", "3 bis 20", "21 oder mehr", "Keine Angabe"]
