"""Rankings in results: the share of each pair, the sentences about it, and each item's mean rank."""

import re

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp.document import QuestionResult
from ldp.forms.report import alone
from ldp.inference.variables import APPLIES, DOES_NOT, NotCrossed, pair_of
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.researcher.results.question import readings, unasked
from surveys.researcher.results.question.forged import leader
from surveys.researcher.results.released import of_release
from surveys.survey import definition as definitions
from surveys.survey import kinds
from surveys.survey.mechanisms import report_words
from tests.researcher.results.test_results import text
from tests.researcher.results.test_row_files import rows_of
from tests.support.estimates import work
from tests.support.questions import question
from tests.worker.test_batches import store

ITEMS = ["Tea", "Coffee", "Milk"]
DRAFT = {
    "title": "Drinks",
    "questions": [
        question("thirsty", "yes_no", "2"),
        question("drinks", "ranking", "4", ranked=ITEMS),
        question("three", "ranking", "4", ranked=[*ITEMS, "Water"], sample=3),
        question("routed", "ranking", "4", ranked=ITEMS) | {"asked_if": {"question": "thirsty", "options": [0]}},
    ],
}


@pytest.fixture(scope="module")
def survey(outer_transaction):
    """Return a survey in which everyone ranks tea before milk before coffee, and water before coffee only."""
    survey = create_draft(DRAFT, results_public=True)
    open_survey(survey)
    store(survey, range(400), drinks=[0, 2, 1], three=[0, 2, 3, 1], routed=[0, 2, 1])
    close_survey(survey)
    work(survey)
    return survey


@pytest.mark.django_db
def test_a_mean_rank_follows_from_the_shares_of_its_pairs(survey):
    drinks = of_release(survey.slug, 1, "drinks")
    share = {option: float(own.shares[0]) for (own, _j), option in zip(drinks.rows, drinks.options, strict=True)}
    assert list(share) == ["Tea > Coffee", "Tea > Milk", "Coffee > Milk"]
    every = {each.option: each for each in readings.mean_ranks(drinks, 0.95, "population")}
    weights = dict(zip(drinks.options, drinks.totals["drawn"], strict=True))
    before = [(share["Tea > Coffee"], weights["Tea > Coffee"]), (1 - share["Coffee > Milk"], weights["Coffee > Milk"])]
    mean = sum(own * weight for own, weight in before) / sum(weight for _, weight in before)
    assert every["Coffee"].estimate == pytest.approx(1 + 2 * mean)
    for each in every.values():
        assert each.simultaneous[0] <= each.interval[0] <= each.interval[1] <= each.simultaneous[1]
        assert each.proved and each.together == 3 and each.standard_error > 0
    assert not any(each.proved for each in readings.mean_ranks(drinks, 0.95, "respondents"))
    three = {each.option: each for each in readings.mean_ranks(of_release(survey.slug, 1, "three"), 0.95, "population")}
    assert sorted(three, key=lambda item: three[item].estimate) == ["Tea", "Milk", "Water", "Coffee"]
    for true, item in enumerate(("Tea", "Milk", "Water", "Coffee"), 1):
        low, high = three[item].simultaneous
        assert low <= true <= high < low + 1 and not three[item].proved


@pytest.mark.django_db
def test_the_question_has_a_page_with_its_mean_ranks(survey):
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/questions/drinks/").content.decode()))
    assert "Mean ranks" in page and "Tea > Coffee" in page and "most common" not in page
    release = text(parse_html(Client().get(f"/r/{survey.slug}/1/").content.decode()))
    assert "Each browser drew 2 of the 3 entries by chance." in release and "it sent the true order of these" in release
    assert "It is about 3 of the 4 entries, drawn by chance." in release
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/questions/three/").content.decode()))
    assert "These intervals held in every check, but are not proved." in page and "Health check" in page
    assert "Of any two of these, more people put the earlier one first: “Tea”, “Milk”, “Coffee”." in release
    leading = re.search(r"“[^”]* > [^”]*”, the least common", release)
    assert not leading and "Tea > Coffee:" not in release, "a pair is no leading answer"


@pytest.mark.django_db
def test_the_readings_are_in_the_files(survey):
    rows = rows_of(survey, "readings.csv")
    ranks = [row for row in rows if row["question"] == "drinks" and row["quantity"] == "mean_rank"]
    assert {row["option"] for row in ranks} == set(ITEMS)
    assert {row["guarantee"] for row in ranks if row["target"] == "population"} == {"proved"}


@pytest.mark.django_db
def test_people_who_are_not_asked_count_with_the_order_of_the_items(survey):
    routed = of_release(survey.slug, 1, "routed")
    assert unasked.fillers(routed) == [1.0, 1.0, 1.0]
    assert kinds.of(routed.question).filler(routed.question) == " > ".join(ITEMS)


@pytest.mark.django_db
def test_no_pair_is_called_the_most_common_answer(survey):
    assert leader(of_release(survey.slug, 1, "drinks")) is None


def result_with(intervals) -> QuestionResult:
    (built,) = definitions.build({"title": "x", "questions": [question("q", "ranking", "1", ranked=ITEMS)]})[
        "questions"
    ]
    precision = {"standard_error": 0.01}
    categories = [
        {"option": option, "population": precision | {"simultaneous": list(ends)}, "estimate": 0.5}
        for option, ends in zip(built["options"], intervals, strict=True)
        if ends
    ]
    return built | {"d": 3, "n_about": 100, "together": 3, "methods": [{"method": "support", "categories": categories}]}


def test_sentences_say_which_item_more_people_put_first_and_no_more_than_is_known():
    say = kinds.KINDS["ranking"].sentences
    said = say(result_with([(0.51, 0.9), (0.1, 0.49), (0.4, 0.6)]))
    assert said[1].endswith("more people put first: “Tea > Coffee”; “Milk > Tea”.") and said[1].startswith("For 2 of")
    assert say(result_with([(0.5, 0.9), (0.1, 0.5), (0.4, 0.6)]))[1].startswith("For none of the pairs")
    before_all = say(result_with([(0.4, 0.6), (0.1, 0.49), (0.1, 0.4)]))[1]
    assert before_all.startswith("More people put “Milk” before each of the others than behind it. For 2 of")
    in_order = say(result_with([(0.51, 0.9), (0.1, 0.49), (0.1, 0.4)]))[1]
    assert in_order == "Of any two of these, more people put the earlier one first: “Milk”, “Tea”, “Coffee”."
    in_a_circle = say(result_with([(0.51, 0.9), (0.1, 0.49), (0.51, 0.9)]))[1]
    assert in_a_circle.startswith("For 3 of the 3 pairs")
    assert say(result_with([(0.5, 0.9), None, (0.4, 0.6)]))[2].startswith("No report is about 1 of the 3 pairs")


@pytest.mark.django_db
def test_pairs_are_compared_as_the_options_of_a_multiple_choice_are(survey):
    answer = Client().get(f"/r/{survey.slug}/1/comparisons/?question=drinks")
    assert answer.status_code == 200 and "Tea &gt; Coffee" in answer.content.decode()


def test_a_report_is_read_back_as_an_order():
    built = {"ranked": [*"abcd"]}
    for report, said in (
        ([[0, 1]], "a > b"),
        ([[5, 0]], "d > c"),
        ([[1, 0], [2, 1], [5, 1]], "c > a > d"),
        ([[3, 0], [4, 0], [5, 0]], "d > c > b"),
    ):
        assert report_words.ordered(built, report) == ([said], "")


def test_a_pair_is_a_variable_and_two_of_one_ranking_are_not_crossed():
    questions = alone(definitions.build(DRAFT))
    one, other = pair_of(questions, "drinks.2", "thirsty")
    assert one.text == "drinks? — Tea > Milk" and one.options == (APPLIES, DOES_NOT) and other.key == "thirsty"
    with pytest.raises(NotCrossed):
        pair_of(questions, "drinks.1", "drinks.2")
